import type { SeriesName } from '@salus/contracts/series'
import {
  PageData,
  type VendorBloodPressure,
  type VendorInstant,
  type VendorNote,
  type VendorSample,
  type VendorSummary,
} from '../../connectors/index.ts'
import type { QuarantineReason } from '../../ingest/index.ts'
import type { SummaryResource } from '../../summaries/index.ts'
import type { ImportCounts } from './import-counts.ts'
import { isPossibleTime } from './possible-time.ts'

/**
 * Collects the data of one type of records and counts the records. `count` is called for each
 * record before its data are added; a record that is quarantined counts by its reason.
 */
export class TypeData extends PageData {
  readonly type: string
  readonly resource: string | null
  readonly #counts: ImportCounts
  readonly #now: Date

  /** @param now The present; what begins or ends more than a day later is a wrong clock. */
  constructor(
    owner: { userId: string; provider: string },
    type: { type: string; resource: string | null },
    counts: ImportCounts,
    now: Date,
  ) {
    super(owner)
    this.type = type.type
    this.resource = type.resource
    this.#counts = counts
    this.#now = now
  }

  /** Number of items that wait to be stored. */
  get waiting(): number {
    // A stream has some thousand points.
    return (
      this.samples.length +
      this.summaries.length +
      this.quarantined.length +
      this.streams.size * 500
    )
  }

  /** Counts records of the file. */
  count(records = 1): void {
    this.#counts.countRecords(this.type, this.resource, records)
  }

  /** Counts a record that another one of the file contains already, or that became part of one. */
  countMerged(): void {
    this.#counts.count(this.type, this.resource).merged++
  }

  /** Counts a record, counted before, as one that another record of the file contains. */
  countAsMerged(): void {
    this.#counts.countsOfType(this.type, this.resource).merged++
  }

  /** Counts a record, counted before, as one that has nothing that it belongs to. */
  countAsNotSupported(): void {
    this.#counts.countsOfType(this.type, this.resource).not_supported++
  }

  /** Counts a record whose kind or value has no series in Salus. */
  countNotSupported(): void {
    this.#counts.countNotSupported(this.type, this.resource)
  }

  override quarantine(resource: string, reason: QuarantineReason, item: unknown): void {
    this.#counts.countQuarantined(this.type, resource, reason)
    super.quarantine(resource, reason, item)
  }

  override addSample(name: SeriesName, sample: VendorSample, record: unknown = sample): void {
    if (this.#isPlausible(name, sample, record)) super.addSample(name, sample, record)
  }

  override addBloodPressure(pressure: VendorBloodPressure, record: unknown = pressure): void {
    if (this.#isPlausible('blood_pressure', pressure, record)) {
      super.addBloodPressure(pressure, record)
    }
  }

  override addNote(note: VendorNote, record: unknown = note): void {
    if (this.#isPlausible('note', note, record)) super.addNote(note, record)
  }

  override addSummary<R extends SummaryResource>(
    resource: R,
    summary: VendorSummary<R>,
    values = summary.values,
  ): ReturnType<PageData['addSummary']> {
    // A profile has no time.
    const isPlausible = resource === 'profile' || this.#isPlausible(resource, summary, summary.raw)
    return isPlausible ? super.addSummary(resource, summary, values) : undefined
  }

  /** Quarantines a record of a lost clock, or of the future. */
  #isPlausible(
    resource: string,
    { start, end = start }: { start: VendorInstant; end?: VendorInstant },
    record: unknown,
  ): boolean {
    const isWithin = ({ at }: VendorInstant) => isPossibleTime(at, this.#now)
    if (isWithin(start) && isWithin(end)) return true
    this.quarantine(resource, isWithin(start) ? 'invalid_end_date' : 'invalid_start_date', record)
    return false
  }
}
