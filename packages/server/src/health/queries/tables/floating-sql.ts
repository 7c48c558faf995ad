import { fallbackOffsetSql } from '../../../platform/clickhouse/local-time-sql.ts'

/**
 * Floating times inside statements are clocks: milliseconds of the wall clock since 0001-01-01, a
 * Monday, whole numbers above zero. So multiples of a period are plain divisions, before 1970 too.
 */
export const EPOCH_CLOCK_MS = 62_135_596_800_000

export const DAY_MS = 86_400_000

/** The clock of a DateTime64 that means a floating time. */
export function clockOfTimeSql(floating: string): string {
  return `(toUnixTimestamp64Milli(${floating}) + ${EPOCH_CLOCK_MS})`
}

/** The clock of the first moment of a Date32. */
export function clockOfDateSql(date: string): string {
  return `(toInt64(toInt32(${date})) * ${DAY_MS} + ${EPOCH_CLOCK_MS})`
}

export function timeOfClockSql(clock: string): string {
  return `fromUnixTimestamp64Milli(toInt64(${clock}) - ${EPOCH_CLOCK_MS}, 'UTC')`
}

export function dateOfClockSql(clock: string): string {
  return `toDate32(${timeOfClockSql(clock)})`
}

/**
 * Seconds east of UTC at an instant of a stored row: its own, else those of the person's fallback
 * zone, else 0 (docs/contract/09-aggregate.md#floating-time). Parameter hasFallbackZone, and those
 * of the zone; without one the engine drops that branch before it reads a row.
 */
function offsetSql(instant: string): string {
  // Costs a tenth less than coalesce.
  return `if(timezone_offset is null, ${ofFallbackZoneSql(instant, '0')},
    assumeNotNull(timezone_offset))`
}

/** As offsetSql, but null where nothing tells them. */
export function knownOffsetSql(instant: string): string {
  return `coalesce(timezone_offset, ${ofFallbackZoneSql(instant, 'null')})`
}

function ofFallbackZoneSql(instant: string, otherwise: string): string {
  return `if({hasFallbackZone:Bool}, ${fallbackOffsetSql(instant)}, ${otherwise})`
}

/** The wall-clock time of an instant of a stored row. */
export function localSql(instant: string): string {
  return `(${instant} + toIntervalSecond(${offsetSql(instant)}))`
}

/** The same as a clock, in whole numbers, which costs half. */
export function localClockSql(instant: string): string {
  const offset = `1000 * toInt64(${offsetSql(instant)})`
  return `(toUnixTimestamp64Milli(${instant}) + ${offset} + ${EPOCH_CLOCK_MS})`
}

/** The day of an instant of a stored row, unless its source said one. */
export function localDaySql(instant: string): string {
  return `coalesce(calendar_date, toDate32(${localSql(instant)}))`
}
