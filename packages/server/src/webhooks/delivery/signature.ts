import { createHmac, createSecretKey, type KeyObject } from 'node:crypto'

/**
 * Creates a signing key from the bytes of a secret, `whsec_` and base64. It is created once for
 * many messages, because creating it costs as much as signing.
 */
export function keyOf(secret: string): KeyObject {
  return createSecretKey(secret.slice(SECRET_PREFIX.length), 'base64')
}

export const SECRET_PREFIX = 'whsec_'

/**
 * Both sets of header names that receivers know
 * (docs/contract/08-webhooks-and-events.md#signature).
 */
const HEADER_PREFIXES = ['webhook', 'svix'] as const

/**
 * Returns the headers of Standard Webhooks under both sets of names. There is one signature for
 * each key, the newest first, so that a receiver may change to a new secret at any time of a
 * rotation.
 * @param at Time of this attempt.
 */
export function signatureHeaders(
  id: string,
  at: Date,
  body: Buffer,
  keys: readonly KeyObject[],
): Record<string, string> {
  const timestamp = String(Math.floor(at.getTime() / 1000))
  const signatures = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body)
    return `v1,${hmac.digest('base64')}`
  })
  const signature = signatures.join(' ')
  const headers: Record<string, string> = {}
  for (const prefix of HEADER_PREFIXES) {
    headers[`${prefix}-id`] = id
    headers[`${prefix}-timestamp`] = timestamp
    headers[`${prefix}-signature`] = signature
  }
  return headers
}
