import { createHash, randomInt } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Returns 43 letters and digits: the 256 bits of 32 random bytes in base 62
 * (docs/contract/01-conventions.md#credentials).
 */
export function randomSecret(): string {
  return Array.from({ length: 43 }, () => BASE62[randomInt(BASE62.length)]).join('')
}

/**
 * Returns the SHA-256 of a key, as it is stored. A slow password hash would add nothing, since keys
 * are random and long, and this runs on every request.
 */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** Returns what lists show of a key: its prefix and its last four characters, `sk_us_****abcd`. */
export function maskKey(key: string): string {
  const prefix = /^(?:(?:sk|pk)_(?:us|eu)_|mg_)/.exec(key)?.[0] ?? ''
  return `${prefix}****${key.slice(-4)}`
}
