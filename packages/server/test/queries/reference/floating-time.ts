import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { Temporal } from 'temporal-polyfill'
import type { PeriodUnit, WirePeriod, WireTimeframe } from './wire-query.ts'

/** Floating times are epoch milliseconds of the wall clock read as if it were UTC. */

/** 0001-01-01, a Monday. */
const FIRST_DAY_MS = -62_135_596_800_000

const FIXED_MS: Partial<Record<PeriodUnit, number>> = {
  minute: MINUTE_MS,
  hour: HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
}

export function parseDay(day: string): number {
  return Date.parse(`${day}T00:00:00Z`)
}

/** `2025-01-31` or `2025-01-31T07:00:00`. */
export function parseFloating(text: string): number {
  return text.length === 10 ? parseDay(text) : Date.parse(`${text}Z`)
}

export function formatDay(floating: number): string {
  return new Date(floating).toISOString().slice(0, 10)
}

export function formatDateTime(floating: number): string {
  return new Date(floating).toISOString().slice(0, 19)
}

const offsets = new Map<string, number>()

/** Seconds east of UTC in a zone. */
export function zoneOffset(zone: string, instant: number): number {
  const key = `${zone} ${instant}`
  const known = offsets.get(key)
  if (known !== undefined) return known
  const zoned = Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone)
  const offset = zoned.offsetNanoseconds / 1e9
  offsets.set(key, offset)
  return offset
}

/**
 * docs/contract/09-aggregate.md#floating-time: the row's own offset, else that of its zone, else of
 * the fallback zone, else UTC.
 */
export function offsetAt(
  instant: number,
  row: { timezoneOffset: number | null; timeZone: string },
  fallbackZone: string | null,
): number {
  if (row.timezoneOffset !== null) return row.timezoneOffset
  if (row.timeZone !== '') return zoneOffset(row.timeZone, instant)
  return fallbackZone === null ? 0 : zoneOffset(fallbackZone, instant)
}

function toPlain(floating: number): Temporal.PlainDateTime {
  return Temporal.Instant.fromEpochMilliseconds(floating)
    .toZonedDateTimeISO('UTC')
    .toPlainDateTime()
}

function fromPlain(plain: Temporal.PlainDateTime): number {
  return plain.toZonedDateTime('UTC').epochMilliseconds
}

/** Goes by a number of periods, back when it is negative; a day that a month lacks is its last. */
export function addPeriod(floating: number, period: WirePeriod, times: number): number {
  const amount = (period.value ?? 1) * times
  const fixed = FIXED_MS[period.unit]
  if (fixed !== undefined) return floating + fixed * amount
  return fromPlain(toPlain(floating).add({ [`${period.unit}s`]: amount }))
}

/** docs/contract/09-aggregate.md#query-api: the time that ends with the anchor day. */
export function windowOf({ anchor, past }: WireTimeframe): { from: number; to: number } {
  const to = parseDay(anchor) + DAY_MS
  return { from: addPeriod(to, past, -1), to }
}

/**
 * docs/contract/09-aggregate.md#expressions: the multiple of a period, counted from 0001-01-01, in
 * which a time lies.
 */
export function truncate(floating: number, { unit, value = 1 }: WirePeriod): number {
  const fixed = FIXED_MS[unit]
  if (fixed !== undefined) {
    const step = fixed * value
    return FIRST_DAY_MS + Math.floor((floating - FIRST_DAY_MS) / step) * step
  }
  const date = new Date(floating)
  const months = (date.getUTCFullYear() - 1) * 12 + (unit === 'year' ? 0 : date.getUTCMonth())
  const step = unit === 'year' ? 12 * value : value
  const first = Math.floor(months / step) * step
  return fromPlain(new Temporal.PlainDateTime(1, 1, 1).add({ months: first }))
}

/** docs/contract/09-aggregate.md#expressions: ISO weeks and weekdays. */
export function datePart(floating: number, part: string): number {
  const plain = toPlain(floating)
  switch (part) {
    case 'minute':
      return plain.minute
    case 'hour':
      return plain.hour
    case 'day':
      return plain.day
    case 'week':
    case 'week_of_year':
      return plain.weekOfYear as number
    case 'month':
      return plain.month
    case 'year':
      return plain.year
    case 'weekday':
      return plain.dayOfWeek
    case 'day_of_year':
      return plain.dayOfYear
    default:
      throw new Error(`No part ${part}`)
  }
}

/** `+05:30`. */
export function formatOffset(seconds: number): string {
  const minutes = Math.floor(Math.abs(seconds) / 60)
  const parts = [Math.floor(minutes / 60), minutes % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${seconds < 0 ? '-' : '+'}${parts.join(':')}`
}
