import { createHash } from 'node:crypto'

/** Numbers that look random and are the same for the same seed. */
export interface SeededRandom {
  /** From 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T
  /** Of mean 0 and standard deviation 1. */
  normal(): number
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193)
  }
  return hash >>> 0
}

/** For values of a report, not for anything that must be hard to guess. Mulberry32. */
export function createRandom(seed: string): SeededRandom {
  let state = hashText(seed)
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

/** Digits from a seed, evenly spread, so that numbers of different seeds seldom meet. */
export function digitsFrom(seed: string, count: number): string {
  const number = BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
  return (number % 10n ** BigInt(count)).toString().padStart(count, '0')
}
