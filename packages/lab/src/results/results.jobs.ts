import { enterEnvironment, inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { rowScope, type Stores } from '@salus/kernel/scope'
import { listEnvironmentsWithDueTasks } from './critical-tasks/critical-tasks.global.repository.ts'
import { escalateTasks } from './critical-tasks/critical-tasks.service.ts'
import { type ReviewTestJob, RUN_REVIEW_TEST } from './review-tests/review-tests.service.ts'
import { type ReviewTestParts, runReviewTest } from './review-tests/run-review-test.service.ts'
import { REMOVE_RESULT_FILES, removeUnnamedFiles } from './storing/result-files.ts'

/**
 * Jobs that run tests of the review queue, delete files of deleted results, and escalate critical
 * results.
 */
export function resultJobs(stores: Stores, parts: ReviewTestParts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        RUN_REVIEW_TEST,
        inEnvironment(stores, (scope, { runId }: ReviewTestJob) =>
          runReviewTest(scope, parts, runId),
        ),
      ),
      // Also for an environment that was deleted.
      ...handleJob(REMOVE_RESULT_FILES, ({ environmentId, names }) =>
        removeUnnamedFiles(rowScope(stores.db, environmentId), parts.files, names),
      ),
      escalate_critical_results: (_payload, signal) => escalateEverywhere(stores, signal),
    },
    schedule: '* * * * * escalate_critical_results',
  }
}

/** Escalates critical results in all environments, each by its own time. */
async function escalateEverywhere(stores: Stores, signal: AbortSignal): Promise<void> {
  for (const id of await listEnvironmentsWithDueTasks(stores.db, stores.clock.now())) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await escalateTasks(scope)
  }
}
