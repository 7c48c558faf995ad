// Needs node:crypto; a module of its own, so that the client runs where that is missing.
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
