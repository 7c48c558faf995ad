import { hash as hashOnce } from 'node:crypto'

/**
 * Numbers that look random and are a function of a seed and a position: the same position has the
 * same number, in whatever order they are read. They take some nanoseconds each, since a day has
 * 1,440 minutes.
 */

/** Mixes 32 bits (the finalizer of MurmurHash3). */
function mix(value: number): number {
  let bits = value
  bits = Math.imul(bits ^ (bits >>> 16), 0x85ebca6b)
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35)
  return (bits ^ (bits >>> 16)) >>> 0
}

/** Returns a seed from a text. */
export function seedOf(text: string): number {
  return hashOnce('sha256', text, 'buffer').readUInt32LE(0)
}

/** Returns a separate seed for one use of a seed. */
export const deriveSeed = (seed: number, use: number): number =>
  mix(seed ^ Math.imul(use, 0x9e3779b1))

/** Returns a whole number of 32 bits. */
export const bitsAt = (seed: number, position: number): number =>
  mix(seed ^ mix(Math.imul(position, 0x27d4eb2f) + 0x165667b1))

/** Returns a number from 0 up to, not including, 1. */
export const unitAt = (seed: number, position: number): number => bitsAt(seed, position) / 2 ** 32

/** Evenly spread from `low` up to, not including, `high`. */
export const betweenAt = (seed: number, position: number, low: number, high: number): number =>
  low + unitAt(seed, position) * (high - low)

/** True for a share of `chance`, from 0 to 1, of all positions. */
export const isAt = (seed: number, position: number, chance: number): boolean =>
  unitAt(seed, position) < chance

/** Returns one of a list that is not empty, all equally likely. */
export const pickAt = <T>(seed: number, position: number, list: readonly T[]): T =>
  list[Math.floor(unitAt(seed, position) * list.length)] as T

/** About normal, with mean 0 and standard deviation 1, and never beyond 3.5. */
export function normalAt(seed: number, position: number): number {
  const bits = bitsAt(seed, position)
  const more = mix(bits ^ 0x5bd1e995)
  const sum = (bits & 0xffff) + (bits >>> 16) + (more & 0xffff) + (more >>> 16)
  return (sum / 65_535 - 2) * Math.sqrt(3)
}

/** From -1 to 1, without jumps; it changes about once in a unit of `x`. */
export function smoothAt(seed: number, x: number): number {
  const left = Math.floor(x)
  const part = x - left
  const weight = part * part * (3 - 2 * part)
  const [from, to] = [unitAt(seed, left), unitAt(seed, left + 1)]
  return 2 * (from + (to - from) * weight) - 1
}

/** Returns an id in the form of a UUID. */
export function uuidAt(seed: number, position: number): string {
  let hex = ''
  for (let part = 0; part < 4; part++) {
    hex += bitsAt(deriveSeed(seed, 0x1d + part), position)
      .toString(16)
      .padStart(8, '0')
  }
  const variant = '89ab'[Number.parseInt(hex[16] ?? '0', 16) & 3]
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-4${hex.slice(13, 16)}-${variant}${hex.slice(17, 20)}-${hex.slice(20)}`
}
