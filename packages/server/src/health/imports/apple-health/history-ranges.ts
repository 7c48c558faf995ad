import type { Sample } from '../../ingest/index.ts'

/** From when to when an import brought something, by series or resource. */
export class HistoryRanges {
  readonly #ranges = new Map<string, { from: number; to: number }>()

  add(samples: readonly Sample[]): void {
    let current: { series: string; range: { from: number; to: number } } | undefined
    for (const { series, startedAt, endedAt } of samples) {
      // Neighbors are mostly of one series.
      if (current?.series !== series) current = { series, range: this.#rangeOf(series) }
      const { range } = current
      if (startedAt < range.from) range.from = startedAt
      if (endedAt > range.to) range.to = endedAt
    }
  }

  /** Notes items of one resource. */
  addRange(resource: string, items: readonly Pick<Sample, 'startedAt' | 'endedAt'>[]): void {
    for (const { startedAt, endedAt } of items) {
      const range = this.#rangeOf(resource)
      range.from = Math.min(range.from, startedAt)
      range.to = Math.max(range.to, endedAt)
    }
  }

  /** Notes something that has no time of its own. */
  addTimeless(resource: string): void {
    this.#rangeOf(resource)
  }

  #rangeOf(name: string): { from: number; to: number } {
    let range = this.#ranges.get(name)
    if (range === undefined) {
      range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
      this.#ranges.set(name, range)
    }
    return range
  }

  /** Instants, by the name of the series or resource; null where there is no time. */
  ranges(): [name: string, range: { from: Date | null; to: Date | null }][] {
    return [...this.#ranges].map(([name, { from, to }]) => {
      const isTimed = from <= to
      return [name, { from: isTimed ? new Date(from) : null, to: isTimed ? new Date(to) : null }]
    })
  }
}
