import { createHash, randomInt } from 'node:crypto'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * 43 letters and digits: the 256 bits of 32 random bytes, written in base 62
 * (docs/contract/01-conventions.md#credentials).
 */
export function randomSecret(): string {
  return Array.from({ length: 43 }, () => BASE62[randomInt(BASE62.length)]).join('')
}

/**
 * How keys are stored: SHA-256. A slow password hash would add nothing, since the keys are random
 * and long, and this runs on every request.
 */
export function hashKey(key: string): Buffer {
  return createHash('sha256').update(key).digest()
}

/** What lists show of a key: its prefix and its last four characters, `sk_us_****abcd`. */
export function maskKey(key: string): string {
  const prefix = /^(?:(?:sk|pk)_(?:us|eu)_|mg_)/.exec(key)?.[0] ?? ''
  return `${prefix}****${key.slice(-4)}`
}
