import type { MissingReport } from '../imports.schema.ts'
import { countSamples, listStarts, listSummariesWithin } from '../missing-records.repository.ts'
import type { SummaryImport } from './summary-import.ts'

interface MissingContext
  extends Pick<
    SummaryImport,
    | 'clickhouse'
    | 'owner'
    | 'user'
    | 'intake'
    | 'signal'
    | 'store'
    | 'removeSamples'
    | 'removesMissing'
  > {
  /** When the export was made, or else sent; what was written later may well not be in it. */
  exportedAt: number
}

/**
 * Whether a source is one that only imports write. Live data of HealthKit lie under the same
 * provider, but bear bundle ids (`com.example.app`, `com.apple.health.` and a UUID), which no
 * export holds.
 */
function isOfImports(sourceType: string, appId: string): boolean {
  if (/^com\.apple\.health\.[0-9a-f]{12}$/.test(appId)) return true
  // What somebody typed in on the phone is of this app in live data, too.
  if (appId === 'com.apple.Health') return sourceType === 'unknown'
  return appId !== '' && !/^[\w-]+(\.[\w-]+)+$/.test(appId)
}

/**
 * Finds the samples that earlier exports held and this one holds no more, because they were deleted
 * on the phone: of the series and the time that the export covers, of sources that only imports
 * have, and written before it was made.
 */
export async function settleMissingSamples(context: MissingContext): Promise<MissingReport[]> {
  const { clickhouse, owner, user, intake, signal, exportedAt, removesMissing } = context
  const isBounded = user.ingestion_start !== null || user.ingestion_end !== null
  const reports: MissingReport[] = []
  for (const [series, range] of intake.keys.series()) {
    let missing = 0
    for (const { stream, count } of await countSamples(clickhouse, owner, series, range)) {
      signal.throwIfAborted()
      const held = intake.keys.startsOf(stream)
      if (!isOfImports(stream.sourceType, stream.appId)) continue
      // As many as the export holds are those that it holds, where none of them was kept out.
      if (!isBounded && count === held.length) continue
      const stored = await listStarts(clickhouse, owner, stream, range, exportedAt * 1000 + 999_999)
      const gone = stored.filter((at) => !isAmong(held, at))
      missing += gone.length
      if (!removesMissing || gone.length === 0) continue
      await context.removeSamples(owner, stream, gone)
      intake.sampleDays.addAround(series, gone)
    }
    if (missing > 0) {
      reports.push({ resource: series, missing, removed: removesMissing ? missing : 0 })
    }
  }
  return reports
}

function isAmong(sorted: Float64Array, at: number): boolean {
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted[middle] as number) < at) low = middle + 1
    else high = middle
  }
  return sorted[low] === at
}

/** The same for sleeps, workouts and body measurements. */
export async function settleMissingSummaries(context: MissingContext): Promise<MissingReport[]> {
  const { clickhouse, owner, intake, store, exportedAt, removesMissing } = context
  const reports: MissingReport[] = []
  for (const [resource, { ids, range }] of intake.keys.summaries()) {
    const latest = exportedAt * 1000 + 999_999
    const stored = await listSummariesWithin(clickhouse, owner, resource, range, latest)
    const gone = stored
      .filter((row) => !ids.has(row.id) && isOfImports(row.source_type, row.app_id))
      .map(({ id }) => id)
    if (gone.length === 0) continue
    if (removesMissing) await store({ removals: [{ resource, ids: gone }] })
    reports.push({ resource, missing: gone.length, removed: removesMissing ? gone.length : 0 })
  }
  return reports
}
