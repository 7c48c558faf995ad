import { handleJob, type JobDefinitions } from '../../platform/jobs/jobs.ts'
import { RUN_REVIEW_TEST } from './review-tests/review-tests.service.ts'
import { type ReviewTestContext, runReviewTest } from './review-tests/run-review-test.service.ts'

/** Runs tests of the review queue in the background. */
export function resultJobs(context: ReviewTestContext): JobDefinitions {
  return {
    handlers: handleJob(RUN_REVIEW_TEST, (job) => runReviewTest(context, job)),
    schedule: '',
  }
}
