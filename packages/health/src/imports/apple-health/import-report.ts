import { formatInstant } from '@salus/kernel/time/instants'
import type { WriteCounts } from '../../ingest/index.ts'
import type {
  ClockReport,
  ImportProgress,
  MissingReport,
  RecordTypeReport,
  SummaryReport,
} from '../imports.schema.ts'

/**
 * Apple has some two hundred record types; a file with more names of its own has them counted
 * together.
 */
const MOST_TYPES = 300
const MOST_TYPE_LENGTH = 100
const OTHER_TYPES = 'other types'

/** Counts what becomes of every element of an export, by record type. */
export class ImportReport {
  readonly #types = new Map<string, RecordTypeReport>()
  readonly #summaries = new Map<string, SummaryReport>()
  /** When the export was made, epoch milliseconds, or null. */
  exportedAt: number | null = null
  /** What the export holds no more. */
  missing: MissingReport[] = []
  readonly #clocks: Readonly<ClockReport>
  #records = 0

  /** @param clocks Counted as local times are asked for. */
  constructor(clocks: Readonly<ClockReport>) {
    this.#clocks = clocks
  }

  /** One element was read. */
  count(type: string, resource: string | null): RecordTypeReport {
    const report = this.of(type, resource)
    this.#records++
    report.records++
    return report
  }

  /** The counts of a type, made when they are first asked for. */
  of(type: string, resource: string | null): RecordTypeReport {
    let report = this.#types.get(type)
    if (report === undefined && !this.#hasRoomFor(type)) {
      return this.of(OTHER_TYPES, null)
    }
    if (report === undefined) {
      report = {
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
      this.#types.set(type, report)
    }
    return report
  }

  #hasRoomFor(type: string): boolean {
    return (
      type === OTHER_TYPES || (this.#types.size < MOST_TYPES && type.length <= MOST_TYPE_LENGTH)
    )
  }

  /** An element had no series, or its value none. */
  countNotSupported(type: string, resource: string | null = null): void {
    this.count(type, resource).not_supported++
  }

  addStored(type: string, counts: WriteCounts & { outOfBounds: number }): void {
    const report = this.of(type, null)
    report.imported += counts.inserted
    report.updated += counts.updated
    report.unchanged += counts.unchanged
    report.out_of_bounds += counts.outOfBounds
  }

  /** One element, counted before, was quarantined. */
  countQuarantined(type: string, resource: string, reason: string): void {
    const report = this.of(type, resource)
    report.put_aside++
    report.put_aside_reasons[reason] = (report.put_aside_reasons[reason] ?? 0) + 1
  }

  /** The counts of the summaries of a resource, made when they are first asked for. */
  ofSummaries(resource: string): SummaryReport {
    let report = this.#summaries.get(resource)
    if (report === undefined) {
      report = { resource, imported: 0, updated: 0, unchanged: 0, out_of_bounds: 0, replaced: 0 }
      this.#summaries.set(resource, report)
    }
    return report
  }

  addSummaries(resource: string, counts: WriteCounts & { outOfBounds: number }): void {
    const report = this.ofSummaries(resource)
    report.imported += counts.inserted
    report.updated += counts.updated
    report.unchanged += counts.unchanged
    report.out_of_bounds += counts.outOfBounds
  }

  /** A day lacks something that an earlier export said of it. */
  addMissingFacts(isRemoved: boolean): void {
    const resource = 'activity'
    const known = this.missing.find((report) => report.resource === resource)
    const report = known ?? { resource, missing: 0, removed: 0 }
    if (known === undefined) this.missing.push(report)
    report.missing += 1
    if (isRemoved) report.removed += 1
  }

  /** The state so far; types in the order of the file. */
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
