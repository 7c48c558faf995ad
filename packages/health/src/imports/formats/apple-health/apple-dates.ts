export interface AppleInstant {
  epochMilliseconds: number
  /** East of Greenwich is positive. */
  offsetSeconds: number
}

const DATE_LENGTH = '2024-03-10 01:59:00 -0800'.length
const MAX_OFFSET_SECONDS = 18 * 3600
const DAYS_IN_MONTH = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

// Consecutive records share a day, so caching one day saves nearly all calendar arithmetic.
let lastDay = -1
let lastDayMilliseconds = 0

/**
 * Parses `2024-03-10 01:59:00 -0800`, the only form in which Apple writes times, without `Date`
 * parsing or a pattern: each record has three of them. Any other text, or a day or time that does
 * not exist, gives undefined.
 */
export function parseAppleDate(text: string): AppleInstant | undefined {
  if (text.length !== DATE_LENGTH || !hasSeparators(text)) return undefined
  const year = twoDigits(text, 0) * 100 + twoDigits(text, 2)
  const day = dayStart(year, twoDigits(text, 5), twoDigits(text, 8))
  const hours = twoDigits(text, 11)
  const minutes = twoDigits(text, 14)
  const seconds = twoDigits(text, 17)
  const offset = twoDigits(text, 21) * 3600 + twoDigits(text, 23) * 60
  // A missing digit is NaN, with which every comparison is false: hence the positive form.
  const valid = hours < 24 && minutes < 60 && seconds < 60 && twoDigits(text, 23) < 60
  if (!valid || !(offset <= MAX_OFFSET_SECONDS) || Number.isNaN(day)) return undefined
  const offsetSeconds = text.charCodeAt(20) === 45 && offset !== 0 ? -offset : offset
  const localSeconds = hours * 3600 + minutes * 60 + seconds
  return { epochMilliseconds: day + (localSeconds - offsetSeconds) * 1000, offsetSeconds }
}

function hasSeparators(text: string): boolean {
  const sign = text.charCodeAt(20)
  return (
    text.charCodeAt(4) === 45 &&
    text.charCodeAt(7) === 45 &&
    text.charCodeAt(10) === 32 &&
    text.charCodeAt(13) === 58 &&
    text.charCodeAt(16) === 58 &&
    text.charCodeAt(19) === 32 &&
    (sign === 45 || sign === 43)
  )
}

function twoDigits(text: string, at: number): number {
  const tens = text.charCodeAt(at) - 48
  const ones = text.charCodeAt(at + 1) - 48
  return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
}

/** Returns the milliseconds of 00:00 UTC on that day, or NaN for a day that does not exist. */
function dayStart(year: number, month: number, day: number): number {
  const key = (year * 100 + month) * 100 + day
  if (key === lastDay) return lastDayMilliseconds
  if (!(month >= 1 && month <= 12 && day >= 1 && year >= 1000)) return Number.NaN
  if (day > (DAYS_IN_MONTH[month - 1] as number)) return Number.NaN
  const milliseconds = Date.UTC(year, month - 1, day)
  if (new Date(milliseconds).getUTCDate() !== day) return Number.NaN
  lastDay = key
  lastDayMilliseconds = milliseconds
  return milliseconds
}

/** Formats a time for the name of a record: `2024-03-01T17:44:00Z`. */
export function instantName(epochMilliseconds: number): string {
  return `${new Date(epochMilliseconds).toISOString().slice(0, 19)}Z`
}
