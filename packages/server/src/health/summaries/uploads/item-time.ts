import { type ParsedInstant, parseInstant } from '../../../platform/time/instants.ts'
import { isStorableInstant, type PutAsideReason, zoneOf } from '../../ingest/index.ts'
import { type Fields, readKey, readText } from './item-reader.ts'
import type { ItemContext } from './parsed-item.ts'

/** Reads a date-time that can be stored. */
export function toInstant(value: unknown): ParsedInstant | undefined {
  const instant = typeof value === 'string' ? parseInstant(value) : undefined
  return instant !== undefined && isStorableInstant(instant.epochMilliseconds) ? instant : undefined
}

export interface Interval {
  start: ParsedInstant
  end: ParsedInstant
}

/** Start and end of a session, both of which it must have. */
export function readInterval(
  fields: Fields,
  [startKey, endKey]: readonly [string, string] = ['start_date', 'end_date'],
): Interval | PutAsideReason {
  const start = toInstant(readKey(fields, startKey))
  if (start === undefined) return 'invalid_start_date'
  const end = toInstant(readKey(fields, endKey))
  if (end === undefined) return 'invalid_end_date'
  return end.epochMilliseconds < start.epochMilliseconds ? 'end_before_start' : { start, end }
}

/**
 * The clock of the person at an instant: the offset it was written with, else the zone of the record,
 * else that of the device. A zone whose clock was another one then is not that of the record.
 */
export function localClock(
  { timeZone }: Pick<ItemContext, 'timeZone'>,
  { epochMilliseconds, offsetSeconds }: ParsedInstant,
  metadata: Fields,
): { timezoneOffset: number | null; timeZone: string } {
  const zone = zoneOf([readText(metadata, 'HKTimeZone'), timeZone ?? ''], epochMilliseconds)
  const isSame = offsetSeconds === null || offsetSeconds === zone.offsetSeconds
  return {
    timezoneOffset: offsetSeconds ?? zone.offsetSeconds,
    timeZone: isSame ? zone.name : '',
  }
}

/** Stands for the id of a record that has none: the source and the start never change. */
export function startId(startedAt: number, sourceType: string): string {
  return `${new Date(startedAt).toISOString()} ${sourceType}`
}
