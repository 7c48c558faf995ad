import { DAY_MS } from '@salus/contracts/time-units'
import { fallbackOffsetSql } from '@salus/kernel/clickhouse/local-time-sql'

/**
 * Floating times inside statements are milliseconds of the local time since 0001-01-01, a Monday:
 * whole numbers above zero. So multiples of a period are plain divisions, before 1970 too.
 */
export const EPOCH_LOCAL_MS = 62_135_596_800_000

/** Returns local milliseconds of a DateTime64 that is a floating time. */
export function localMsOfTimeSql(floating: string): string {
  return `(toUnixTimestamp64Milli(${floating}) + ${EPOCH_LOCAL_MS})`
}

/** Returns local milliseconds of the start of a Date32. */
export function localMsOfDateSql(date: string): string {
  return `(toInt64(toInt32(${date})) * ${DAY_MS} + ${EPOCH_LOCAL_MS})`
}

/** The inverse: returns a DateTime64, written as if it were UTC. */
export function timeOfLocalMsSql(localMs: string): string {
  return `fromUnixTimestamp64Milli(toInt64(${localMs}) - ${EPOCH_LOCAL_MS}, 'UTC')`
}

/** Returns the Date32 of local milliseconds. */
export function dateOfLocalMsSql(localMs: string): string {
  return `toDate32(${timeOfLocalMsSql(localMs)})`
}

/**
 * Returns the offset from UTC in seconds at an instant of a stored row: its own, otherwise that of
 * the user's fallback zone, otherwise 0 (docs/contract/09-aggregate.md#floating-time).
 */
function offsetSql(instant: string): string {
  // A tenth faster than coalesce.
  return `if(timezone_offset is null, ${ofFallbackZoneSql(instant, '0')},
    assumeNotNull(timezone_offset))`
}

/** Like offsetSql, but null where the offset is unknown. */
export function knownOffsetSql(instant: string): string {
  return `coalesce(timezone_offset, ${ofFallbackZoneSql(instant, 'null')})`
}

const ofFallbackZoneSql = (instant: string, otherwise: string): string =>
  `[fallback offset at ${instant}, else ${otherwise}]`

/**
 * Writes the offsets of the fallback zone into a finished statement, whose sources have only their
 * names. Without a zone no expression is left of them: to plan one that no row needs takes the
 * engine a millisecond.
 */
export function writeFallbackOffsets(sql: string, hasFallbackZone: boolean): string {
  return sql.replace(
    /\[fallback offset at ([^\]]+), else (0|null)\]/g,
    (_, instant: string, otherwise: string) => {
      if (!hasFallbackZone) return otherwise
      const offset = fallbackOffsetSql(instant)
      // The type stays the same, since a sum of no rows is null only of one that has nulls.
      return otherwise === 'null' ? `toNullable(${offset})` : offset
    },
  )
}

/** Returns the local time of an instant of a stored row. */
export function localSql(instant: string): string {
  return `(${instant} + toIntervalSecond(${offsetSql(instant)}))`
}

/** The same in local milliseconds, whole numbers, at half the cost. */
export function localMsSql(instant: string): string {
  const offset = `1000 * toInt64(${offsetSql(instant)})`
  return `(toUnixTimestamp64Milli(${instant}) + ${offset} + ${EPOCH_LOCAL_MS})`
}

/**
 * Returns the day that the source reported, otherwise the local day of an instant of a stored row.
 */
export function localDaySql(instant: string): string {
  return `coalesce(calendar_date, toDate32(${localSql(instant)}))`
}
