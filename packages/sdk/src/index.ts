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
