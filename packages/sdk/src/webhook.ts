import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SalusEvent } from './event.ts'
import { WebhookVerificationError } from './webhook-verification-error.ts'

// The standardwebhooks library accepts neither svix-* names, nor another tolerance or clock, and
// decodes bytes before it checks them. The rest of it is one HMAC; tests compare with it.

/** Headers of a request: those of node, of fetch, or a plain object in any letter case. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined }

export interface VerifyWebhookOptions {
  /** Maximum difference of the timestamp from now, in either direction; 300 by default. */
  toleranceSeconds?: number
  /** Clock, for tests. */
  now?: () => Date
}

/**
 * Verifies that Salus sent a webhook, and returns its event.
 * @param payload The raw body, exactly as it was received; parsed and serialized again it differs.
 * @param secret The secret of the endpoint (`whsec_…`), or several while they are being replaced.
 * @throws WebhookVerificationError when the webhook must not be trusted; `code` is the reason.
 */
export function verifyWebhook(
  payload: string | Uint8Array,
  headers: WebhookHeaders,
  secret: string | readonly string[],
  options: VerifyWebhookOptions = {},
): SalusEvent {
  const { toleranceSeconds = 300, now = () => new Date() } = options
  const keys = [secret].flat().map(decodeSecret)
  if (keys.length === 0) throw new WebhookVerificationError('invalid_secret')
  if (!isRawBody(payload)) throw new WebhookVerificationError('invalid_payload')
  const { id, timestamp, signatures } = readHeaders(headers)
  checkTimestamp(timestamp, now(), toleranceSeconds)
  const isSigned = keys.some((key) => {
    const expected = sign(key, id, timestamp, payload)
    return signatures.some((signature) => isSameText(signature, expected))
  })
  if (!isSigned) throw new WebhookVerificationError('no_matching_signature')
  return parseEvent(payload)
}

export interface WebhookToSign {
  /** Id of the message, the same in every attempt to deliver it. */
  id: string
  /** Time of sending; signed in whole seconds. */
  timestamp: Date
  payload: string | Uint8Array
  secret: string
}

/**
 * Creates the value of the `webhook-signature` header, as the server does.
 * @throws WebhookVerificationError `invalid_secret` or `invalid_timestamp`.
 */
export function signWebhook({ id, timestamp, payload, secret }: WebhookToSign): string {
  const seconds = Math.floor(timestamp.getTime() / 1000)
  if (Number.isNaN(seconds)) throw new WebhookVerificationError('invalid_timestamp')
  return sign(decodeSecret(secret), id, String(seconds), payload)
}

function sign(key: Buffer, id: string, timestamp: string, payload: string | Uint8Array): string {
  const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(payload)
  return `v1,${hmac.digest('base64')}`
}

/** Compares in constant time. */
function isSameText(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}

function decodeSecret(secret: string): Buffer {
  // Callers without types pass an environment variable that is not set.
  const base64 = typeof secret === 'string' ? secret.replace(/^whsec_/, '') : ''
  // Buffer.from would skip characters that are not base64, and derive a weaker key.
  const isBase64 = /^(?:[A-Za-z0-9+/]{4})*(?:[A-Za-z0-9+/]{2,3}={0,2})?$/.test(base64)
  if (base64 === '' || !isBase64) throw new WebhookVerificationError('invalid_secret')
  return Buffer.from(base64, 'base64')
}

function readHeaders(headers: WebhookHeaders) {
  const read = headerReader(headers)
  for (const prefix of ['webhook', 'svix']) {
    const id = read(`${prefix}-id`)
    const timestamp = read(`${prefix}-timestamp`)
    const signature = read(`${prefix}-signature`)
    if (id && timestamp && signature) return { id, timestamp, signatures: signature.split(' ') }
  }
  throw new WebhookVerificationError('missing_headers')
}

function headerReader(headers: WebhookHeaders): (name: string) => string | undefined {
  if (typeof headers.get === 'function') {
    const { get } = headers
    return (name) => get.call(headers, name) ?? undefined
  }
  const values = new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      Array.isArray(value) ? value.join(' ') : value,
    ]),
  )
  return (name) => values.get(name)
}

function checkTimestamp(timestamp: string, now: Date, toleranceSeconds: number): void {
  if (!/^\d{1,15}$/.test(timestamp)) throw new WebhookVerificationError('invalid_timestamp')
  const age = Math.floor(now.getTime() / 1000) - Number(timestamp)
  // Negated, so that a clock or tolerance that is NaN refuses everything.
  if (!(age <= toleranceSeconds)) throw new WebhookVerificationError('timestamp_too_old')
  if (!(-age <= toleranceSeconds)) throw new WebhookVerificationError('timestamp_too_new')
}

/** Callers without types pass the parsed body, which is the usual mistake. */
function isRawBody(payload: unknown): boolean {
  return typeof payload === 'string' || ArrayBuffer.isView(payload)
}

function parseEvent(payload: string | Uint8Array): SalusEvent {
  let event: unknown
  try {
    const isText = typeof payload === 'string'
    event = JSON.parse(isText ? payload : new TextDecoder('utf-8', { fatal: true }).decode(payload))
  } catch {
    // The error of the parser is left out, because it quotes the payload.
    throw new WebhookVerificationError('invalid_payload')
  }
  if (!isEnvelope(event)) throw new WebhookVerificationError('invalid_payload')
  return event
}

function isEnvelope(value: unknown): value is SalusEvent {
  if (typeof value !== 'object' || value === null) return false
  const { event_type: type, team_id: teamId, data } = value as Record<string, unknown>
  return typeof type === 'string' && typeof teamId === 'string' && data !== undefined
}
