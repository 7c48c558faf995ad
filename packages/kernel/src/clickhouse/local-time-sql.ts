import { zoneOffsets } from '../time/zone-offset.ts'
import type { QueryParameters } from './clickhouse.ts'

/**
 * Returns the parameters that fallbackOffsetSql needs for a zone: its offsets, and the instants
 * from which they apply. The engine is not used for them, because it gets zones that crossed the
 * date line (Apia in 2011, Kiritimati in 1995) wrong by a day, like much before 1970, and has a
 * time zone database of its own age.
 * @param timeZone IANA zone; null is UTC.
 * @param range Epoch milliseconds outside of which offsets may be wrong. A zone has some hundreds
 *   until 2300, and the engine takes milliseconds to read them.
 */
export function fallbackZoneParameters(
  timeZone: string | null,
  { from, to } = { from: -Infinity, to: Infinity },
): QueryParameters {
  const { instants, offsets } = zoneOffsets(timeZone ?? 'UTC')
  const first = Math.max(
    instants.findLastIndex((instant) => instant <= from),
    0,
  )
  const next = instants.findIndex((instant) => instant > to)
  const end = next === -1 ? instants.length : Math.max(next, first + 1)
  return {
    fallbackInstants: instants.slice(first, end),
    fallbackOffsets: offsets.slice(first, end),
  }
}

/**
 * Returns SQL for the seconds east of UTC of the user's fallback zone at an instant, for a
 * statement with the fallbackZoneParameters.
 * @param instant Column of type DateTime64(3, 'UTC').
 */
export function fallbackOffsetSql(instant: string): string {
  const since = `roundDown(toUnixTimestamp64Milli(${instant}), {fallbackInstants:Array(Int64)})`
  return `transform(${since}, {fallbackInstants:Array(Int64)}, {fallbackOffsets:Array(Int32)},
    toInt32(0))`
}

/**
 * Returns SQL for the seconds east of UTC where a person was at the instant of a row: the row's own
 * offset, else that of the user's fallback zone, for which the statement has the
 * fallbackZoneParameters (docs/contract/09-aggregate.md#floating-time).
 * @param instant Column of type DateTime64(3, 'UTC').
 * @param offset Column of type Nullable(Int32).
 */
export function localOffsetSql(instant: string, offset = 'timezone_offset'): string {
  return `coalesce(${offset}, ${fallbackOffsetSql(instant)})`
}

/**
 * Returns SQL for the wall-clock time of an instant, as a DateTime64(3, 'UTC') that means no zone.
 */
export function localTimeSql(instant: string, offset = 'timezone_offset'): string {
  return `${instant} + toIntervalSecond(${localOffsetSql(instant, offset)})`
}
