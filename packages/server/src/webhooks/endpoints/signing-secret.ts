import { randomBytes } from 'node:crypto'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { invalidInput } from '@salus/kernel/errors'
import { SECRET_PREFIX } from '../delivery/signature.ts'

const SECRET_BYTES = 24

const makeSecret = (): string => SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')

/** Returns the context of a sealed text, so that one of another endpoint cannot replace it. */
export const contextOf = (endpointId: string, what: 'secret' | 'headers'): string =>
  `webhook ${endpointId} ${what}`

/** Seals a signing secret for storage. */
export function sealSecret(secrets: SecretBox, endpointId: string, secret: string): Buffer {
  return secrets.seal(secret, contextOf(endpointId, 'secret'))
}

/** Returns a given secret in the usual form, or a new one. */
export function readSecret(given: string | null | undefined, field: string): string {
  if (given === undefined || given === null) return makeSecret()
  const text = given.startsWith(SECRET_PREFIX) ? given.slice(SECRET_PREFIX.length) : given
  const bytes = Buffer.from(text, 'base64')
  const isBase64 = bytes.toString('base64').replace(/=+$/, '') === text.replace(/=+$/, '')
  if (!isBase64 || bytes.length < SECRET_BYTES || bytes.length > 64) {
    const message = 'A secret is whsec_ and the base64 of 24 to 64 random bytes'
    throw invalidInput(['body', field], message, 'invalid_secret')
  }
  return SECRET_PREFIX + bytes.toString('base64')
}
