import type { Sample, SampleOwner, SourceSeriesKey } from '../../../ingest/index.ts'
import { type NewSummary, type SummaryResource, summaryId } from '../../../summaries/index.ts'
import type { TimeRange } from '../../imported-data.repository.ts'

const nameOf = ({ sourceType, appId, sampleType }: Omit<SourceSeriesKey, 'series'>): string =>
  JSON.stringify([sourceType, appId, sampleType])

/**
 * The keys of everything in an export, to find stored data that it lacks. It takes eight bytes a
 * record, the only memory of an import that grows with the file.
 */
export class ExportKeys {
  readonly #starts = new Map<string, Map<string, number[]>>()
  readonly #summaries = new Map<SummaryResource, { ids: Set<string>; range: TimeRange }>()

  addSample(sample: Sample): void {
    let bySource = this.#starts.get(sample.series)
    if (bySource === undefined) {
      bySource = new Map()
      this.#starts.set(sample.series, bySource)
    }
    const name = nameOf(sample)
    const starts = bySource.get(name)
    if (starts === undefined) bySource.set(name, [sample.startedAt])
    else starts.push(sample.startedAt)
  }

  addSummaries(owner: SampleOwner, summaries: readonly NewSummary[]): void {
    for (const summary of summaries) {
      const { resource, startedAt } = summary
      const known = this.#summaries.get(resource) ?? {
        ids: new Set<string>(),
        range: { from: startedAt, to: startedAt },
      }
      this.#summaries.set(resource, known)
      known.ids.add(summaryId(owner, summary))
      known.range.from = Math.min(known.range.from, startedAt)
      known.range.to = Math.max(known.range.to, startedAt)
    }
  }

  /** Returns the series, with the first and the last start of their samples. */
  *series(): Generator<[series: string, range: TimeRange]> {
    for (const [series, bySource] of this.#starts) {
      const range = { from: Number.POSITIVE_INFINITY, to: Number.NEGATIVE_INFINITY }
      for (const starts of bySource.values()) {
        for (const at of starts) {
          if (at < range.from) range.from = at
          if (at > range.to) range.to = at
        }
      }
      yield [series, range]
    }
  }

  /** Returns the distinct starts of a source series in order. */
  startsOf(key: SourceSeriesKey): Float64Array {
    const sorted = Float64Array.from(this.#starts.get(key.series)?.get(nameOf(key)) ?? [])
    sorted.sort()
    let count = 0
    for (const at of sorted) if (count === 0 || sorted[count - 1] !== at) sorted[count++] = at
    return sorted.subarray(0, count)
  }

  /** Returns summaries in order of resources, which are imported concurrently. */
  summaries(): [SummaryResource, { ids: ReadonlySet<string>; range: TimeRange }][] {
    return [...this.#summaries].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}
