import { hash as hashOnce } from 'node:crypto'
import { uniformFloat64 } from 'pure-rand/distribution/uniformFloat64'
import { xoroshiro128plusFromState } from 'pure-rand/generator/xoroshiro128plus'

/** Numbers that look random and are the same for the same seed. */
export interface SeededRandom {
  /** From 0 up to, not including, 1. */
  next(): number
  between(low: number, high: number): number
  pick<T>(list: readonly [T, ...T[]] | readonly T[]): T
  /** With mean 0 and standard deviation 1. */
  normal(): number
}

const hashOf = (seed: string): Buffer => hashOnce('sha256', seed, 'buffer')

/** For values of a report, not for anything that must be hard to guess. */
export function createRandom(seed: string): SeededRandom {
  // The whole state comes from the hash, so that the first numbers of different seeds differ too.
  const hash = hashOf(seed)
  const state = [0, 4, 8, 12].map((offset) => hash.readInt32LE(offset))
  const generator = xoroshiro128plusFromState(state)
  const next = () => uniformFloat64(generator)
  return {
    next,
    between: (low, high) => low + next() * (high - low),
    pick: (list) => list[Math.floor(next() * list.length)] as (typeof list)[number],
    normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
  }
}

/** Returns digits from a seed, evenly spread, so that numbers of different seeds rarely collide. */
export function digitsFrom(seed: string, count: number): string {
  const number = BigInt(`0x${hashOf(seed).toString('hex')}`)
  return (number % 10n ** BigInt(count)).toString().padStart(count, '0')
}
