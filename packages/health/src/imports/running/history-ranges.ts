import { findSeries, type Series } from '@salus/contracts/series'
import type { HistoryChunk, HistorySubject, Sample } from '../../ingest/index.ts'
import { summaryHistory } from '../../summaries/index.ts'

/** Collects the time range of what an import brought, by series or resource. */
export class HistoryRanges {
  readonly #ranges = new Map<string, { from: number; to: number }>()

  add(samples: readonly Sample[]): void {
    let current: { series: string; range: { from: number; to: number } } | undefined
    for (const { series, startedAt, endedAt } of samples) {
      // Consecutive samples mostly share a series.
      if (current?.series !== series) current = { series, range: this.#rangeOf(series) }
      const { range } = current
      if (startedAt < range.from) range.from = startedAt
      if (endedAt > range.to) range.to = endedAt
    }
  }

  /** Adds the range of items of one resource. */
  addRange(resource: string, items: readonly Pick<Sample, 'startedAt' | 'endedAt'>[]): void {
    for (const { startedAt, endedAt } of items) {
      const range = this.#rangeOf(resource)
      range.from = Math.min(range.from, startedAt)
      range.to = Math.max(range.to, endedAt)
    }
  }

  /** Adds a resource without a time. */
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

  /**
   * Returns a final history chunk for each resource; without a range for a resource without times.
   */
  chunks(): HistoryChunk[] {
    return [...this.#ranges].map(([name, { from, to }]) => {
      const isTimed = from <= to
      return {
        subject: subjectOf(name),
        from: isTimed ? new Date(from) : null,
        to: isTimed ? new Date(to) : null,
        isFinal: true,
        upload: null,
      }
    })
  }

  /** Returns the names of all resources in events. */
  resources(): string[] {
    return [...this.#ranges.keys()].map((name) => subjectOf(name).resource)
  }
}

/** Finds a series, or a resource of summaries. */
function subjectOf(name: string): Series | HistorySubject {
  return findSeries(name) ?? summaryHistory(name as Parameters<typeof summaryHistory>[0])
}
