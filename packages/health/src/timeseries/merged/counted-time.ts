import { elementAt, type SourceSamples } from './source-samples.ts'

/**
 * Amounts that count over time, spread evenly over intervals. All ends are starts and ends of the
 * samples, so time is the row of elementary intervals between those; a segment tree over them adds
 * and queries in log n. Only sums of positive numbers: nothing cancels out.
 */
export class CountedTime {
  /** Every distinct start and end of a sample, in order. */
  readonly #edges: Float64Array
  /** Elementary intervals rounded up to a power of two: the leaves of the tree. */
  readonly #width: number
  /** By node: the amount within it, and the amount spread over all of it, per millisecond. */
  readonly #amount: Float64Array
  readonly #density: Float64Array

  constructor(sources: readonly SourceSamples[]) {
    const all = new Float64Array(
      sources.reduce((sum, { startedAt }) => sum + 2 * startedAt.length, 0),
    )
    let filled = 0
    for (const { startedAt, endedAt } of sources) {
      all.set(startedAt, filled)
      all.set(endedAt, filled + startedAt.length)
      filled += 2 * startedAt.length
    }
    all.sort()
    let distinct = 0
    for (const edge of all) {
      if (distinct === 0 || edge !== all[distinct - 1]) all[distinct++] = edge
    }
    this.#edges = all.subarray(0, distinct)
    this.#width = 2 ** Math.ceil(Math.log2(Math.max(1, distinct)))
    this.#amount = new Float64Array(2 * this.#width)
    this.#density = new Float64Array(2 * this.#width)
  }

  /** Adds an amount spread over [from, to), or at an instant where both are equal. */
  add(from: number, to: number, amount: number): void {
    const first = this.#indexOf(from)
    if (from < to) {
      this.#spread(1, 0, this.#width, first, this.#indexOf(to), amount / (to - from))
      return
    }
    for (let node = first + this.#width; node >= 1; node >>= 1) {
      this.#amount[node] = elementAt(this.#amount, node) + amount
    }
  }

  /** Returns the amount that counts within [from, to). */
  amountWithin(from: number, to: number): number {
    return this.#sum(1, 0, this.#width, this.#indexOf(from), this.#indexOf(to))
  }

  /** Returns the milliseconds of the elementary intervals from one index to another. */
  #length(first: number, end: number): number {
    const last = this.#edges.length - 1
    return (
      elementAt(this.#edges, Math.min(end, last)) - elementAt(this.#edges, Math.min(first, last))
    )
  }

  #spread(node: number, start: number, end: number, first: number, last: number, by: number): void {
    const [from, to] = [Math.max(start, first), Math.min(end, last)]
    if (from >= to) return
    this.#amount[node] = elementAt(this.#amount, node) + by * this.#length(from, to)
    if (from === start && to === end) {
      this.#density[node] = elementAt(this.#density, node) + by
      return
    }
    const middle = (start + end) >>> 1
    this.#spread(2 * node, start, middle, first, last, by)
    this.#spread(2 * node + 1, middle, end, first, last, by)
  }

  #sum(node: number, start: number, end: number, first: number, last: number): number {
    const [from, to] = [Math.max(start, first), Math.min(end, last)]
    if (from >= to || this.#amount[node] === 0) return 0
    if (from === start && to === end) return elementAt(this.#amount, node)
    const middle = (start + end) >>> 1
    return (
      elementAt(this.#density, node) * this.#length(from, to) +
      this.#sum(2 * node, start, middle, first, last) +
      this.#sum(2 * node + 1, middle, end, first, last)
    )
  }

  #indexOf(edge: number): number {
    let low = 0
    let high = this.#edges.length - 1
    while (low < high) {
      const middle = (low + high) >>> 1
      if (elementAt(this.#edges, middle) < edge) low = middle + 1
      else high = middle
    }
    return low
  }
}
