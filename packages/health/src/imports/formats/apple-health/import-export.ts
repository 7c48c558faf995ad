import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { SampleOwner } from '../../../ingest/index.ts'
import { ImportFileError } from '../../files/import-file-error.ts'
import { findLatestVersion } from '../../imported-data.repository.ts'
import type { ImportProgress } from '../../imports.schema.ts'
import type { RenamedSource } from '../../renamed-sources.repository.ts'
import type { HistoryRanges } from '../../running/history-ranges.ts'
import type { StoreData } from '../../running/import-writer.ts'
import type { ImportStores, ImportUser } from '../import-format.ts'
import { readEvidence } from './export-evidence.ts'
import { openExportXml } from './export-file.ts'
import { openExportFiles } from './export-files.ts'
import { HealthDataScanner } from './health-data-scanner.ts'
import { importSummaries } from './import-summaries.ts'
import { LocalTimes } from './local-time/local-times.ts'
import { reconcileMissingSamples, reconcileMissingSummaries } from './missing-records.ts'
import { type Lot, RecordIntake } from './record-intake.ts'
import { adoptSamples, adoptSummaries } from './sources/adopt-sources.ts'

interface AppleHealthImport {
  /** A local export.zip or export.xml. */
  path: string
  user: ImportUser
  store: StoreData
  /** The stores whose samples the summaries are computed from; undefined where none are made. */
  stores: ImportStores | undefined
  maxXmlBytes: number | undefined
  now: Date
  /** Stops the import between two chunks; what was stored stays. */
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
  /** Records what is stored. */
  history: HistoryRanges
}

/** Rows collected before they are written: enough for large parts, few enough for memory. */
const ROWS_OF_A_LOT = 50_000

/**
 * Imports an Apple Health export. A first pass collects the evidence of the whole file: where the
 * user was, and what the sources are. A second one stores. Memory grows by eight bytes a record:
 * samples are written in lots, each stored while the next is read; summaries are computed from the
 * stored samples at the end. Importing the same file again changes nothing, because every sample
 * has a natural key and the time at which Apple wrote it, and a summary has the time of the export.
 * @throws ImportFileError for another or a damaged file; what was read before stays stored.
 */
export async function importAppleHealth(options: AppleHealthImport): Promise<ImportProgress> {
  const { path, stores, user, maxXmlBytes, signal, onProgress } = options
  const first = await openExportXml(path, { maxXmlBytes })
  const { zones, sources } = await readEvidence(first.stream, signal)
  const renamed = stores && (await adoptSamples(stores, sources))
  const { stream, totalBytes, consumedBytes } = await openExportXml(path, { maxXmlBytes })
  const intake = new RecordIntake(user, new LocalTimes(zones, user), sources)
  const scanner = new HealthDataScanner(intake)
  const progress = () => intake.importCounts.toProgress(consumedBytes(), totalBytes)
  let storing: Promise<void> = Promise.resolve()

  /** Waits for the previous lot, so that at most two are in memory. */
  const storeNextLot = async (): Promise<void> => {
    await storing
    storing = storeLot(options, intake.takeLot(), intake)
    // The next wait rethrows the failure; without this the process would end before.
    storing.catch(() => undefined)
  }

  let damage: ImportFileError | undefined
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      scanner.write(chunk)
      if (intake.waiting >= ROWS_OF_A_LOT) await storeNextLot()
      onProgress(progress())
    }
    scanner.end()
    intake.finish()
  } catch (error) {
    if (!(error instanceof ImportFileError)) throw error
    // What precedes the damage is valid.
    damage = error
  }
  await storeNextLot()
  await storing
  onProgress(progress())
  if (stores && renamed) await storeSummaries({ ...options, ...stores }, intake, !damage, renamed)
  onProgress(progress())
  if (damage !== undefined) throw damage
  return intake.importCounts.toProgress(totalBytes, totalBytes)
}

async function storeLot(
  { store, history }: AppleHealthImport,
  lot: Lot,
  { importCounts, summaries }: RecordIntake,
): Promise<void> {
  const writes = [...lot.samples].map(async ([type, samples]) => {
    const { samples: stored } = await store({ samples })
    importCounts.addStored(type, stored)
    history.add(stored.kept)
    summaries.sampleDays.add(stored.kept)
  })
  await Promise.all([...writes, store({ quarantined: lot.quarantined })])
}

async function storeSummaries(
  options: AppleHealthImport & ImportStores,
  { importCounts, summaries }: RecordIntake,
  isComplete: boolean,
  renamed: readonly RenamedSource[],
): Promise<void> {
  const { path, clickhouse, owner } = options
  // A damaged zip may lack the list of its files.
  const files = isComplete ? await openExportFiles(path) : undefined
  try {
    const { exportedAt } = summaries
    const edition = { exportedAt, isComplete, hasFiles: files !== undefined }
    const modifiedAt = await findModificationTime(clickhouse, owner, edition)
    const intake = summaries
    importCounts.exportedAt = exportedAt
    const madeAt = exportedAt ?? options.now.getTime()
    // What an older export lacks may have come to the phone later.
    const isNewest = madeAt >= (options.newestExportAt?.getTime() ?? 0)
    const settlesMissing = isComplete && isNewest
    const removesMissing = settlesMissing && options.removesMissing
    const settling = { settlesMissing, removesMissing }
    const context = { ...options, ...settling, intake, files, isComplete, modifiedAt, importCounts }
    const ofMissing = { ...context, exportedAt: madeAt }
    if (settlesMissing) importCounts.missing = await reconcileMissingSamples(ofMissing)
    await importSummaries(context)
    await adoptSummaries(context, renamed)
    if (settlesMissing) importCounts.missing.push(...(await reconcileMissingSummaries(ofMissing)))
  } finally {
    files?.close()
  }
}

interface ExportEdition {
  /** Time of the export in epoch milliseconds, or null when it has none. */
  exportedAt: number | null
  /** Whether it was read to its end. */
  isComplete: boolean
  /** Whether the files beside the export.xml are available. */
  hasFiles: boolean
}

/**
 * Milliseconds after the time of the export that order its imports: exports are dated by the
 * second.
 */
const PART = { first: 0, last: 0 }
const WITHOUT_FILES = { first: 1, last: 399 }
const WHOLE = { first: 400, last: 998 }

/**
 * Returns the time of writing of an import's summaries, epoch milliseconds; null for their arrival.
 * A newer export wins over an older one in any order of imports. Of one export, a whole one wins
 * over one without its files, and that over a damaged one; of equal ones the later import wins,
 * since more samples may be stored by then.
 */
async function findModificationTime(
  clickhouse: ClickHouse,
  owner: SampleOwner,
  { exportedAt, isComplete, hasFiles }: ExportEdition,
): Promise<number | null> {
  if (exportedAt === null) return null
  const band = !isComplete ? PART : hasFiles ? WHOLE : WITHOUT_FILES
  const [first, last] = [exportedAt + band.first, exportedAt + band.last]
  const latest = await findLatestVersion(clickhouse, owner, first * 1000, last * 1000 + 999)
  const previous = Math.floor(latest / 1000)
  return previous < first ? first : Math.min(previous + 1, last)
}
