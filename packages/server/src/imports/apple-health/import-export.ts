import {
  insertPutAside,
  isWithinBounds,
  type PutAsideItem,
  type Sample,
  type SampleOwner,
  type SampleWriter,
} from '../../ingest/index.ts'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import type { Clock } from '../../platform/time/clock.ts'
import type { UserRow } from '../../users/index.ts'
import type { ImportProgress } from '../imports.schema.ts'
import { BloodPressurePairs, isPressure } from './blood-pressure-pairs.ts'
import { openExportXml } from './export-file.ts'
import { ExportFileError } from './export-file-error.ts'
import type { HealthCorrelation, HealthRecord } from './health-data.ts'
import { HealthDataScanner } from './health-data-scanner.ts'
import { ImportReport } from './import-report.ts'
import { type MappedRecord, mapBloodPressure, mapRecord } from './record-mapper.ts'
import { BLOOD_PRESSURE, DIASTOLIC, findRecordMapping, SYSTOLIC } from './record-types.ts'

export const APPLE_HEALTH_PROVIDER = 'apple_health_kit'

export interface AppleHealthImport {
  /** A local export.zip or export.xml. */
  path: string
  owner: SampleOwner
  bounds: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>
  writer: SampleWriter
  clickhouse: ClickHouse
  clock: Clock
  maxXmlBytes: number
  /** Ends the import between two chunks; what was stored stays. */
  signal: AbortSignal
  onProgress: (progress: ImportProgress) => void
}

/** Rows collected before they are written: enough for good parts, little enough for memory. */
const ROWS_OF_A_WRITE = 50_000

/** Samples and items on their way, by record type. */
class Lot {
  readonly samples = new Map<string, Sample[]>()
  readonly putAside: PutAsideItem[] = []
  rows = 0

  add(type: string, sample: Sample): void {
    const samples = this.samples.get(type)
    if (samples === undefined) this.samples.set(type, [sample])
    else samples.push(sample)
    this.rows++
  }
}

/**
 * Imports an Apple Health export. Memory does not grow with the file: samples are written a lot at a
 * time, one lot being stored while the next is read. The same file again changes nothing, because
 * every sample has a natural key and carries the time at which Apple wrote it.
 * @throws ExportFileError when the file is none, or is damaged; what was read before stays stored.
 */
export async function importAppleHealth(options: AppleHealthImport): Promise<ImportProgress> {
  const { path, maxXmlBytes, signal, onProgress } = options
  const { stream, totalBytes, consumedBytes } = await openExportXml(path, { maxXmlBytes })
  const report = new ImportReport()
  let lot = new Lot()
  let writing: Promise<void> = Promise.resolve()
  const scanner = new HealthDataScanner({
    onRecord: (record) => (isPressure(record) ? takePressure(record) : takeRecord(record)),
    onCorrelation: (correlation) => takeCorrelation(correlation),
    onWorkout: () => report.countNotSupported('Workout'),
    onOther: (element) => {
      if (!ELEMENTS_ABOUT_THE_FILE.has(element)) report.countNotSupported(element)
    },
  })

  const pairs = new BloodPressurePairs()

  function takeRecord(record: HealthRecord): void {
    take(record.type, mapRecord(record), record)
  }

  /** A reading counts with its systolic half; the other half is noted as merged into it. */
  function takePressure(record: HealthRecord): void {
    const counts = report.count(record.type, 'blood_pressure')
    if (record.type !== SYSTOLIC) counts.merged++
    const reading = pairs.add(record)
    if (reading !== undefined) place(SYSTOLIC, mapBloodPressure(reading), reading)
  }

  /** A half that stayed alone is no part of a reading after all. */
  function placeAlone(half: HealthRecord): void {
    if (half.type !== SYSTOLIC) report.of(half.type, 'blood_pressure').merged--
    place(half.type, 'unpaired', half)
  }

  function takeCorrelation(correlation: HealthCorrelation): void {
    const mapped =
      correlation.type === BLOOD_PRESSURE ? mapBloodPressure(correlation) : 'not_supported'
    take(correlation.type, mapped, correlation)
  }

  function take(
    type: string,
    mapped: MappedRecord,
    source: HealthRecord | HealthCorrelation,
  ): void {
    report.count(type, resourceOf(type))
    place(type, mapped, source)
  }

  function place(
    type: string,
    mapped: MappedRecord,
    source: HealthRecord | HealthCorrelation,
  ): void {
    const resource = resourceOf(type)
    const counts = report.of(type, resource)
    if (mapped === 'not_supported') {
      counts.not_supported++
    } else if (typeof mapped === 'string') {
      counts.put_aside++
      counts.put_aside_reasons[mapped] = (counts.put_aside_reasons[mapped] ?? 0) + 1
      lot.putAside.push({ resource: resource ?? type, reason: mapped, item: toItem(source) })
    } else if (isWithinBounds(options.bounds, mapped)) {
      lot.add(type, mapped)
    } else {
      counts.out_of_bounds++
    }
  }

  /** Waits for the lot before, so that at most two are in memory. */
  async function writeLot(): Promise<void> {
    await writing
    const full = lot
    lot = new Lot()
    writing = storeLot(options, full, report)
    // The failure is taken up by the next wait; without this it would end the process before.
    writing.catch(() => undefined)
  }

  try {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      scanner.write(chunk)
      if (lot.rows + lot.putAside.length >= ROWS_OF_A_WRITE) await writeLot()
      onProgress(report.toProgress(consumedBytes(), totalBytes))
    }
    scanner.end()
  } catch (error) {
    if (!(error instanceof ExportFileError)) throw error
    // What stands before the damage is as good as ever.
    await writeLot()
    await writing
    onProgress(report.toProgress(consumedBytes(), totalBytes))
    throw error
  }
  for (const half of pairs.rest()) placeAlone(half)
  await writeLot()
  await writing
  return report.toProgress(totalBytes, totalBytes)
}

function resourceOf(type: string): string | null {
  if (type === BLOOD_PRESSURE || type === SYSTOLIC || type === DIASTOLIC) return 'blood_pressure'
  return findRecordMapping(type)?.series ?? null
}

const ELEMENTS_ABOUT_THE_FILE = new Set(['ExportDate', 'Me'])

async function storeLot(
  { owner, writer, clickhouse, clock }: AppleHealthImport,
  lot: Lot,
  report: ImportReport,
): Promise<void> {
  const writes = [...lot.samples].map(async ([type, samples]) => {
    report.addWritten(type, await writer.write(owner, samples))
  })
  await Promise.all([...writes, insertPutAside(clickhouse, owner, lot.putAside, clock.now())])
}

/** A record as it is kept when put aside: its attributes and metadata. */
function toItem(source: HealthRecord | HealthCorrelation): unknown {
  return { ...source, metadata: Object.fromEntries(source.metadata) }
}
