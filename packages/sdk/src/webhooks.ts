// Needs node:crypto; a separate module, so that the client runs where that is missing.
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
