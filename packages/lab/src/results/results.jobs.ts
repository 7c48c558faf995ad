import { enterEnvironment, inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { environmentNow, rowScope, type Scope, type Stores } from '@salus/kernel/scope'
import { type OrderJob, REMATCH_RESULTS } from '../orders/index.ts'
import { listEnvironmentsWithDueTasks } from './critical-tasks/critical-tasks.global.repository.ts'
import { escalateTasks } from './critical-tasks/critical-tasks.service.ts'
import { rematchHeldResults } from './receive-result-message.service.ts'
import { type ReviewTestJob, RUN_REVIEW_TEST } from './review-tests/review-tests.service.ts'
import { type ReviewTestParts, runReviewTest } from './review-tests/run-review-test.service.ts'
import {
  inResultTransaction,
  REMOVE_RESULT_FILES,
  removeUnnamedFiles,
} from './storing/result-files.ts'

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
      ...handleJob(
        REMATCH_RESULTS,
        inEnvironment(stores, (scope, { orderId }: OrderJob) => rematch(scope, parts, orderId)),
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

async function rematch(
  scope: Scope,
  { files }: Pick<ReviewTestParts, 'files'>,
  orderId: string,
): Promise<void> {
  const at = environmentNow(scope)
  await inResultTransaction({ ...scope, files }, (tx) => rematchHeldResults(tx, orderId, at))
}

/** Escalates critical results in all environments, each by its own time. */
async function escalateEverywhere(stores: Stores, signal: AbortSignal): Promise<void> {
  for (const id of await listEnvironmentsWithDueTasks(stores.db, stores.clock.now())) {
    if (signal.aborted) return
    const scope = await enterEnvironment(stores, id)
    if (scope !== undefined) await escalateTasks(scope)
  }
}
