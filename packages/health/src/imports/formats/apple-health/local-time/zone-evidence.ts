import { HOUR_MS } from '@salus/contracts/time-units'
import { zoneOffsetSeconds } from '@salus/kernel/time/zone-offset'
import { isStorableInstant } from '../../../../ingest/index.ts'
import { type AppleInstant, parseAppleDate } from '../apple-dates.ts'
import type { HealthRecord, HealthWorkout, TextMap } from '../health-data.ts'
import type { HealthDataHandlers } from '../health-data-scanner.ts'
import { type ZoneObservation, ZoneObservations } from './zone-observations.ts'

/** Metadata key with which a record names the zone of its place. */
export const TIME_ZONE = 'HKTimeZone'

/** Evidence in an export about where the user was. */
export interface ZoneEvidence {
  /** In order of time. */
  observations: readonly ZoneObservation[]
  /** Whether the offsets belong to the records, not all to the export. */
  hasOwnOffsets: boolean
  /** Time and offset of the export; without them, those of its last record. */
  madeAt: AppleInstant | undefined
}

type Timed = Pick<HealthRecord, 'startDate' | 'endDate' | 'metadata'>

const OFFSET_LENGTH = '+0100'.length
/** Some apps write the offset of the evening through a night in which the clock changes. */
const NIGHT_MS = 12 * HOUR_MS

function hadOffset(zone: string, at: number, offsetSeconds: number): boolean {
  return [at, at - NIGHT_MS, at + NIGHT_MS].some(
    (instant) => zoneOffsetSeconds(zone, instant) === offsetSeconds,
  )
}

function instantOf(date: string): AppleInstant | undefined {
  const instant = parseAppleDate(date)
  return instant && isStorableInstant(instant.epochMilliseconds) ? instant : undefined
}

/** Collects the zones and offsets of the elements of an export. */
export class ZoneEvidenceCollector implements HealthDataHandlers {
  readonly #observations = new ZoneObservations()
  #offset: string | undefined
  #offsetsChange = false
  /** Whether a record names a zone that had another offset than the one beside it. */
  #isContradicted = false
  #exportedAt: AppleInstant | undefined
  #latest: AppleInstant | undefined

  onRecord(record: Timed): void {
    this.#addRecord(record.startDate, record.endDate, record.metadata)
  }

  onCorrelation({ records, ...whole }: Timed & { records: Timed[] }): void {
    this.onRecord(whole)
    for (const record of records) this.onRecord(record)
  }

  onWorkout({ attributes, metadata }: Pick<HealthWorkout, 'attributes' | 'metadata'>): void {
    this.#addRecord(attributes.get('startDate') ?? '', attributes.get('endDate') ?? '', metadata)
  }

  onOther(elementName: string, attributes: TextMap): void {
    if (elementName === 'ExportDate') {
      this.#exportedAt = parseAppleDate(attributes.get('value') ?? '')
    }
  }

  evidence(): ZoneEvidence {
    return {
      observations: this.#observations.list(),
      hasOwnOffsets: this.#offsetsChange && !this.#isContradicted,
      madeAt: this.#exportedAt ?? this.#latest,
    }
  }

  #addRecord(startDate: string, endDate: string, metadata: TextMap): void {
    const zone = metadata.get(TIME_ZONE)
    const isOtherOffset = this.#offset === undefined || !startDate.endsWith(this.#offset)
    // Nearly all records have no evidence, and parsing their times would cost as much as finding
    // them.
    if (zone === undefined && !isOtherOffset && this.#exportedAt !== undefined) return
    const start = instantOf(startDate)
    if (start === undefined) return
    const { epochMilliseconds: startedAt, offsetSeconds } = start
    if (this.#latest === undefined || startedAt > this.#latest.epochMilliseconds) {
      this.#latest = start
    }
    if (isOtherOffset) {
      this.#offsetsChange ||= this.#offset !== undefined
      this.#offset ??= structuredClone(startDate.slice(-OFFSET_LENGTH))
    }
    if (zone === undefined) return
    const endedAt = instantOf(endDate)?.epochMilliseconds ?? startedAt
    if (!this.#observations.add(zone, startedAt, endedAt)) return
    this.#isContradicted ||= !hadOffset(zone, startedAt, offsetSeconds)
  }
}
