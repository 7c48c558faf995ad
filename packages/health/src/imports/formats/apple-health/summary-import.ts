import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { ArrivedData, Ingest, SampleOwner } from '../../../ingest/index.ts'
import type { NewSummary } from '../../../summaries/index.ts'
import type { HistoryRanges } from '../../running/history-ranges.ts'
import type { ImportCounts } from '../../running/import-counts.ts'
import type { StoreData } from '../../running/import-writer.ts'
import type { ImportUser } from '../import-format.ts'
import type { ExportFiles } from './export-files.ts'
import type { SummaryIntake } from './summary-intake.ts'

export interface SummaryImport {
  owner: SampleOwner
  user: ImportUser
  clickhouse: ClickHouse
  store: StoreData
  removeSamples: Ingest['removeSamples']
  changeStored: Ingest['changeStored']
  intake: SummaryIntake
  /** Files beside the export.xml; undefined where there are none. */
  files: ExportFiles | undefined
  /** Whether the export was read to its end; a damaged one may lack a part of a night. */
  isComplete: boolean
  /** Whether missing data are settled: the export is whole, and no newer one was imported. */
  settlesMissing: boolean
  /** Whether missing data are removed, not only counted. */
  removesMissing: boolean
  /** Time of writing of the summaries, epoch milliseconds; null for their arrival. */
  modifiedAt: number | null
  importCounts: ImportCounts
  history: HistoryRanges
  signal: AbortSignal
}

/** Resources with one record each in an export, which users may delete. */
const MAY_BE_MISSING: ReadonlySet<string> = new Set(['sleep', 'workouts', 'body'])

/**
 * Stores summaries of one resource and counts them.
 * @param elementType Type of the elements that they are made of, whose counts they are too.
 * @param parts Samples and streams that belong to them.
 * @returns The summaries within the bounds.
 */
export async function storeSummaries(
  { owner, store, intake, importCounts, history }: SummaryImport,
  resource: NewSummary['resource'],
  summaries: readonly NewSummary[],
  elementType?: string,
  parts: Pick<ArrivedData, 'samples' | 'streams'> = {},
): Promise<readonly NewSummary[]> {
  if (MAY_BE_MISSING.has(resource)) intake.keys.addSummaries(owner, summaries)
  const stored = await store({ ...parts, summaries })
  importCounts.addSummaries(resource, stored.summaries)
  if (elementType !== undefined) importCounts.addStored(elementType, stored.summaries)
  const { keptSummaries } = stored.summaries
  if (resource === 'profile') history.addTimeless(resource)
  else history.addRange(resource, keptSummaries)
  history.add(stored.samples.kept)
  return keptSummaries
}
