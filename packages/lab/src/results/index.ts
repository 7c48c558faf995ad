import './results.tables.ts'

export { eraseResults } from './erase-results.service.ts'
export { registerMatchReviewOperatorRoutes } from './match-review/match-review.routes.ts'
export { RESULT_EVENTS } from './results.events.ts'
export { resultJobs } from './results.jobs.ts'
export {
  listDocumentsOfUser,
  listFirstFinalVersions,
  listNewestOfUser,
  listResultFiles,
} from './results.repository.ts'
export { registerResultRoutes } from './results.routes.ts'
export { RESULT_STATUSES } from './results.schema.ts'
export type { ReportTransaction, ResultsScope } from './results.scope.ts'
export { mayRedraw } from './storing/redraw-rule.ts'
export { inReportTransaction, REMOVE_RESULT_FILES, RESULT_FILES } from './storing/result-files.ts'
export { findNewestReport } from './storing/store-report.service.ts'
export {
  rematchHeld,
  type TakenOutcome,
  type TakenReport,
  takeReport,
} from './take-report.service.ts'
