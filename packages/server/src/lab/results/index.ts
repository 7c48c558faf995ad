import './results.tables.ts'

export { eraseResults } from './erase-results.service.ts'
export { registerMatchReviewOperatorRoutes } from './match-review/operator.routes.ts'
export { type Match, matchReport } from './matching/match-report.service.ts'
export type { ReportSource, ResultsContext } from './results.context.ts'
export { RESULT_EVENTS } from './results.events.ts'
export { resultJobs } from './results.jobs.ts'
export { type ResultRoutesOptions, registerResultRoutes } from './results.routes.ts'
export { BiomarkerResult, LabResultsRaw } from './results.schema.ts'
export { mayRedraw } from './storing/redraw-rule.ts'
export { inReportTransaction, RESULT_FILES } from './storing/result-files.ts'
export { findNewestReport } from './storing/store-report.service.ts'
export {
  receiveReport,
  rematchHeld,
  type TakenOutcome,
  type TakenReport,
  takeReport,
} from './take-report.service.ts'
