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
// The types of data are named by the schemas of the server; their list changes with these.
export type * from './events.generated.ts'
export { EVENT_TYPES } from './events.generated.ts'
export {
  type AggregateFunction,
  count,
  type DatePart,
  groupKey,
  max,
  mean,
  median,
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
  toRows,
} from './query/query.ts'
export {
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  type WebhookToSign,
} from './webhook.ts'
export {
  WebhookVerificationError,
  type WebhookVerificationErrorCode,
} from './webhook-verification-error.ts'
