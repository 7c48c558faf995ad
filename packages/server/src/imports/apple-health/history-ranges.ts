import type { Sample } from '../../ingest/index.ts'

/** From when to when an import brought samples, by series. */
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

  #rangeOf(series: string): { from: number; to: number } {
    let range = this.#ranges.get(series)
    if (range === undefined) {
      range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
      this.#ranges.set(series, range)
    }
    return range
  }

  /** Instants, by the name of the series. */
  ranges(): [series: string, range: { from: Date; to: Date }][] {
    return [...this.#ranges].map(([series, { from, to }]) => [
      series,
      { from: new Date(from), to: new Date(to) },
    ])
  }
}
