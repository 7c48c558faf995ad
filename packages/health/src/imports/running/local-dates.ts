import { parseInstant } from '@salus/kernel/time/instants'
import type { DateOrder } from '../import-options.ts'

/**
 * A date, and after it a time of 24 or 12 hours. The parts of the date are separated by hyphens,
 * slashes or dots; a time has minutes, and may have seconds and their fractions.
 */
const DATE_TIME =
  /^(\d{1,4})([-/.])(\d{1,2})\2(\d{1,4})\.?(?:(?:T|,? +)(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:[.,](\d{1,9}))?)?(?: ?([AP])\.? ?M\.?)?)?$/i
/** What most programs write, which has one order and needs no patterns. */
const USUAL = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d$/
/** Phones write narrow spaces before AM and PM, and direction marks around times. */
const SPACES = /[\s\u00a0\u2009\u202f]+/g
const INVISIBLE = /[\u200e\u200f\ufeff]/g

/** What dates of a file say about the order of their day and month. */
export interface DateEvidence {
  /** Whether a date can only have the day first. */
  dayFirst: boolean
  /** Whether a date can only have the month first. */
  monthFirst: boolean
  /** Whether a date begins with a year of four digits. */
  yearFirst: boolean
  /** Whether a time has AM or PM. */
  halfDays: boolean
  /** Whether a date is valid in both orders. */
  undecided: boolean
}

export const noEvidence = (): DateEvidence => ({
  dayFirst: false,
  monthFirst: false,
  yearFirst: false,
  halfDays: false,
  undecided: false,
})

const normalize = (text: string): string => text.replace(INVISIBLE, '').replace(SPACES, ' ').trim()

/** Adds what one date says. Other texts say nothing. */
export function addEvidence(evidence: DateEvidence, text: string): void {
  if (USUAL.test(text)) {
    evidence.yearFirst = true
    return
  }
  const parts = DATE_TIME.exec(normalize(text))
  if (parts === null) return
  const [, first = '', , second = '', , , , , , half] = parts
  evidence.halfDays ||= half !== undefined
  if (first.length === 4) evidence.yearFirst = true
  else if (Number(first) > 12) evidence.dayFirst = true
  else if (Number(second) > 12) evidence.monthFirst = true
  else if (first !== second) evidence.undecided = true
}

/**
 * Returns the order that the dates of a file prove; null where they contradict each other, and
 * undefined where every date is valid in both orders.
 */
export function orderOf(evidence: DateEvidence): DateOrder | null | undefined {
  const { dayFirst, monthFirst, yearFirst, undecided } = evidence
  if (dayFirst && monthFirst) return null
  if (dayFirst) return 'day_first'
  if (monthFirst) return 'month_first'
  // Dates with the same number for day and month need no order.
  return undecided ? undefined : yearFirst ? 'year_first' : 'day_first'
}

/**
 * Reads a local date, or a date with a time, of the given order, and returns it as
 * `2026-03-01T18:05:30`, or as `2026-03-01` without a time. A date that begins with a year of four
 * digits has the order year, month, day. Years of two digits are of this century. Undefined for any
 * other text, such as one with an offset.
 */
export function readLocalDate(text: string, order: DateOrder): string | undefined {
  const usual = USUAL.test(text) ? parseInstant(text) : undefined
  if (usual !== undefined && text > '1000') return text.replace(' ', 'T')
  const parts = DATE_TIME.exec(normalize(text))
  if (parts === null) return undefined
  const [, first = '', , second = '', third = '', hour, minute = '', seconds = '00'] = parts
  const [fraction, half] = parts.slice(8)
  const isYearFirst = first.length === 4 || order === 'year_first'
  const [year, month, day] = isYearFirst
    ? [first, second, third]
    : order === 'day_first'
      ? [third, second, first]
      : [third, first, second]
  const date = dateOf(year, month, day)
  if (date === undefined || hour === undefined) return date
  const hours = hourOf(Number(hour), half)
  if (hours === undefined || Number(minute) > 59 || Number(seconds) > 59) return undefined
  const milliseconds = fraction === undefined ? '' : `.${fraction.padEnd(3, '0').slice(0, 3)}`
  return `${date}T${pad(hours)}:${minute}:${seconds}${milliseconds}`
}

function dateOf(year: string, month: string, day: string): string | undefined {
  if (year.length !== 4 && year.length !== 2) return undefined
  if (day.length > 2) return undefined
  const [y, m, d] = [Number(year) + (year.length === 2 ? 2000 : 0), Number(month), Number(day)]
  const date = new Date(Date.UTC(y, m - 1, d))
  const isReal = date.getUTCMonth() === m - 1 && date.getUTCDate() === d
  return isReal && y >= 1000 ? date.toISOString().slice(0, 10) : undefined
}

/** Noon is 12 PM and midnight 12 AM. */
function hourOf(hour: number, half: string | undefined): number | undefined {
  if (half === undefined) return hour <= 23 ? hour : undefined
  if (hour < 1 || hour > 12) return undefined
  return (hour % 12) + (half.toUpperCase() === 'P' ? 12 : 0)
}

const pad = (number: number): string => String(number).padStart(2, '0')
