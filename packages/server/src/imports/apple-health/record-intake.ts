import { isWithinBounds, type PutAsideItem, type Sample } from '../../ingest/index.ts'
import type { UserRow } from '../../users/index.ts'
import { BloodPressurePairs, isPressure } from './blood-pressure-pairs.ts'
import type { HealthCorrelation, HealthRecord } from './health-data.ts'
import type { HealthDataHandlers } from './health-data-scanner.ts'
import { ImportReport } from './import-report.ts'
import { type MappedRecord, mapBloodPressure, mapRecord } from './record-mapper.ts'
import { BLOOD_PRESSURE, DIASTOLIC, findRecordMapping, SYSTOLIC } from './record-types.ts'

/** Samples and items to be stored together, samples by record type. */
export class Lot {
  readonly samples = new Map<string, Sample[]>()
  readonly putAside: PutAsideItem[] = []
  #rows = 0

  get size(): number {
    return this.#rows + this.putAside.length
  }

  add(type: string, sample: Sample): void {
    const samples = this.samples.get(type)
    if (samples === undefined) this.samples.set(type, [sample])
    else samples.push(sample)
    this.#rows++
  }
}

const ELEMENTS_ABOUT_THE_FILE = new Set(['ExportDate', 'Me'])

type Source = HealthRecord | HealthCorrelation

/** Takes the elements of an export as they are read: counts each one and sorts it into a lot. */
export class RecordIntake implements HealthDataHandlers {
  readonly report = new ImportReport()
  readonly #bounds: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>
  readonly #pairs = new BloodPressurePairs()
  #lot = new Lot()

  constructor(bounds: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>) {
    this.#bounds = bounds
  }

  /** What waits to be stored. */
  get waiting(): number {
    return this.#lot.size
  }

  /** Hands over what waits and begins a new lot. */
  takeLot(): Lot {
    const lot = this.#lot
    this.#lot = new Lot()
    return lot
  }

  onRecord(record: HealthRecord): void {
    if (isPressure(record)) this.#takePressure(record)
    else this.#take(record.type, mapRecord(record), record)
  }

  onCorrelation(correlation: HealthCorrelation): void {
    const isReading = correlation.type === BLOOD_PRESSURE
    const mapped = isReading ? mapBloodPressure(correlation) : 'not_supported'
    this.#take(correlation.type, mapped, correlation)
  }

  onWorkout(): void {
    this.report.countNotSupported('Workout')
  }

  onOther(elementName: string): void {
    if (!ELEMENTS_ABOUT_THE_FILE.has(elementName)) this.report.countNotSupported(elementName)
  }

  /** The file has ended: halves of a blood pressure that stayed alone are no readings after all. */
  finish(): void {
    for (const half of this.#pairs.rest()) {
      if (half.type !== SYSTOLIC) this.report.of(half.type, 'blood_pressure').merged--
      this.#place(half.type, 'unpaired', half)
    }
  }

  /** A reading counts with its systolic half; the other half is noted as merged into it. */
  #takePressure(record: HealthRecord): void {
    const counts = this.report.count(record.type, 'blood_pressure')
    if (record.type !== SYSTOLIC) counts.merged++
    const reading = this.#pairs.add(record)
    if (reading !== undefined) this.#place(SYSTOLIC, mapBloodPressure(reading), reading)
  }

  #take(type: string, mapped: MappedRecord, source: Source): void {
    this.report.count(type, resourceOf(type))
    this.#place(type, mapped, source)
  }

  #place(type: string, mapped: MappedRecord, source: Source): void {
    const resource = resourceOf(type)
    const counts = this.report.of(type, resource)
    if (mapped === 'not_supported') {
      counts.not_supported++
    } else if (typeof mapped === 'string') {
      counts.put_aside++
      counts.put_aside_reasons[mapped] = (counts.put_aside_reasons[mapped] ?? 0) + 1
      const item = { resource: resource ?? type, reason: mapped, item: toItem(source) }
      this.#lot.putAside.push(item)
    } else if (isWithinBounds(this.#bounds, mapped)) {
      this.#lot.add(type, mapped)
    } else {
      counts.out_of_bounds++
    }
  }
}

function resourceOf(type: string): string | null {
  if (type === BLOOD_PRESSURE || type === SYSTOLIC || type === DIASTOLIC) return 'blood_pressure'
  return findRecordMapping(type)?.series ?? null
}

/** A record as it is kept when put aside: its attributes and metadata. */
function toItem(source: Source): unknown {
  return { ...source, metadata: Object.fromEntries(source.metadata) }
}
