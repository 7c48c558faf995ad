import { createHmac, randomBytes } from 'node:crypto'
import { hashKey } from '@salus/kernel/crypto/keys'

const PREFIX = 'rt_'
const FAMILY_BYTES = 16
const SECRET_BYTES = 32
const SALT_BYTES = 16

/**
 * A refresh token: a secret that all tokens of a session share, and one of its own. The holder of
 * an earlier token proves it by the first, which cannot be guessed. Only hashes are stored.
 */
export interface RefreshToken {
  family: Buffer
  secret: Buffer
}

/** Makes a token of a new family, with secure random numbers. */
export function makeRefreshToken(): RefreshToken {
  return { family: randomBytes(FAMILY_BYTES), secret: randomBytes(SECRET_BYTES) }
}

export const makeSalt = (): Buffer => randomBytes(SALT_BYTES)

/**
 * Makes the next token. It derives from the previous one and the salt, so that the same response
 * can be sent again without storing it.
 */
export function deriveNextRefreshToken(
  { family, secret }: RefreshToken,
  salt: Buffer,
): RefreshToken {
  return { family, secret: createHmac('sha256', secret).update(salt).digest() }
}

/** Formats the token for apps: a prefix that identifies it, and base64url. */
export function formatRefreshToken({ family, secret }: RefreshToken): string {
  return `${PREFIX}${Buffer.concat([family, secret]).toString('base64url')}`
}

/** Returns undefined for a text that cannot be a refresh token. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  if (!/^rt_[\w-]{64}$/.test(text)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  return { family: bytes.subarray(0, FAMILY_BYTES), secret: bytes.subarray(FAMILY_BYTES) }
}

/** Returns the stored hashes of both parts. */
export function hashesOf({ family, secret }: RefreshToken): { family: Buffer; token: Buffer } {
  const [familyHash, tokenHash] = [family, secret].map((part) =>
    hashKey(part.toString('base64url')),
  )
  return { family: familyHash as Buffer, token: tokenHash as Buffer }
}
