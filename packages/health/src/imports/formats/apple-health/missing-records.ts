import type { MissingCounts } from '../../imports.schema.ts'
import { countSamples, listStarts, listSummariesWithin } from '../../missing-records.repository.ts'
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
  /** Time of the export, otherwise of the upload; what was written later may be missing from it. */
  exportedAt: number
}

/**
 * Whether only imports write a source. Live data of HealthKit have the same provider, but bundle
 * ids (`com.example.app`, `com.apple.health.` and a UUID), which no export contains.
 */
function isOfImports(sourceType: string, appId: string): boolean {
  if (/^com\.apple\.health\.[0-9a-f]{12}$/.test(appId)) return true
  // Entries typed on the phone belong to this app in live data, too.
  if (appId === 'com.apple.Health') return sourceType === 'unknown'
  return appId !== '' && !/^[\w-]+(\.[\w-]+)+$/.test(appId)
}

/**
 * Counts or removes the samples of earlier exports that this one lacks, because they were deleted
 * on the phone: in the series and the time range of the export, of sources that only imports have,
 * and written before the export.
 */
export async function reconcileMissingSamples(context: MissingContext): Promise<MissingCounts[]> {
  const { clickhouse, owner, user, intake, signal, exportedAt, removesMissing } = context
  const isBounded = user.ingestion_start !== null || user.ingestion_end !== null
  const missingCounts: MissingCounts[] = []
  for (const [series, range] of intake.keys.series()) {
    let missing = 0
    for (const { key, count } of await countSamples(clickhouse, owner, series, range)) {
      signal.throwIfAborted()
      const held = intake.keys.startsOf(key)
      if (!isOfImports(key.sourceType, key.appId)) continue
      // When the counts match and no sample was out of bounds, nothing is missing.
      if (!isBounded && count === held.length) continue
      const stored = await listStarts(clickhouse, owner, key, range, exportedAt * 1000 + 999_999)
      const gone = stored.filter((at) => !isAmong(held, at))
      missing += gone.length
      if (!removesMissing || gone.length === 0) continue
      await context.removeSamples(owner, key, gone)
      intake.sampleDays.addAround(series, gone)
    }
    if (missing > 0) {
      missingCounts.push({ resource: series, missing, removed: removesMissing ? missing : 0 })
    }
  }
  return missingCounts
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

/** Does the same for sleeps, workouts and body measurements. */
export async function reconcileMissingSummaries(context: MissingContext): Promise<MissingCounts[]> {
  const { clickhouse, owner, intake, store, exportedAt, removesMissing } = context
  const missingCounts: MissingCounts[] = []
  for (const [resource, { ids, range }] of intake.keys.summaries()) {
    const latest = exportedAt * 1000 + 999_999
    const stored = await listSummariesWithin(clickhouse, owner, resource, range, latest)
    const gone = stored
      .filter((row) => !ids.has(row.id) && isOfImports(row.source_type, row.app_id))
      .map(({ id }) => id)
    if (gone.length === 0) continue
    if (removesMissing) await store({ removals: [{ resource, ids: gone }] })
    missingCounts.push({
      resource,
      missing: gone.length,
      removed: removesMissing ? gone.length : 0,
    })
  }
  return missingCounts
}
