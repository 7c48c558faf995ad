import { isStorableInstant } from '../../../ingest/index.ts'
import { zoneOffsetSeconds } from '../../../platform/time/zone-offset.ts'
import { type AppleInstant, parseAppleDate } from '../apple-dates.ts'
import { ExportFileError } from '../export-file-error.ts'
import type { HealthRecord, HealthWorkout, TextMap } from '../health-data.ts'
import { type HealthDataHandlers, HealthDataScanner } from '../health-data-scanner.ts'
import { type ZoneMark, ZoneMarks } from './zone-marks.ts'

/** Key of the metadata in which a record names the zone of its place. */
export const TIME_ZONE = 'HKTimeZone'

/** What an export as a whole tells about where the person was. */
export interface ClockEvidence {
  /** In order of time. */
  marks: readonly ZoneMark[]
  /** The offsets beside the times are those of the records, not one of the export. */
  hasOwnOffsets: boolean
  /** When and at which offset it was made; of an export that does not say, its last record. */
  madeAt: AppleInstant | undefined
}

/**
 * Reads an export for what it tells of zones. This takes a pass of its own, since records come by type
 * and not by time: the walk of a day may stand a gigabyte before the night that names its zone. Of a
 * damaged export the part before the damage counts, as it does for what is stored.
 */
export async function readClockEvidence(
  stream: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<ClockEvidence> {
  const witness = new ClockWitness()
  const scanner = new HealthDataScanner(witness)
  try {
    for await (const chunk of stream) {
      signal.throwIfAborted()
      scanner.write(chunk)
    }
  } catch (error) {
    if (!(error instanceof ExportFileError)) throw error
  }
  return witness.evidence()
}

type Timed = Pick<HealthRecord, 'startDate' | 'endDate' | 'metadata'>

/** Collects what the elements of an export tell of zones and offsets. */
export class ClockWitness implements HealthDataHandlers {
  readonly #marks = new ZoneMarks()
  #offset: string | undefined
  #offsetsChange = false
  /** A record names a zone that had another offset than the one that is written beside it. */
  #isContradicted = false
  #exportedAt: AppleInstant | undefined
  #latest: AppleInstant | undefined

  onRecord(record: Timed): void {
    this.#take(record.startDate, record.endDate, record.metadata)
  }

  onCorrelation({ records, ...whole }: Timed & { records: Timed[] }): void {
    this.onRecord(whole)
    for (const record of records) this.onRecord(record)
  }

  onWorkout({ attributes, metadata }: Pick<HealthWorkout, 'attributes' | 'metadata'>): void {
    this.#take(attributes.get('startDate') ?? '', attributes.get('endDate') ?? '', metadata)
  }

  onOther(elementName: string, attributes: TextMap): void {
    if (elementName === 'ExportDate') {
      this.#exportedAt = parseAppleDate(attributes.get('value') ?? '')
    }
  }

  evidence(): ClockEvidence {
    return {
      marks: this.#marks.list(),
      hasOwnOffsets: this.#offsetsChange && !this.#isContradicted,
      madeAt: this.#exportedAt ?? this.#latest,
    }
  }

  #take(startDate: string, endDate: string, metadata: TextMap): void {
    const start = parseAppleDate(startDate)
    if (start === undefined || !isStorableInstant(start.epochMilliseconds)) return
    const { epochMilliseconds: startedAt, offsetSeconds } = start
    if (startedAt > (this.#latest?.epochMilliseconds ?? Number.NEGATIVE_INFINITY)) {
      this.#latest = start
    }
    if (this.#offset === undefined) this.#offset = startDate.slice(-5)
    else if (!startDate.endsWith(this.#offset)) this.#offsetsChange = true
    const zone = metadata.get(TIME_ZONE)
    if (zone === undefined) return
    const endedAt = parseAppleDate(endDate)?.epochMilliseconds
    const to = endedAt !== undefined && isStorableInstant(endedAt) ? endedAt : startedAt
    if (!this.#marks.add(zone, startedAt, to)) return
    this.#isContradicted ||= zoneOffsetSeconds(zone, startedAt) !== offsetSeconds
  }
}
