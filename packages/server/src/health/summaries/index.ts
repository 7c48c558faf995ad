export { registerMergedActivityRoutes } from './merged-activity/merged-activity.routes.ts'
export { registerSummaryReadRoutes } from './reading/summaries-reading.routes.ts'
export { listSummaryExtents, type SummaryExtent } from './reading/summary-extents.repository.ts'
export { reconcileSleep } from './sleep/reconcile-sleep.ts'
export type { SleepRecord, SleepRecordStage, SleepSession } from './sleep/sleep-record.ts'
export { findSportBySlug, toSport } from './sports/sport.registry.ts'
export { eraseSummaries } from './storing/stored-summaries.repository.ts'
export { dateOfSummary } from './storing/stored-summary.ts'
export { SUMMARY_KIND } from './storing/summary-store.ts'
export { SUMMARY_EVENTS, summaryHistory } from './summaries.events.ts'
export type { NewSummary, WorkoutStream } from './summary.ts'
export { summaryId } from './summary-id.ts'
export {
  SUMMARY_TABLES,
  type SummaryResource,
  type SummaryValues,
} from './summary-tables.registry.ts'
export { registerSummaryUploadRoutes } from './uploads/summary-uploads.routes.ts'
