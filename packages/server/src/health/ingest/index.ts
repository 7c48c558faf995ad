export { type LeftBehindContext, sweepLeftBehind } from './announce/announce-left-behind.ts'
export { DeviceCollector } from './device-parser.ts'
export type { HistoricalPullRow } from './historical-pulls.repository.ts'
export {
  type HistoryChunk,
  type HistoryContext,
  type HistorySubject,
  noteHistory,
  rangeOf,
} from './history.service.ts'
export { HistoricalPullCompleted, type HistoryEventType, INGEST_EVENTS } from './ingest.events.ts'
export { ingestJobs } from './ingest.jobs.ts'
export { registerIngestRoutes } from './ingest.routes.ts'
export { ByUserId, leniently, QuantitySample, UploadResult, uploadOf } from './ingest.schema.ts'
export { keptJson } from './kept-json.ts'
export type { PutAsideItem } from './put-aside.repository.ts'
export type { Announcement, Sample, SampleOwner, WriteCounts } from './sample.ts'
export { isStorableInstant, sumCounts, versionWrittenAt } from './sample.ts'
export {
  isInRange,
  PUT_ASIDE_REASONS,
  type PutAsideReason,
  parseItem,
  sourceTypeOf,
  zoneOf,
} from './sample-parser.ts'
export { cleanIdentifier, escapeTsv, timestampText } from './sample-rows.ts'
export { createSampleWriter, type SampleWriter } from './sample-writer.ts'
export { eraseSamples, type SampleStream } from './samples.repository.ts'
export { SharedInstants } from './shared-instants.ts'
export {
  type IngestContext,
  isDateWithinBounds,
  isWithinBounds,
  type OpenUpload,
  type OtherRecords,
  openUpload,
  type ParsedUpload,
  storeUpload,
} from './upload.service.ts'
