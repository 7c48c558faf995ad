const MESSAGES = {
  missing_headers:
    'The webhook has no id, timestamp and signature headers (webhook-… or svix-…) that are complete.',
  invalid_timestamp: 'The timestamp of the webhook is no number of seconds since 1970.',
  timestamp_too_old: 'The webhook was sent longer ago than is tolerated.',
  timestamp_too_new: 'The webhook was sent further in the future than is tolerated.',
  no_matching_signature: 'No signature of the webhook was made from this body with this secret.',
  invalid_secret: 'The webhook secret is not "whsec_" followed by base64.',
  invalid_payload:
    'The webhook payload is no event as JSON, or not the raw body as a string or bytes.',
} as const

/** Why a webhook was refused. */
export type WebhookVerificationErrorCode = keyof typeof MESSAGES

/** A webhook was refused. Neither payload nor secret is in its message, so it can be logged. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError'
  readonly code: WebhookVerificationErrorCode

  constructor(code: WebhookVerificationErrorCode) {
    super(MESSAGES[code])
    this.code = code
  }
}
