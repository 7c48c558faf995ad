import { inEnvironment } from '../../accounts/teams/index.ts'
import { handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import type { Stores } from '../../platform/scope.ts'
import { type ReviewTestJob, RUN_REVIEW_TEST } from './review-tests/review-tests.service.ts'
import { type ReviewTestParts, runReviewTest } from './review-tests/run-review-test.service.ts'

/** Runs tests of the review queue in the background. */
export function resultJobs(stores: Stores, parts: ReviewTestParts): JobDefinitions {
  return {
    handlers: handleJob(
      RUN_REVIEW_TEST,
      inEnvironment(stores, (scope, { runId }: ReviewTestJob) =>
        runReviewTest(scope, parts, runId),
      ),
    ),
    schedule: '',
  }
}
