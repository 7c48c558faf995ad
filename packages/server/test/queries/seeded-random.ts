/** Random numbers that are the same for the same seed, for tests that make many small choices. */
export interface SeededRandom {
  /** A number from 0 to below 1. */
  next(): number
  /** A whole number from 0 to below `limit`. */
  below(limit: number): number
  /** True in about this part of all calls. */
  chance(part: number): boolean
  pick<T>(items: readonly T[]): T
}

/** The generator known as mulberry32. */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (limit: number): number => Math.floor(next() * limit)
  return {
    next,
    below,
    chance: (part) => next() < part,
    pick: (items) => items[below(items.length)] as (typeof items)[number],
  }
}
