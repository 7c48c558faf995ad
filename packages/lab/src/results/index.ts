import './results.tables.ts'

export {
  RESULT_TASK_EVENTS,
  requireCriticalTaskOf,
} from './critical-tasks/critical-tasks.service.ts'
export { eraseResults } from './erase-results.service.ts'
export { REVIEW_REASONS } from './match-review/held-results.global.repository.ts'
export { registerMatchReviewOperatorRoutes } from './match-review/match-review.routes.ts'
export { countWaitingReviews } from './match-review/show-reviews.service.ts'
export { getResultPdf } from './reading/show-results.service.ts'
export {
  type ReceivedMessage,
  type ReceptionOutcome,
  receiveResultMessage,
  rematchHeldResults,
} from './receive-result-message.service.ts'
export { RESULT_EVENTS } from './results.events.ts'
export { resultJobs } from './results.jobs.ts'
export {
  type FileColumns,
  listDocumentsOfUser,
  listFirstFinalVersions,
  listNewestOfUser,
  listResultFiles,
  namesOfFiles,
} from './results.repository.ts'
export { registerResultRoutes } from './results.routes.ts'
export { RESULT_STATUSES } from './results.schema.ts'
export type { ResultsScope, ResultTransaction } from './results.scope.ts'
export { mayRedraw } from './storing/redraw-rule.ts'
export { documentsBeside } from './storing/result-documents.ts'
export { inResultTransaction, REMOVE_RESULT_FILES, RESULT_FILES } from './storing/result-files.ts'
export { findNewestMessage } from './storing/store-result-message.service.ts'
