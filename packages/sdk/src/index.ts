// Names that events and queries define, too, are those below.
export type * from './api/types.generated.ts'
export {
  ApiError,
  AuthenticationError,
  BadRequestError,
  ConflictError,
  ConnectionError,
  type InputProblem,
  InvalidInputError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  SalusError,
  ServerError,
  TimeoutError,
  TooLargeError,
} from './client/errors.ts'
export type { Paged } from './client/paged.ts'
export type {
  AdminContext,
  AdminOptions,
  Environment,
  Region,
  RequestOptions,
  SalusOptions,
} from './client/request-options.ts'
export {
  type EventEnvelope,
  type EventTypeName,
  type EventTypePrefix,
  isEvent,
  isEventUnder,
  type KnownEvent,
  type SalusEvent,
  type UnknownEvent,
  type UnknownEventType,
} from './event.ts'
export type { FeedEvent } from './events/event-feed.ts'
export { EVENT_TYPES, type EventDataByType } from './events.generated.ts'
export type {
  LinkPopup,
  LinkPopupError,
  LinkPopupMessage,
  LinkPopupOptions,
  LinkPopupSuccess,
  SalusLink,
} from './link/link-popup.ts'
export {
  type AggregateFunction,
  count,
  type DatePart,
  groupKey,
  max,
  mean,
  median,
  merged,
  min,
  newest,
  oldest,
  type Period,
  type PeriodUnit,
  series,
  stddev,
  sum,
  summaries,
  type ValueMacro,
} from './query/expression.ts'
export { and, type Comparison, compare, type Filter, not, or } from './query/filter.ts'
export {
  type Align,
  past,
  type QueryAnswer,
  type QueryJson,
  type QueryRequest,
  type QueryTable,
  type QueryValue,
  query,
  type SourceRule,
  toRows,
} from './query/query.ts'
export { Salus } from './salus.ts'
export type { ChunkedUpload } from './timeseries.ts'
export type { BulkSample } from './upload/bulk-lines.ts'
export {
  type ChunkOptions,
  type ChunksResult,
  UploadInterruptedError,
  uploadInChunks,
} from './upload/upload-in-chunks.ts'
