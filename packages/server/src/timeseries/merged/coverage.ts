import { at, type SourceSamples } from './source-samples.ts'

/**
 * Stretches of time, both ends included, in order and without overlaps, each with the number of the
 * source that covers it. Sources are numbered from the best, 0, on.
 */
export interface Coverage {
  from: number[]
  to: number[]
  source: number[]
}

export const NO_COVERAGE: Coverage = { from: [], to: [], source: [] }

/**
 * When a source was there: during its samples, and between samples at most `gapMs` apart. A sample of
 * zero says no more than no sample at all: some sources write zeros for every quiet minute, worn or
 * not, where others write nothing.
 */
export function coverageOf(samples: SourceSamples, source: number, gapMs: number): Coverage {
  const coverage: Coverage = { from: [], to: [], source: [] }
  const { startedAt, endedAt, value } = samples
  let last = -1
  for (let index = 0; index < startedAt.length; index++) {
    if (at(value, index) === 0) continue
    const start = at(startedAt, index)
    const end = at(endedAt, index)
    if (last >= 0 && start - at(coverage.to, last) <= gapMs) {
      if (end > at(coverage.to, last)) coverage.to[last] = end
      continue
    }
    last = coverage.from.push(start) - 1
    coverage.to.push(end)
    coverage.source.push(source)
  }
  return coverage
}

/** The time that either covers; where both do, the better one has it. */
export function joinCoverage(better: Coverage, other: Coverage): Coverage {
  if (better.from.length === 0) return other
  const joined: Coverage = { from: [], to: [], source: [] }
  const add = (from: number, to: number, source: number): void => {
    joined.from.push(from)
    joined.to.push(to)
    joined.source.push(source)
  }
  let next = 0
  const addBetterUpTo = (end: number): void => {
    while (next < better.from.length && at(better.from, next) <= end) {
      add(at(better.from, next), at(better.to, next), at(better.source, next))
      next++
    }
  }
  for (let index = 0; index < other.from.length; index++) {
    let from = at(other.from, index)
    const to = at(other.to, index)
    const source = at(other.source, index)
    addBetterUpTo(from)
    if (next > 0 && at(better.to, next - 1) >= from) from = at(better.to, next - 1)
    else if (from === to) add(from, to, source)
    while (from < to) {
      const until = next < better.from.length ? Math.min(to, at(better.from, next)) : to
      if (until > from) add(from, until, source)
      if (until === to) break
      addBetterUpTo(until)
      from = at(better.to, next - 1)
    }
  }
  addBetterUpTo(Number.POSITIVE_INFINITY)
  return joined
}

/** The first stretch that ends at an instant or later. */
export function firstEndingFrom(coverage: Coverage, instant: number): number {
  let low = 0
  let high = coverage.to.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (at(coverage.to, middle) < instant) low = middle + 1
    else high = middle
  }
  return low
}
