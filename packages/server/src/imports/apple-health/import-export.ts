import type { Announcement, Sample, SampleOwner, SampleWriter } from '../../ingest/index.ts'
import type { UserRow } from '../../users/index.ts'
import type { ImportProgress } from '../imports.schema.ts'
import { openExportXml } from './export-file.ts'
import { ExportFileError } from './export-file-error.ts'
import { HealthDataScanner } from './health-data-scanner.ts'
import type { ImportReport } from './import-report.ts'
import { type Lot, RecordIntake } from './record-intake.ts'

export const APPLE_HEALTH_PROVIDER = 'apple_health_kit'

export interface AppleHealthImport {
  /** A local export.zip or export.xml. */
  path: string
  owner: SampleOwner
  bounds: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>
  writer: SampleWriter
  /** With it, events tell of every sample. */
  announcement?: Announcement | undefined
  maxXmlBytes: number
  /** Ends the import between two chunks; what was stored stays. */
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
  /** Told of samples that are stored. */
  onStored?: (samples: readonly Sample[]) => void
}

/** Rows collected before they are written: enough for good parts, little enough for memory. */
const ROWS_OF_A_LOT = 50_000

/**
 * Imports an Apple Health export. Memory does not grow with the file: samples are written a lot at a
 * time, one lot being stored while the next is read. The same file again changes nothing, because
 * every sample has a natural key and carries the time at which Apple wrote it.
 * @throws ExportFileError when the file is none, or is damaged; what was read before stays stored.
 */
export async function importAppleHealth(options: AppleHealthImport): Promise<ImportProgress> {
  const { path, maxXmlBytes, signal, onProgress } = options
  const { stream, totalBytes, consumedBytes } = await openExportXml(path, { maxXmlBytes })
  const intake = new RecordIntake(options.bounds)
  const scanner = new HealthDataScanner(intake)
  let storing: Promise<void> = Promise.resolve()

  /** Waits for the lot before, so that at most two are in memory. */
  const storeNextLot = async (): Promise<void> => {
    await storing
    storing = storeLot(options, intake.takeLot(), intake.report)
    // The failure is taken up by the next wait; without this it would end the process before.
    storing.catch(() => undefined)
  }

  try {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      scanner.write(chunk)
      if (intake.waiting >= ROWS_OF_A_LOT) await storeNextLot()
      onProgress(intake.report.toProgress(consumedBytes(), totalBytes))
    }
    scanner.end()
    intake.finish()
  } catch (error) {
    if (!(error instanceof ExportFileError)) throw error
    // What stands before the damage is as good as ever.
    await storeNextLot()
    await storing
    onProgress(intake.report.toProgress(consumedBytes(), totalBytes))
    throw error
  }
  await storeNextLot()
  await storing
  return intake.report.toProgress(totalBytes, totalBytes)
}

async function storeLot(
  { owner, writer, announcement, onStored }: AppleHealthImport,
  lot: Lot,
  report: ImportReport,
): Promise<void> {
  const writes = [...lot.samples].map(async ([type, samples]) => {
    report.addWritten(type, await writer.write(owner, samples, announcement))
    onStored?.(samples)
  })
  await Promise.all([...writes, writer.putAside(owner, lot.putAside)])
}
