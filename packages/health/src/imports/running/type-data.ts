import { PageData } from '../../connectors/index.ts'
import type { QuarantineReason } from '../../ingest/index.ts'
import type { ImportCounts } from './import-counts.ts'

/**
 * Collects the data of one type of records and counts the records. `count` is called for each
 * record before its data are added; a record that is quarantined counts by its reason.
 */
export class TypeData extends PageData {
  readonly type: string
  readonly resource: string | null
  readonly #counts: ImportCounts

  constructor(
    owner: { userId: string; provider: string },
    type: { type: string; resource: string | null },
    counts: ImportCounts,
  ) {
    super(owner)
    this.type = type.type
    this.resource = type.resource
    this.#counts = counts
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
}
