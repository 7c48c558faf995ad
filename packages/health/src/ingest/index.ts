export type {
  ArrivedData,
  ArrivedSummaries,
  Stored,
  StoredSamples,
  StoredSummaries,
} from './arrival.ts'
export {
  type IngestionBounds,
  isStorableInstant,
  isWithinBounds,
  selectWithinBounds,
} from './bounds.ts'
export { DeviceCollector } from './device-parser.ts'
export {
  type HistoryState,
  scheduleHistory,
  updateHistory,
} from './historical-pulls.global.repository.ts'
export type { HistoricalPullRow } from './historical-pulls.repository.ts'
export {
  type HistoryChunk,
  type HistorySubject,
  historyEvent,
  rangeOf,
  recordHistory,
  startHistory,
} from './history.service.ts'
export {
  HistoricalPullCompleted,
  type HistoryEventType,
  INGEST_EVENTS,
  SERIES_HISTORY_EVENTS,
} from './ingest.events.ts'
export { ingestJobs } from './ingest.jobs.ts'
export { registerIngestRoutes, type UploadRoutesOptions } from './ingest.routes.ts'
export {
  ByUserId,
  lenientList,
  QuantitySample,
  STAGES,
  UploadResult,
  uploadSchema,
} from './ingest.schema.ts'
export {
  createIngest,
  type Ingest,
  type IngestOptions,
  type SummaryKind,
  type SummaryStore,
} from './ingest.service.ts'
export { keptJson, keptText } from './kept-json.ts'
export { PublicationEvents } from './publishing/publication-events.ts'
export {
  type NewPublication,
  type PendingPublication,
  registerPublicationMetric,
} from './publishing/publisher.ts'
export { SampleBytes, SampleWriter } from './publishing/sample-bytes.ts'
export { findDevices } from './publishing/sample-events.ts'
export type { QuarantinedItem } from './quarantine.repository.ts'
export { listQuarantinedItems } from './quarantine.service.ts'
export { ItemReader } from './reading/item-bytes.ts'
export { type Fields, ItemLayout, newReadItem } from './reading/item-layout.ts'
export type { Publication, Sample, SampleOwner, WriteCounts } from './sample.ts'
export { ArrivalVersions, sumCounts, versionWrittenAt } from './sample.ts'
export {
  type CommonFields,
  commonFieldsOf,
  isInRange,
  parseItem,
  QUARANTINE_REASONS,
  type QuarantineReason,
  sourceTypeOf,
  toSample,
  type UploadContext,
  zoneOf,
} from './sample-parser.ts'
export { cleanIdentifier, escapeTsv, timestampText } from './sample-rows.ts'
export type { StoreContext } from './sample-store.ts'
export { eraseSamples, findStartsOfSource, type SourceSeriesKey } from './samples.repository.ts'
export { SharedInstants } from './shared-instants.ts'
export { openUpload, storeUpload, type UploadPort } from './upload.service.ts'
export { isReadInOnePass, type ParsedUpload } from './upload-parser.ts'
