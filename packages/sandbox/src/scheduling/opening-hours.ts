import { MINUTE_MS, SECOND_MS } from '@salus/contracts/time-units'
import { Temporal } from 'temporal-polyfill'

/** From one instant to another, epoch milliseconds; the second is exclusive. */
export interface Span {
  from: number
  to: number
}

const instantOf = (date: Temporal.PlainDate, timeZone: string, plainTime: string): number =>
  date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds

/** Returns local days, including the first one, YYYY-MM-DD. */
export function listDates(startDate: string, days: number): string[] {
  const first = Temporal.PlainDate.from(startDate)
  return Array.from({ length: days }, (_, index) => first.add({ days: index }).toString())
}

/** Returns the local day of an instant, YYYY-MM-DD. */
export function dateAt(instant: number, timeZone: string): string {
  return zonedAt(instant, timeZone).toPlainDate().toString()
}

/** Returns the start of a local day, epoch milliseconds. */
export function startOfDay(date: string, timeZone: string): number {
  return Temporal.PlainDate.from(date).toZonedDateTime(timeZone).epochMilliseconds
}

/** Saturdays and Sundays. */
export const isWeekend = (date: string): boolean => Temporal.PlainDate.from(date).dayOfWeek > 5

/**
 * Returns a span of a local day by its local times, `HH:MM`. A time that the day does not have
 * becomes the next one that it has.
 */
export function spanOf(date: string, timeZone: string, opens: string, closes: string): Span {
  const day = Temporal.PlainDate.from(date)
  return { from: instantOf(day, timeZone, opens), to: instantOf(day, timeZone, closes) }
}

/** Returns the first full local hour after an instant. */
export function nextFullHour(instant: number, timeZone: string): number {
  let next = instant
  do {
    const { minute, second, millisecond } = zonedAt(next, timeZone)
    next += (60 - minute) * MINUTE_MS - second * SECOND_MS - millisecond
    // Where offsets change by half an hour the hour is not over yet.
  } while (zonedAt(next, timeZone).minute !== 0)
  return next
}

function zonedAt(instant: number, timeZone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(timeZone)
}
