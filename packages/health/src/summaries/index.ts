export { readMergedActivity } from './activity/merged-activity.service.ts'
export type { NutrientColumn } from './meal/meal-nutrients.registry.ts'
export { addNutrients, gramsToColumn, mealValues, type Nutrients } from './meal/nutrients.ts'
export type { MergedSleep } from './merged/merged-sessions.schema.ts'
export { listSetAsideIds, readMergedSessions } from './merged/merged-sessions.service.ts'
export type { SessionResource } from './merged/session-record.ts'
export { requireSleepOf, requireWorkoutOf } from './reading/streams.service.ts'
export { registerSummaryReadRoutes } from './reading/summaries-reading.routes.ts'
export { listSummaryDays, listSummaryExtents } from './reading/summary-extents.repository.ts'
export type { Reading } from './session-readings.ts'
export { reconcileSleep } from './sleep/reconcile-sleep.ts'
export {
  EARLY_TEMPERATURE_MS,
  measureSleep,
  type SleepReadings,
  sleepTypeOf,
} from './sleep/sleep-readings.ts'
export type { SleepRecord, SleepRecordStage, SleepSession } from './sleep/sleep-record.ts'
export { orderStages, summarizeStages } from './sleep/sleep-stages.ts'
export { eraseSummaries, listSummaryIds } from './storing/stored-summaries.repository.ts'
export { dateOfSummary } from './storing/stored-summary.ts'
export { SUMMARY_KIND } from './storing/summary-store.ts'
export { SUMMARY_EVENTS, SUMMARY_HISTORY_EVENTS, summaryHistory } from './summaries.events.ts'
export type { NewSummary, WorkoutStream } from './summary.ts'
export { newSummary } from './summary.ts'
export { summaryId } from './summary-id.ts'
export {
  SUMMARY_RESOURCES,
  SUMMARY_TABLES,
  type SummaryColumnType,
  type SummaryResource,
  type SummaryValues,
} from './summary-tables.registry.ts'
export { ItemReader, isFields, readExactKey } from './uploads/item-reader.ts'
export { registerSummaryUploadRoutes } from './uploads/summary-uploads.routes.ts'
export { maximumRateAt } from './workout/heart-rate-zones.ts'
export { toSport } from './workout/sport.registry.ts'
export { measureHeartRates } from './workout/workout-readings.ts'
