/** Numbers that look random and are the same for the same seed. */
export interface Random {
  /** From 0, below 1. */
  next(): number
  between(low: number, high: number): number
  /** Whole, from low to high, both possible. */
  whole(low: number, high: number): number
  /** About 0, with a standard deviation of 1. */
  normal(): number
  pick<T>(items: readonly T[]): T
  chance(probability: number): boolean
}

const STEP = 0x9e3779b9 | 0
const RANGE = 2 ** 32

/** @returns a whole number from 0, below 2^32 */
function mix(state: number): number {
  let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
  return (mixed ^ (mixed >>> 16)) >>> 0
}

/** A 32 bit generator: a Weyl sequence whose numbers are mixed. */
export function createRandom(seed: number): Random {
  // With a sign, which the engine keeps without an object for each number.
  let state = seed ^ 0x5bd1e995
  const next = (): number => {
    state = (state + STEP) | 0
    return mix(state) / RANGE
  }
  const between = (low: number, high: number): number => low + (high - low) * next()
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    whole,
    // The sum of twelve is close enough to normal, and quicker than logarithms.
    // All of them at once: pictures take one for every pixel.
    normal: () => {
      let at = state
      let sum = 0
      for (let count = 0; count < 12; count++) {
        at = (at + STEP) | 0
        sum += mix(at)
      }
      state = at
      return sum / RANGE - 6
    },
    pick: (items) => items[whole(0, items.length - 1)] as (typeof items)[number],
    chance: (probability) => next() < probability,
  }
}
