import { summaryId } from '../../../../summaries/index.ts'
import {
  findStoredIds,
  findStoredNames,
  listNamedSummaries,
  RENAMED_RESOURCES,
  type RenamedResource,
  type RenamedSource,
  renameSamples,
  renameSummaries,
} from '../../../renamed-sources.repository.ts'
import type { ImportStores } from '../../import-format.ts'
import { sourceOfRecord } from '../record-source.ts'
import type { SummaryImport } from '../summary-import.ts'
import type { KnownSources } from './known-sources.ts'

/**
 * Gives stored samples under the name of a device its present id, so that the same record is not
 * stored twice and the name is not kept (docs/decisions/0006-exports-have-no-bundle-ids.md). Call
 * it before the records of an export are stored.
 * @returns The sources with stored data under their name.
 */
export async function adoptSamples(
  { clickhouse, owner, changeStored }: ImportStores,
  sources: KnownSources,
): Promise<RenamedSource[]> {
  const today = [...sources].map(([name, device]) => ({
    name,
    ...sourceOfRecord(name, device, false),
  }))
  if (today.length === 0) return []
  const names = today.map(({ name }) => name)
  const stored = await findStoredNames(clickhouse, owner, names)
  const renamed = today.filter(({ name }) => stored.has(name))
  if (renamed.length === 0) return []
  await changeStored(owner, async () => {
    for (const source of renamed) await renameSamples(clickhouse, owner, source)
  })
  return renamed
}

/**
 * Does the same for summaries, whose ids derive from that of their source. Call it when those of
 * the export are stored: an older summary is removed when it also exists under its present id.
 */
export async function adoptSummaries(
  context: SummaryImport,
  renamed: readonly RenamedSource[],
): Promise<void> {
  for (const source of renamed) {
    for (const resource of RENAMED_RESOURCES) await adoptResource(context, resource, source)
  }
}

async function adoptResource(
  { clickhouse, owner, store, changeStored, importCounts }: SummaryImport,
  resource: RenamedResource,
  source: RenamedSource,
): Promise<void> {
  const named = await listNamedSummaries(clickhouse, owner, resource, source.name)
  if (named.length === 0) return
  const idsOfToday = named.map(({ external_id, source_type }) => {
    const type = source_type === 'app' ? 'app' : source.sourceType
    // The record of a body measurement has the type of its source in its name.
    const recordId = resource === 'body' ? `${external_id.split(' ')[0]} ${type}` : external_id
    return summaryId(owner, { resource, appId: source.appId, recordId })
  })
  const there = await findStoredIds(clickhouse, owner, resource, idsOfToday)
  const twice = named.filter((_summary, index) => there.has(idsOfToday[index] as string))
  const ids = twice.map(({ id }) => id)
  await store({ removals: [{ resource, ids }] })
  importCounts.countsOfSummaries(resource).replaced += ids.length
  await changeStored(owner, () => renameSummaries(clickhouse, owner, resource, source))
}
