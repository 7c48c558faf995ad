import assert from 'node:assert/strict'
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'

/**
 * Which slots there must be, found by looking at every ten minutes of a day through
 * Intl.DateTimeFormat: it shares no code with the providers of sandboxes.
 */

interface Moment {
  instant: number
  date: string
  /** Minutes after midnight, as a clock on the wall shows them. */
  minute: number
}

const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const known = formats.get(timeZone)
  if (known !== undefined) return known
  const digits = '2-digit'
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone,
    year: 'numeric',
    month: digits,
    day: digits,
    hour: digits,
    minute: digits,
    hourCycle: 'h23',
  })
  formats.set(timeZone, format)
  return format
}

function momentAt(instant: number, timeZone: string): Moment {
  const listed = formatOf(timeZone).formatToParts(instant)
  const parts = Object.fromEntries(listed.map(({ type, value }) => [type, value]))
  const { year, month, day, hour, minute } = parts
  return { instant, date: `${year}-${month}-${day}`, minute: Number(hour) * 60 + Number(minute) }
}

export const localDayOf = (instant: Date, timeZone: string): string =>
  momentAt(instant.getTime(), timeZone).date

/** Days of the calendar, which have no zone. */
export const nextDates = (first: string, count: number): string[] =>
  Array.from({ length: count }, (_, index) =>
    new Date(Date.parse(`${first}T00:00:00Z`) + index * DAY_MS).toISOString().slice(0, 10),
  )

const days = new Map<string, Moment[]>()

/** Every ten minutes of a local day, however many hours it has. */
function momentsOf(date: string, timeZone: string): Moment[] {
  const known = days.get(`${timeZone} ${date}`)
  if (known !== undefined) return known
  const middle = Date.parse(`${date}T12:00:00Z`)
  const moments: Moment[] = []
  for (let at = middle - 1.25 * DAY_MS; at < middle + 1.25 * DAY_MS; at += 10 * MINUTE_MS) {
    const moment = momentAt(at, timeZone)
    if (moment.date === date) moments.push(moment)
  }
  days.set(`${timeZone} ${date}`, moments)
  return moments
}

function instantAt(date: string, timeZone: string, hour: number): number {
  const moment = momentsOf(date, timeZone).find(({ minute }) => minute >= hour * 60)
  assert.ok(moment)
  return moment.instant
}

function stepsBetween(from: number, to: number, stepMs: number): number[] {
  const starts: number[] = []
  for (let at = from; at + stepMs <= to; at += stepMs) starts.push(at)
  return starts
}

/** Starts of the slots of a site on a local day. */
export function expectedOfSite(date: string, timeZone: string, now: Date): number[] {
  const at = (hour: number) => instantAt(date, timeZone, hour)
  const stepMs = 20 * MINUTE_MS
  if (date !== localDayOf(now, timeZone)) return stepsBetween(at(7), at(12), stepMs)
  if (now.getTime() >= at(16)) return []
  const nextHour = momentsOf(date, timeZone).find(
    ({ instant, minute }) => instant > now.getTime() && minute % 60 === 0,
  )
  assert.ok(nextHour)
  return stepsBetween(nextHour.instant, at(17), stepMs)
}

/** Starts of the slots of an area on a local day. */
export function expectedOfArea(date: string, timeZone: string, now: Date): number[] {
  const at = (hour: number) => instantAt(date, timeZone, hour)
  return stepsBetween(at(8), at(18), 2 * HOUR_MS).filter((start) => start > now.getTime())
}
