import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { rowScope, type Stores } from '@salus/kernel/scope'
import { type ReviewTestJob, RUN_REVIEW_TEST } from './review-tests/review-tests.service.ts'
import { type ReviewTestParts, runReviewTest } from './review-tests/run-review-test.service.ts'
import { REMOVE_RESULT_FILES, removeUnnamedFiles } from './storing/result-files.ts'

/** Jobs that run tests of the review queue, and delete files of deleted results. */
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
    },
    schedule: '',
  }
}
