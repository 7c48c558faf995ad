export { registerChartRoutes } from './chart/chart.routes.ts'
export type { Chart } from './chart/chart.schema.ts'
export { listCharts, readChart } from './chart/chart.service.ts'
export { listExtents } from './chart/chart-buckets.repository.ts'
export { SLOT_MS, type SlotName } from './merged/local-slots.ts'
export { mergeDays } from './merged/merge-days.ts'
export { type MergedSlot, mergeSeries } from './merged/merge-series.ts'
export { registerMergedTimeseriesRoutes } from './merged/merged.routes.ts'
export { type MergedItem, MergedSource } from './merged/merged.schema.ts'
export { mergeRankedDay, toMergedSource } from './merged/merged.service.ts'
export {
  type MergedPart,
  readMergedParts,
} from './merged/merged-parts.ts'
export { dayNumber } from './merged/merged-period.ts'
export { countSampleDays } from './sample-days.repository.ts'
export { registerTimeseriesRoutes } from './timeseries.routes.ts'
export { readSessionSamples } from './timeseries.service.ts'
