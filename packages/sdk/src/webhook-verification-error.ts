const MESSAGES = {
  missing_headers:
    'The id, timestamp or signature header of the webhook (webhook-… or svix-…) is missing.',
  invalid_timestamp: 'The timestamp of the webhook is not a number of seconds since 1970.',
  timestamp_too_old: 'The timestamp of the webhook is older than the tolerance.',
  timestamp_too_new: 'The timestamp of the webhook is further in the future than the tolerance.',
  no_matching_signature: 'No signature of the webhook matches this body and secret.',
  invalid_secret: 'The webhook secret is not "whsec_" followed by base64.',
  invalid_payload:
    'The webhook payload is not an event as JSON, or not the raw body as a string or bytes.',
} as const

/** Reason for which a webhook was refused. */
export type WebhookVerificationErrorCode = keyof typeof MESSAGES

/** A webhook was refused. The message contains neither payload nor secret, so it can be logged. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationErrorCode

  constructor(code: WebhookVerificationErrorCode) {
    super(MESSAGES[code])
    this.code = code
  }
}
