/**
 * SQL: seconds east of UTC where a person was at the instant of a row. The row's own offset, else that
 * of the person's fallback zone, for which the statement has the parameter `fallbackZone` ('UTC' when
 * there is none; contract 09, section 2).
 * @param instant A column of type DateTime64(3, 'UTC').
 * @param offset A column of type Nullable(Int32).
 */
export function localOffsetSql(instant: string, offset = 'timezone_offset'): string {
  return `coalesce(${offset}, timeZoneOffset(toTimeZone(${instant}, {fallbackZone:String})))`
}

/** SQL: the wall-clock time of an instant, as a DateTime64(3, 'UTC') that means no zone. */
export function localTimeSql(instant: string, offset = 'timezone_offset'): string {
  return `${instant} + toIntervalSecond(${localOffsetSql(instant, offset)})`
}
