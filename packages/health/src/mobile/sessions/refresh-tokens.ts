import { createHmac, randomBytes } from 'node:crypto'
import { hashKey } from '@salus/kernel/crypto/keys'

const PREFIX = 'rt_'
const FAMILY_BYTES = 16
const SECRET_BYTES = 32
const SALT_BYTES = 16

/**
 * A refresh token: a secret that all tokens of a session begin with, and one of its own. Whoever
 * shows a former one has the first, which nobody can guess. Only hashes are stored.
 */
export interface RefreshToken {
  family: Buffer
  secret: Buffer
}

/** A token of a new family, from the generator of secrets. */
export function makeRefreshToken(): RefreshToken {
  return { family: randomBytes(FAMILY_BYTES), secret: randomBytes(SECRET_BYTES) }
}

export const makeSalt = (): Buffer => randomBytes(SALT_BYTES)

/**
 * The token that follows. It is told by the one before and the salt, so that the same answer can be
 * given again while it is stored nowhere.
 */
export function followRefreshToken({ family, secret }: RefreshToken, salt: Buffer): RefreshToken {
  return { family, secret: createHmac('sha256', secret).update(salt).digest() }
}

/** The token as apps keep it: a prefix, by which it is known as one, and base64url. */
export function formatRefreshToken({ family, secret }: RefreshToken): string {
  return `${PREFIX}${Buffer.concat([family, secret]).toString('base64url')}`
}

/** undefined for what cannot be a refresh token. */
export function parseRefreshToken(text: string): RefreshToken | undefined {
  if (!/^rt_[\w-]{64}$/.test(text)) return undefined
  const bytes = Buffer.from(text.slice(PREFIX.length), 'base64url')
  return { family: bytes.subarray(0, FAMILY_BYTES), secret: bytes.subarray(FAMILY_BYTES) }
}

/** How both parts are stored. */
export function hashesOf({ family, secret }: RefreshToken): { family: Buffer; token: Buffer } {
  const [familyHash, tokenHash] = [family, secret].map((part) =>
    hashKey(part.toString('base64url')),
  )
  return { family: familyHash as Buffer, token: tokenHash as Buffer }
}
