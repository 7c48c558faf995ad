import type { DatePartName } from '../expressions.schema.ts'
import type { Span } from '../period.ts'
import { EPOCH_LOCAL_MS, timeOfLocalMsSql } from '../tables/floating-sql.ts'

/**
 * Returns the bucket of a date_trunc: the number of its span since 0001-01-01
 * (docs/contract/09-aggregate.md#expressions), so that the next bucket is the next whole number.
 */
export function bucketSql(span: Span, localMs: string): string {
  if (span.kind === 'fixed') return `intDiv(${localMs}, ${span.ms})`
  const time = timeOfLocalMsSql(localMs)
  return `intDiv((toYear(${time}) - 1) * 12 + toMonth(${time}) - 1, ${span.months})`
}

/** Months from 0001-01 to 1970-01. */
const EPOCH_MONTH = 1969 * 12

/** Returns the floating time at which a bucket starts, DateTime64(3, 'UTC'). */
export function bucketStartSql(span: Span, bucket: string): string {
  if (span.kind === 'fixed') {
    const epochMs = `toInt64(${bucket}) * ${span.ms} - ${EPOCH_LOCAL_MS}`
    return `fromUnixTimestamp64Milli(${epochMs}, 'UTC')`
  }
  return `addMonths(toDateTime64('1970-01-01 00:00:00', 3, 'UTC'),
    toInt64(${bucket}) * ${span.months} - ${EPOCH_MONTH})`
}

/** Moves a floating time by a span; a day that a month lacks becomes its last one. */
export function addSpanSql(time: string, span: Span, direction: '+' | '-'): string {
  if (span.kind === 'fixed') return `(${time} ${direction} toIntervalMillisecond(${span.ms}))`
  return `(${time} ${direction} toIntervalMonth(${span.months}))`
}

const PART_FUNCTIONS: Record<DatePartName, string> = {
  minute: 'toMinute',
  hour: 'toHour',
  day: 'toDayOfMonth',
  week: 'toISOWeek',
  month: 'toMonth',
  year: 'toYear',
  weekday: 'toDayOfWeek',
  week_of_year: 'toISOWeek',
  day_of_year: 'toDayOfYear',
}

/** Returns a part of a floating time, such as the hour, as a whole number. */
export function datePartSql(part: DatePartName, localMs: string): string {
  return `toInt64(${PART_FUNCTIONS[part]}(${timeOfLocalMsSql(localMs)}))`
}
