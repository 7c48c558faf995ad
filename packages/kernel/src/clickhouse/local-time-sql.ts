import { zoneOffsets } from '../time/zone-offset.ts'
import type { QueryParameters } from './clickhouse.ts'

/**
 * What fallbackOffsetSql needs of a zone: its offsets, and from which instants on. The engine does
 * not tell them itself, because it takes zones that crossed the date line (Apia in 2011, Kiritimati
 * in
 * 1995) a day off, like much of what was before 1970, and has a time zone database of its own age.
 * @param timeZone An IANA zone; null is UTC.
 */
export function fallbackZoneParameters(timeZone: string | null): QueryParameters {
  const { instants, offsets } = zoneOffsets(timeZone ?? 'UTC')
  return { fallbackInstants: instants, fallbackOffsets: offsets }
}

/**
 * SQL: seconds east of UTC of the person's fallback zone at an instant, for a statement that has
 * the fallbackZoneParameters.
 * @param instant A column of type DateTime64(3, 'UTC').
 */
export function fallbackOffsetSql(instant: string): string {
  const since = `roundDown(toUnixTimestamp64Milli(${instant}), {fallbackInstants:Array(Int64)})`
  return `transform(${since}, {fallbackInstants:Array(Int64)}, {fallbackOffsets:Array(Int32)},
    toInt32(0))`
}

/**
 * SQL: seconds east of UTC where a person was at the instant of a row. The row's own offset, else
 * that of the person's fallback zone, for which the statement has the fallbackZoneParameters
 * (docs/contract/09-aggregate.md#floating-time).
 * @param instant A column of type DateTime64(3, 'UTC').
 * @param offset A column of type Nullable(Int32).
 */
export function localOffsetSql(instant: string, offset = 'timezone_offset'): string {
  return `coalesce(${offset}, ${fallbackOffsetSql(instant)})`
}

/** SQL: the wall-clock time of an instant, as a DateTime64(3, 'UTC') that means no zone. */
export function localTimeSql(instant: string, offset = 'timezone_offset'): string {
  return `${instant} + toIntervalSecond(${localOffsetSql(instant, offset)})`
}
