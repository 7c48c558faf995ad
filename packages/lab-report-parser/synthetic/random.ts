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

/** A 32 bit generator: a Weyl sequence whose numbers are mixed. */
export function createRandom(seed: number): Random {
  let state = (seed ^ 0x5bd1e995) >>> 0
  const next = (): number => {
    state = (state + 0x9e3779b9) >>> 0
    let mixed = Math.imul(state ^ (state >>> 16), 0x85ebca6b)
    mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35)
    return ((mixed ^ (mixed >>> 16)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number): number => low + (high - low) * next()
  const whole = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    between,
    whole,
    // The sum of twelve is close enough to normal, and quicker than logarithms.
    normal: () =>
      next() +
      next() +
      next() +
      next() +
      next() +
      next() +
      next() +
      next() +
      next() +
      next() +
      next() +
      next() -
      6,
    pick: (items) => items[whole(0, items.length - 1)] as (typeof items)[number],
    chance: (probability) => next() < probability,
  }
}
