import BTreeModule from 'sorted-btree'
import { elementAt, type SourceSamples } from './source-samples.ts'

// The package is CommonJS: under Node.js its default export is a property of the module.
const BTree = BTreeModule.default

/** An interval, both ends included, and the number of the source that covers it; 0 is the best. */
export interface CoveredInterval {
  from: number
  to: number
  source: number
}

/**
 * Returns when a source was worn, in order of time: during its samples, and between samples at most
 * `gapMs` apart. A sample of zero is treated like a missing one: some sources write zeros for every
 * quiet minute, worn or not, where others write nothing.
 */
export function coverageOf(
  samples: SourceSamples,
  source: number,
  gapMs: number,
): CoveredInterval[] {
  const stretches: CoveredInterval[] = []
  const { startedAt, endedAt, value } = samples
  let last: CoveredInterval | undefined
  for (let index = 0; index < startedAt.length; index++) {
    if (elementAt(value, index) === 0) continue
    const from = elementAt(startedAt, index)
    const to = elementAt(endedAt, index)
    if (last !== undefined && from - last.to <= gapMs) {
      if (to > last.to) last.to = to
      continue
    }
    last = { from, to, source }
    stretches.push(last)
  }
  return stretches
}

/**
 * The time that the sources added so far cover, as disjoint intervals. Sources are added from the
 * best on.
 */
export class CoveredTime {
  readonly #keepsSources: boolean
  /** Intervals by their start. */
  readonly #stretches = new BTree<number, CoveredInterval>()

  /**
   * @param keepsSources Whether each interval has one source, the best one there. Otherwise
   *   touching intervals become one, under the name of either: n of them are added in n log n,
   *   however they overlap.
   */
  constructor({ keepsSources }: { keepsSources: boolean }) {
    this.#keepsSources = keepsSources
  }

  /** Yields intervals with an instant of [from, to], in order. */
  *intervalsTouching(from: number, to: number): Generator<CoveredInterval> {
    const before = this.#stretches.nextLowerPair(from)?.[1]
    if (before !== undefined && before.to >= from) yield before
    for (const [start, stretch] of this.#stretches.entries(from)) {
      if (start > to) return
      yield stretch
    }
  }

  /** Covers the uncovered part of an interval. */
  add(stretch: CoveredInterval): void {
    const known = [...this.intervalsTouching(stretch.from, stretch.to)]
    if (known.length === 0) this.#stretches.set(stretch.from, stretch)
    else if (this.#keepsSources) this.#fillGaps(stretch, known)
    else this.#join(stretch, known)
  }

  #fillGaps({ from, to, source }: CoveredInterval, known: readonly CoveredInterval[]): void {
    let position = from
    for (const stretch of known) {
      if (stretch.from > position) {
        this.#stretches.set(position, { from: position, to: stretch.from, source })
      }
      position = Math.max(position, stretch.to)
    }
    if (position < to) this.#stretches.set(position, { from: position, to, source })
  }

  #join(stretch: CoveredInterval, known: readonly CoveredInterval[]): void {
    const [first] = known as [CoveredInterval]
    const from = Math.min(stretch.from, first.from)
    const to = known.reduce((latest, other) => Math.max(latest, other.to), stretch.to)
    for (const other of known) this.#stretches.delete(other.from)
    this.#stretches.set(from, { from, to, source: first.source })
  }
}
