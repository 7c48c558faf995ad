import { localTimeSql } from '../../platform/clickhouse/local-time-sql.ts'

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

/** The wall-clock time of an instant of a stored row. */
export function localSql(instant: string): string {
  return `(${localTimeSql(instant)})`
}

/** The day of an instant of a stored row, unless its source said one. */
export function localDaySql(instant: string): string {
  return `coalesce(calendar_date, toDate32(${localSql(instant)}))`
}
