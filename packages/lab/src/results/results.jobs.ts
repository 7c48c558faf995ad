import { inEnvironment } from '@salus/accounts/teams'
import { handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { environmentNow, rowScope, type Scope, type Stores } from '@salus/kernel/scope'
import { type OrderJob, REMATCH_RESULTS } from '../orders/index.ts'
import { rematchHeldResults } from './receive-result-message.service.ts'
import { type ReviewTestJob, RUN_REVIEW_TEST } from './review-tests/review-tests.service.ts'
import { type ReviewTestParts, runReviewTest } from './review-tests/run-review-test.service.ts'
import {
  inResultTransaction,
  REMOVE_RESULT_FILES,
  removeUnnamedFiles,
} from './storing/result-files.ts'

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
      ...handleJob(
        REMATCH_RESULTS,
        inEnvironment(stores, (scope, { orderId }: OrderJob) => rematch(scope, parts, orderId)),
      ),
      // Also for an environment that was deleted.
      ...handleJob(REMOVE_RESULT_FILES, ({ environmentId, names }) =>
        removeUnnamedFiles(rowScope(stores.db, environmentId), parts.files, names),
      ),
    },
    schedule: '',
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
