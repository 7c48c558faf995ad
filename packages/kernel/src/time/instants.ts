import { DAY_MS } from '@salus/contracts/time-units'
import { Temporal } from 'temporal-polyfill'

const DATE = /^(\d{4})[-/](\d{2})[-/](\d{2})$/
const DATE_TIME =
  /^\d{4}-\d{2}-\d{2}[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(Z|z|[+-]\d{2}(?::?\d{2})?)?$/

const TWO_DIGITS = Array.from({ length: 60 }, (_, number) => String(number).padStart(2, '0'))
let writtenDay = Number.NaN
let writtenDate = ''

/**
 * Formats an instant as the contract requires: UTC, whole seconds, `+00:00`
 * (docs/contract/01-conventions.md#base-rules).
 */
export function formatInstant(instant: Date | number): string {
  const milliseconds = Number(instant)
  const day = Math.floor(milliseconds / DAY_MS)
  // Events contain thousands of instants, nearly all of the same few days.
  if (day !== writtenDay) {
    writtenDate = dateOfDay(day)
    writtenDay = day
  }
  const second = Math.floor((milliseconds - day * DAY_MS) / 1000)
  const hours = TWO_DIGITS[Math.floor(second / 3600)]
  const minutes = TWO_DIGITS[Math.floor(second / 60) % 60]
  return `${writtenDate}T${hours}:${minutes}:${TWO_DIGITS[second % 60]}+00:00`
}

/** @param day Days since 1970. */
function dateOfDay(day: number): string {
  const date = new Date(day * DAY_MS)
  const year = date.getUTCFullYear()
  if (!(year >= 1000 && year <= 9999)) return date.toISOString().slice(0, 10)
  return `${year}-${TWO_DIGITS[date.getUTCMonth() + 1]}-${TWO_DIGITS[date.getUTCDate()]}`
}

/** An instant that was read from text, with the offset if the text has one. */
export interface ParsedInstant {
  epochMilliseconds: number
  offsetSeconds: number | null
}

/**
 * Parses an ISO 8601 date-time. Without an offset it is UTC
 * (docs/contract/01-conventions.md#dates-and-times). `Z` says nothing about where the person was,
 * because it is how most clients write any instant; `+00:00` is an offset like any other, and
 * `-00:00` says by definition (RFC 3339) that it is not known.
 */
export function parseInstant(text: string): ParsedInstant | undefined {
  const usual = parseUsualForm(text)
  if (usual !== undefined) return usual
  const match = DATE_TIME.exec(text)
  if (match === null) return undefined
  const zone = match[1]
  const iso = zone === undefined ? `${text}Z` : text
  const normal = normalizeIso(iso, zone)
  const epochMilliseconds = Date.parse(normal)
  if (Number.isNaN(epochMilliseconds) || !sameDay(text)) return undefined
  return { epochMilliseconds, offsetSeconds: zone === undefined ? null : offsetOf(zone) }
}

// Instants come in runs of one day, so one remembered day saves nearly all calendar arithmetic.
let lastDay = ''
let lastDayMilliseconds = Number.NaN

/**
 * Reads `2026-01-31T08:15:00Z` and `2026-01-31T08:15:00+02:00`, also with milliseconds or without a
 * zone, the forms that nearly all clients and providers write, at a fifth of the cost of a pattern
 * and Date.parse. Anything else is undefined.
 */
function parseUsualForm(text: string): ParsedInstant | undefined {
  const zoneAt = text.charCodeAt(19) === 46 ? 23 : 19
  const sign = text.charCodeAt(zoneAt)
  const isUtc = text.length === zoneAt || (sign === 90 && text.length === zoneAt + 1)
  if (!isUtc && (text.length !== zoneAt + 6 || (sign !== 43 && sign !== 45))) return undefined
  const epochMilliseconds = parseUsualLocal(text, zoneAt)
  if (Number.isNaN(epochMilliseconds)) return undefined
  if (isUtc) return { epochMilliseconds, offsetSeconds: null }
  const hours = twoDigits(text, zoneAt + 1)
  const minutes = twoDigits(text, zoneAt + 4)
  if (!(hours < 24 && minutes < 60) || text.charCodeAt(zoneAt + 3) !== 58) return undefined
  const seconds = (hours * 60 + minutes) * (sign === 43 ? 60 : -60)
  return {
    epochMilliseconds: epochMilliseconds - seconds * 1000,
    offsetSeconds: seconds === 0 && sign === 45 ? null : seconds,
  }
}

/** Returns the date and time before a zone as if they were UTC, or NaN. */
function parseUsualLocal(text: string, zoneAt: number): number {
  const separator = text.charCodeAt(10)
  if (separator !== 84 && separator !== 32) return Number.NaN
  if (text.charCodeAt(13) !== 58 || text.charCodeAt(16) !== 58) return Number.NaN
  const hours = twoDigits(text, 11)
  const minutes = twoDigits(text, 14)
  const seconds = twoDigits(text, 17)
  // Comparisons with NaN, which stands for a missing digit, are false.
  if (!(hours < 24 && minutes < 60 && seconds < 60)) return Number.NaN
  let milliseconds = 0
  if (zoneAt === 23) {
    milliseconds = twoDigits(text, 20) * 10 + text.charCodeAt(22) - 48
    const last = text.charCodeAt(22)
    if (last < 48 || last > 57) return Number.NaN
  }
  const day = text.slice(0, 10)
  if (day !== lastDay) {
    const date = parseDate(day)
    lastDay = day
    lastDayMilliseconds = date === day ? startOfUtcDay(day) : Number.NaN
  }
  return lastDayMilliseconds + ((hours * 60 + minutes) * 60 + seconds) * 1000 + milliseconds
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/**
 * Normalizes a date-time for Date.parse, which requires a T, a dot, an upper-case Z and a colon in
 * the offset.
 */
function normalizeIso(iso: string, zone: string | undefined): string {
  let normal = iso.replace(' ', 'T').replace(',', '.').replace('z', 'Z')
  if (zone !== undefined && zone.length === 5 && zone[3] !== ':') {
    normal = `${normal.slice(0, -2)}:${normal.slice(-2)}`
  } else if (zone !== undefined && zone.length === 3) {
    normal = `${normal}:00`
  }
  return normal
}

function offsetOf(zone: string): number | null {
  if (zone === 'Z' || zone === 'z') return null
  const digits = zone.replace(':', '')
  const seconds = Number(digits.slice(1, 3)) * 3600 + Number(digits.slice(3, 5) || 0) * 60
  if (zone[0] === '+') return seconds
  return seconds === 0 ? null : -seconds
}

/**
 * Whether Date.parse keeps the day: it turns 31 February into a day of March, and the contract
 * requires an error.
 */
function sameDay(text: string): boolean {
  const day = Number(text.slice(8, 10))
  if (day <= 28) return true
  const daysInMonth = new Date(Date.UTC(Number(text.slice(0, 4)), Number(text.slice(5, 7)), 0))
  return day <= daysInMonth.getUTCDate()
}

/** Reads a calendar date, `YYYY-MM-DD`; also with slashes, because the iOS client sends them. */
export function parseDate(text: string): string | undefined {
  if (!Number.isNaN(usualDay(text))) return text
  const match = DATE.exec(text)
  if (match === null) return undefined
  const [, year, month, day] = match
  const date = `${year}-${month}-${day}`
  const parsed = Date.parse(`${date}T00:00:00Z`)
  return !Number.isNaN(parsed) && sameDay(date) ? date : undefined
}

const DAYS_OF_MONTHS = [31, 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

/**
 * Returns the first millisecond of the UTC day of a text such as `2026-02-28`, and NaN for other
 * texts, and for 29 February, which needs more than arithmetic.
 */
function usualDay(text: string): number {
  if (text.length !== 10 || text.charCodeAt(4) !== 45 || text.charCodeAt(7) !== 45) {
    return Number.NaN
  }
  const century = twoDigits(text, 0)
  const month = twoDigits(text, 5)
  const day = twoDigits(text, 8)
  // Comparisons with NaN are false. Date.UTC moves the years of the first century.
  if (!(century > 0 && day >= 1 && day <= (DAYS_OF_MONTHS[month - 1] ?? 0))) return Number.NaN
  return Date.UTC(century * 100 + twoDigits(text, 2), month - 1, day)
}

/** Returns the first millisecond of a UTC day. */
export function startOfUtcDay(date: string): number {
  const usual = usualDay(date)
  return Number.isNaN(usual) ? Date.parse(`${date}T00:00:00Z`) : usual
}

/** Reads a start bound: a bare date is 00:00:00 of that day, UTC. Returns epoch milliseconds. */
export function parseStartBound(text: string): number | undefined {
  const date = parseDate(text)
  return date === undefined ? parseInstant(text)?.epochMilliseconds : startOfUtcDay(date)
}

/**
 * Reads an inclusive end bound: a bare date is 23:59:59 of that day, UTC. Instants are returned in
 * whole seconds, so a bound covers its whole second. Returns epoch milliseconds.
 */
export function parseEndBound(text: string): number | undefined {
  const date = parseDate(text)
  if (date !== undefined) return startOfUtcDay(date) + DAY_MS - 1
  const instant = parseInstant(text)?.epochMilliseconds
  return instant === undefined ? undefined : Math.floor(instant / 1000) * 1000 + 999
}

let datedDay = Number.NaN
let datedDate = ''

/** Returns the calendar date of an instant at an offset from UTC. */
export function dateAtOffset(epochMilliseconds: number, offsetSeconds: number): string {
  const day = Math.floor((epochMilliseconds + offsetSeconds * 1000) / DAY_MS)
  if (day !== datedDay) {
    datedDate = dateOfDay(day)
    datedDay = day
  }
  return datedDate
}

/** Returns the calendar date of an instant in a time zone. */
export function dateInZone(instant: Date, timeZone: string): string {
  const at = Temporal.Instant.fromEpochMilliseconds(instant.getTime())
  return at.toZonedDateTimeISO(timeZone).toPlainDate().toString()
}

/** True for an IANA time zone identifier; fixed offsets such as `+02:00` are not identifiers. */
export function isTimeZone(id: string): boolean {
  if (!/^[A-Za-z]/.test(id)) return false
  try {
    Temporal.Now.zonedDateTimeISO(id)
    return true
  } catch {
    return false
  }
}
