import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import type { Ingest, SampleOwner } from '../../ingest/index.ts'
import { findLatestVersion } from '../imported-data.repository.ts'
import type { ImportProgress } from '../imports.schema.ts'
import type { RenamedSource } from '../renamed-sources.repository.ts'
import { readEvidence } from './export-evidence.ts'
import { openExportXml } from './export-file.ts'
import { ExportFileError } from './export-file-error.ts'
import { openExportFiles } from './export-files.ts'
import { HealthDataScanner } from './health-data-scanner.ts'
import type { HistoryRanges } from './history-ranges.ts'
import { importSummaries } from './import-summaries.ts'
import { LocalTimes } from './local-time/local-times.ts'
import { settleMissingSamples, settleMissingSummaries } from './missing-records.ts'
import { type Lot, RecordIntake } from './record-intake.ts'
import { adoptSamples, adoptSummaries } from './sources/adopt-sources.ts'
import type { ImportUser, StoreData } from './summary-import.ts'

interface AppleHealthImport {
  /** A local export.zip or export.xml. */
  path: string
  owner: SampleOwner
  user: ImportUser
  /** Where the stored samples are read of which summaries are made. */
  clickhouse: ClickHouse
  store: StoreData
  removeSamples: Ingest['removeSamples']
  maxXmlBytes: number
  /** Whether samples and summaries that the export holds no more are removed, or only counted. */
  removesMissing: boolean
  now: Date
  /** When the newest of the exports was made that were imported before, or null. */
  newestExportAt: Date | null
  /** Ends the import between two chunks; what was stored stays. */
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
  /** Notes what is stored. */
  history: HistoryRanges
}

/** Rows collected before they are written: enough for good parts, little enough for memory. */
const ROWS_OF_A_LOT = 50_000

/**
 * Imports an Apple Health export. A first pass learns what the file tells as a whole: where the
 * person was, and what the sources are. A second one stores. Memory grows by eight bytes a record
 * and no more: samples are written a lot at a time, one lot being stored while the next is read;
 * summaries are made of the stored samples at the end. The same file again changes nothing, because
 * every sample has a natural key and carries the time at which Apple wrote it, and a summary that
 * of the export.
 * @throws ExportFileError when the file is none, or is damaged; what was read before stays stored.
 */
export async function importAppleHealth(options: AppleHealthImport): Promise<ImportProgress> {
  const { path, clickhouse, owner, user, maxXmlBytes, signal, onProgress } = options
  const first = await openExportXml(path, { maxXmlBytes })
  const { zones, sources } = await readEvidence(first.stream, signal)
  const renamed = await adoptSamples(clickhouse, owner, sources)
  const { stream, totalBytes, consumedBytes } = await openExportXml(path, { maxXmlBytes })
  const intake = new RecordIntake(user, new LocalTimes(zones, user), sources)
  const scanner = new HealthDataScanner(intake)
  const progress = () => intake.report.toProgress(consumedBytes(), totalBytes)
  let storing: Promise<void> = Promise.resolve()

  /** Waits for the lot before, so that at most two are in memory. */
  const storeNextLot = async (): Promise<void> => {
    await storing
    storing = storeLot(options, intake.takeLot(), intake)
    // The failure is taken up by the next wait; without this it would end the process before.
    storing.catch(() => undefined)
  }

  let damage: ExportFileError | undefined
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
    if (!(error instanceof ExportFileError)) throw error
    // What stands before the damage is as good as ever.
    damage = error
  }
  await storeNextLot()
  await storing
  onProgress(progress())
  await storeSummaries(options, intake, damage === undefined, renamed)
  onProgress(progress())
  if (damage !== undefined) throw damage
  return intake.report.toProgress(totalBytes, totalBytes)
}

async function storeLot(
  { store, history }: AppleHealthImport,
  lot: Lot,
  { report, summaries }: RecordIntake,
): Promise<void> {
  const writes = [...lot.samples].map(async ([type, samples]) => {
    const { samples: stored } = await store({ samples })
    report.addStored(type, stored)
    history.add(stored.kept)
    summaries.sampleDays.add(stored.kept)
  })
  await Promise.all([...writes, store({ quarantined: lot.quarantined })])
}

async function storeSummaries(
  options: AppleHealthImport,
  { report, summaries }: RecordIntake,
  isComplete: boolean,
  renamed: readonly RenamedSource[],
): Promise<void> {
  const { path, clickhouse, owner } = options
  // A damaged zip may have no list of its files any more.
  const files = isComplete ? await openExportFiles(path) : undefined
  try {
    const { exportedAt } = summaries
    const edition = { exportedAt, isComplete, hasFiles: files !== undefined }
    const modifiedAt = await findModificationTime(clickhouse, owner, edition)
    const intake = summaries
    report.exportedAt = exportedAt
    const madeAt = exportedAt ?? options.now.getTime()
    // What an older export does not hold may have come to the phone after it.
    const isNewest = madeAt >= (options.newestExportAt?.getTime() ?? 0)
    const settlesMissing = isComplete && isNewest
    const removesMissing = settlesMissing && options.removesMissing
    const settling = { settlesMissing, removesMissing }
    const context = { ...options, ...settling, intake, files, isComplete, modifiedAt, report }
    const ofMissing = { ...context, exportedAt: madeAt }
    if (settlesMissing) report.missing = await settleMissingSamples(ofMissing)
    await importSummaries(context)
    await adoptSummaries(context, renamed)
    if (settlesMissing) report.missing.push(...(await settleMissingSummaries(ofMissing)))
  } finally {
    files?.close()
  }
}

interface ExportEdition {
  /** When the export was made, epoch milliseconds, or null when it does not say. */
  exportedAt: number | null
  /** It was read to its end. */
  isComplete: boolean
  /** The files beside the export.xml are there. */
  hasFiles: boolean
}

/**
 * Milliseconds after the export within which its imports are told apart: exports are dated by the
 * second.
 */
const PART = { first: 0, last: 0 }
const WITHOUT_FILES = { first: 1, last: 399 }
const WHOLE = { first: 400, last: 998 }

/**
 * When the summaries of an import count as written, epoch milliseconds; null: at their arrival. A
 * newer export wins over an older one, whatever order they are imported in. Of one export a whole
 * one wins over one without its files, and that over a damaged one; of equal ones the later import
 * wins, since summaries are made of stored samples too, of which there may be more by then.
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
