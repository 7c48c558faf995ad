import type { UserRow } from '@salus/accounts/users'
import {
  type QuarantinedItem,
  type QuarantineReason,
  type Sample,
  SharedInstants,
} from '../../../ingest/index.ts'
import { ImportCounts } from '../../running/import-counts.ts'
import { BloodPressurePairs, isPressure } from './blood-pressure-pairs.ts'
import type { HealthCorrelation, HealthRecord, HealthWorkout, TextMap } from './health-data.ts'
import type { HealthDataHandlers } from './health-data-scanner.ts'
import type { LocalTimes } from './local-time/local-times.ts'
import { type MappedRecord, mapBloodPressure, mapRecord } from './record-mapper.ts'
import { BLOOD_PRESSURE, DIASTOLIC, findRecordMapping, SYSTOLIC } from './record-types.ts'
import type { KnownSources } from './sources/known-sources.ts'
import { resourceOfFact, SummaryIntake } from './summary-intake.ts'

/** Samples and items to store together, samples by record type. */
export class Lot {
  readonly samples = new Map<string, Sample[]>()
  readonly quarantined: QuarantinedItem[] = []
  #rows = 0

  get size(): number {
    return this.#rows + this.quarantined.length
  }

  add(type: string, sample: Sample): void {
    const samples = this.samples.get(type)
    if (samples === undefined) this.samples.set(type, [sample])
    else samples.push(sample)
    this.#rows++
  }
}

type Source = HealthRecord | HealthCorrelation

/** Receives the elements of an export as they are read: counts each one and adds it to a lot. */
export class RecordIntake implements HealthDataHandlers {
  readonly importCounts: ImportCounts
  readonly summaries: SummaryIntake
  readonly #localTimes: LocalTimes
  readonly #bounds: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>
  readonly #sources: KnownSources
  readonly #pairs = new BloodPressurePairs()
  #lot = new Lot()
  readonly #instants = new SharedInstants()

  /**
   * @param localTimes The user's local time at each record.
   * @param sources Evidence about the sources in the whole export.
   */
  constructor(
    bounds: Pick<UserRow, 'ingestion_start' | 'ingestion_end'>,
    localTimes: LocalTimes,
    sources: KnownSources,
  ) {
    this.#bounds = bounds
    this.#localTimes = localTimes
    this.#sources = sources
    this.importCounts = new ImportCounts(localTimes.counts)
    this.summaries = new SummaryIntake(localTimes)
  }

  /** Number of rows that wait to be stored. */
  get waiting(): number {
    return this.#lot.size
  }

  /** Returns the waiting lot and begins a new one. */
  takeLot(): Lot {
    const lot = this.#lot
    this.#lot = new Lot()
    this.#instants.forgetEarlier()
    return lot
  }

  onRecord(record: HealthRecord): void {
    if (isPressure(record)) {
      this.#takePressure(record)
      return
    }
    const known = this.#sources.completeRecord(record)
    const mapped = mapRecord(known, this.#localTimes)
    if (mapped === 'not_supported') {
      this.#takeFact(record, known)
      return
    }
    if (typeof mapped !== 'string') {
      this.summaries.addSample(known, mapped, this.#bounds)
    }
    this.#addMapped(record.type, mapped, record)
  }

  onCorrelation(correlation: HealthCorrelation): void {
    const isReading = correlation.type === BLOOD_PRESSURE
    const mapped = isReading
      ? mapBloodPressure(this.#sources.completeRecord(correlation), this.#localTimes)
      : 'not_supported'
    this.#addMapped(correlation.type, mapped, correlation)
  }

  onWorkout(workout: HealthWorkout): void {
    this.importCounts.count('Workout', 'workouts')
    const { attributes } = workout
    const [sourceName = '', startDate = ''] = ['sourceName', 'startDate'].map((name) =>
      attributes.get(name),
    )
    const device = attributes.get('device') || this.#sources.deviceOf(sourceName, startDate)
    const fault = this.summaries.addWorkout(workout, device)
    if (fault !== undefined) this.#quarantine('Workout', 'workouts', fault, toPlain(workout))
  }

  onOther(elementName: string, attributes: TextMap): void {
    if (elementName === 'ExportDate') this.summaries.setExportDate(attributes)
    else if (elementName === 'Me') this.#takeMe(attributes)
    else if (elementName === 'ActivitySummary') this.#takeActivitySummary(attributes)
    else this.importCounts.countNotSupported(elementName)
  }

  #takeMe(attributes: TextMap): void {
    // There is one profile, from this element and the records of height.
    this.importCounts.count('Me', 'profile').merged++
    this.summaries.profile.setMe(attributes)
  }

  #takeActivitySummary(attributes: TextMap): void {
    const counts = this.importCounts.count('ActivitySummary', 'activity')
    const outcome = this.summaries.facts.addElement(attributes)
    if (outcome === 'again') counts.merged++
    else if (outcome !== 'taken') {
      this.#quarantine('ActivitySummary', 'activity', outcome, Object.fromEntries(attributes))
    }
  }

  /**
   * Adds a record without a series as a fact of a summary, if it is one.
   * @param known The same record with its device.
   */
  #takeFact(record: HealthRecord, known: HealthRecord): void {
    const resource = resourceOf(record.type) ?? resourceOfFact(record.type)
    const counts = this.importCounts.count(record.type, resource)
    const outcome = this.summaries.addFact(known)
    if (outcome === 'part_of_summary') counts.merged++
    else if (outcome === 'nothing') counts.not_supported++
    else this.#quarantine(record.type, resource ?? record.type, outcome, toItem(record))
  }

  /** Ends the file: unpaired halves of a blood pressure are not readings. */
  finish(): void {
    for (const half of this.#pairs.unpairedRecords()) {
      if (half.type !== SYSTOLIC)
        this.importCounts.countsOfType(half.type, 'blood_pressure').merged--
      this.#add(half.type, 'unpaired', half)
    }
  }

  /** A reading counts with its systolic half; the other half counts as merged. */
  #takePressure(record: HealthRecord): void {
    const counts = this.importCounts.count(record.type, 'blood_pressure')
    if (record.type !== SYSTOLIC) counts.merged++
    const reading = this.#pairs.add(record)
    if (reading !== undefined) {
      const mapped = mapBloodPressure(this.#sources.completeRecord(reading), this.#localTimes)
      this.#add(SYSTOLIC, mapped, reading)
    }
  }

  #addMapped(type: string, mapped: MappedRecord, source: Source): void {
    this.importCounts.count(type, resourceOf(type))
    this.#add(type, mapped, source)
  }

  #add(type: string, mapped: MappedRecord, source: Source): void {
    const resource = resourceOf(type)
    const counts = this.importCounts.countsOfType(type, resource)
    if (mapped === 'not_supported') {
      counts.not_supported++
      return
    }
    if (typeof mapped === 'string') {
      this.#quarantine(type, resource ?? type, mapped, toItem(source))
      return
    }
    const sample = this.#instants.separateSample(mapped)
    this.summaries.keys.addSample(sample)
    this.#lot.add(type, sample)
  }

  #quarantine(type: string, resource: string, reason: QuarantineReason, item: unknown): void {
    this.importCounts.countQuarantined(type, resource, reason)
    this.#lot.quarantined.push({ resource, reason, item })
  }
}

function resourceOf(type: string): string | null {
  if (type === BLOOD_PRESSURE || type === SYSTOLIC || type === DIASTOLIC) return 'blood_pressure'
  return findRecordMapping(type)?.series ?? null
}

/** Returns a record as it is quarantined: its attributes and metadata. */
function toItem(source: Source): unknown {
  return { ...source, metadata: Object.fromEntries(source.metadata) }
}

function toPlain({ attributes, metadata, ...rest }: HealthWorkout): unknown {
  const plain = { ...Object.fromEntries(attributes), metadata: Object.fromEntries(metadata) }
  const list = (entries: TextMap[]) => entries.map((entry) => Object.fromEntries(entry))
  return { ...plain, statistics: list(rest.statistics), events: list(rest.events) }
}
