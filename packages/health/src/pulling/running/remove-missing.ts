import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { Collection, PageData, TimeRange } from '../../connectors/index.ts'
import type { ArrivedData, Ingest, SampleOwner, SourceSeriesKey } from '../../ingest/index.ts'
import { findStartsOfSource } from '../../ingest/index.ts'
import { listSummaryIds, type SummaryResource, summaryId } from '../../summaries/index.ts'

/** What the pages of a range had, of the series and summaries that they have completely. */
export class SeenRecords {
  readonly #samples = new Set<string>()
  readonly #summaries = new Set<string>()

  add(owner: { userId: string; provider: string }, { samples, summaries }: PageData): void {
    for (const { series, sourceType, sampleType, startedAt } of samples) {
      this.#samples.add(sampleKeyOf({ series, sourceType, sampleType }, startedAt))
    }
    for (const summary of summaries) this.#summaries.add(summaryId(owner, summary))
  }

  hasSample(key: Omit<SourceSeriesKey, 'appId'>, startedAt: number): boolean {
    return this.#samples.has(sampleKeyOf(key, startedAt))
  }

  hasSummary(id: string): boolean {
    return this.#summaries.has(id)
  }
}

const sampleKeyOf = (
  { series, sourceType, sampleType }: Omit<SourceSeriesKey, 'appId'>,
  startedAt: number,
): string => JSON.stringify([series, sourceType, sampleType, startedAt])

/**
 * Removes stored records of a range that the vendor no longer has. All pages of the range must be
 * stored.
 * @param store Stores the removals of summaries.
 */
export async function removeMissing(
  { clickhouse, ingest }: { clickhouse: ClickHouse; ingest: Ingest },
  owner: SampleOwner,
  { completes = {} }: Pick<Collection, 'completes'>,
  range: TimeRange,
  seen: SeenRecords,
  store: (data: ArrivedData) => Promise<void>,
): Promise<void> {
  const stored = await findStartsOfSource(clickhouse, owner, completes.series ?? [], range)
  for (const { starts, ...key } of stored) {
    const missing = starts.filter((start) => !seen.hasSample(key, start))
    if (missing.length > 0) await ingest.removeSamples(owner, { ...key, appId: '' }, missing)
  }
  const removals: { resource: SummaryResource; ids: string[] }[] = []
  for (const resource of completes.summaries ?? []) {
    const known = await listSummaryIds(clickhouse, owner, resource, range)
    const ids = known.filter((id) => !seen.hasSummary(id))
    if (ids.length > 0) removals.push({ resource, ids })
  }
  if (removals.length > 0) await store({ removals })
}
