import { formatInstant } from '@salus/kernel/time/instants'
import type { WriteCounts } from '../../ingest/index.ts'
import type {
  ImportProgress,
  LocalTimeCounts,
  MissingCounts,
  RecordTypeCounts,
  SummaryCounts,
} from '../imports.schema.ts'

/** Apple has some two hundred record types; further names of a file are counted together. */
const MOST_TYPES = 300
const MOST_TYPE_LENGTH = 100
const OTHER_TYPES = 'other types'

/** Counts the outcome of every element of an export, by record type. */
export class ImportCounts {
  readonly #types = new Map<string, RecordTypeCounts>()
  readonly #summaries = new Map<string, SummaryCounts>()
  /** Time of the export in epoch milliseconds, or null. */
  exportedAt: number | null = null
  /** Data that the export lacks. */
  missing: MissingCounts[] = []
  readonly #clocks: Readonly<LocalTimeCounts>
  #records = 0

  /** @param clocks Counts that local times add to. */
  constructor(clocks: Readonly<LocalTimeCounts>) {
    this.#clocks = clocks
  }

  /** Counts one element. */
  count(type: string, resource: string | null): RecordTypeCounts {
    return this.countRecords(type, resource, 1)
  }

  countRecords(type: string, resource: string | null, records: number): RecordTypeCounts {
    const entry = this.countsOfType(type, resource)
    this.#records += records
    entry.records += records
    return entry
  }

  /** Returns the counts of a type, which it creates at first. */
  countsOfType(type: string, resource: string | null): RecordTypeCounts {
    let entry = this.#types.get(type)
    if (entry === undefined && !this.#hasRoomFor(type)) {
      return this.countsOfType(OTHER_TYPES, null)
    }
    if (entry === undefined) {
      entry = {
        type,
        resource,
        records: 0,
        imported: 0,
        updated: 0,
        unchanged: 0,
        out_of_bounds: 0,
        put_aside: 0,
        put_aside_reasons: {},
        merged: 0,
        not_supported: 0,
      }
      this.#types.set(type, entry)
    }
    return entry
  }

  #hasRoomFor(type: string): boolean {
    return (
      type === OTHER_TYPES || (this.#types.size < MOST_TYPES && type.length <= MOST_TYPE_LENGTH)
    )
  }

  /** Counts an element without a series or with an unsupported value. */
  countNotSupported(type: string, resource: string | null = null): void {
    this.count(type, resource).not_supported++
  }

  addStored(type: string, counts: WriteCounts & { outOfBounds: number }): void {
    const entry = this.countsOfType(type, null)
    entry.imported += counts.inserted
    entry.updated += counts.updated
    entry.unchanged += counts.unchanged
    entry.out_of_bounds += counts.outOfBounds
  }

  /** Counts as quarantined one element that was counted before. */
  countQuarantined(type: string, resource: string, reason: string): void {
    const entry = this.countsOfType(type, resource)
    entry.put_aside++
    entry.put_aside_reasons[reason] = (entry.put_aside_reasons[reason] ?? 0) + 1
  }

  /** Returns the counts of the summaries of a resource, which it creates at first. */
  countsOfSummaries(resource: string): SummaryCounts {
    let entry = this.#summaries.get(resource)
    if (entry === undefined) {
      entry = { resource, imported: 0, updated: 0, unchanged: 0, out_of_bounds: 0, replaced: 0 }
      this.#summaries.set(resource, entry)
    }
    return entry
  }

  addSummaries(resource: string, counts: WriteCounts & { outOfBounds: number }): void {
    const entry = this.countsOfSummaries(resource)
    entry.imported += counts.inserted
    entry.updated += counts.updated
    entry.unchanged += counts.unchanged
    entry.out_of_bounds += counts.outOfBounds
  }

  /** Counts a day that lacks a fact of an earlier export. */
  addMissingFacts(isRemoved: boolean): void {
    const resource = 'activity'
    const known = this.missing.find((entry) => entry.resource === resource)
    const entry = known ?? { resource, missing: 0, removed: 0 }
    if (known === undefined) this.missing.push(entry)
    entry.missing += 1
    if (isRemoved) entry.removed += 1
  }

  /** Returns the progress; types in the order of the file. */
  toProgress(bytesRead: number, bytesTotal: number): ImportProgress {
    return {
      bytes_total: bytesTotal,
      bytes_read: bytesRead,
      records: this.#records,
      types: [...this.#types.values()],
      summaries: [...this.#summaries.values()],
      clocks: { ...this.#clocks },
      missing: this.missing,
      exported_at: this.exportedAt === null ? null : formatInstant(this.exportedAt),
    }
  }
}
