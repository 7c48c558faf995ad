import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import {
  dateAtOffset,
  parseDate,
  parseEndBound,
  parseStartBound,
} from '@salus/kernel/time/instants'

/** Start or end of a range: a day, compared with the local day of a row, or an instant. */
export type Bound = { date: string } | { instant: number }

export interface Period {
  from: Bound
  to: Bound
  /** Longer than a year: its rows are counted first, and read while they are sent. */
  isLong: boolean
}

/** Meaning of the dates of a query (docs/contract/06-summaries.md#date-semantics). */
export interface DateRules {
  /** Whether a date-time is truncated to its date. */
  isDateOnly: boolean
  /** Meaning of a missing end: the present instant, or the present day in the most eastern zone. */
  openEnd: 'instant' | 'date'
}

export interface PeriodQuery {
  start_date: string
  end_date?: string | null
}

const SHORT_DAYS = 366
/** The easternmost local time. */
const FURTHEST_EAST_SECONDS = 14 * 3600

/**
 * Returns the range of a query, both ends included. The schema has validated both texts.
 * @throws AppError 400 `invalid_date_range`.
 */
export function periodOf(query: PeriodQuery, rules: DateRules, now: Date): Period {
  const start = cutToDate(query.start_date, rules)
  const end = query.end_date ? cutToDate(query.end_date, rules) : null
  const first = parseStartBound(start) as number
  const last = end === null ? now.getTime() : (parseEndBound(end) as number)
  if (first > last) throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  return {
    from: boundOf(start, first),
    to: end === null ? openEndOf(rules, now) : boundOf(end, last),
    isLong: last - first >= SHORT_DAYS * DAY_MS,
  }
}

function cutToDate(text: string, { isDateOnly }: DateRules): string {
  return isDateOnly ? text.slice(0, 10) : text
}

function boundOf(text: string, instant: number): Bound {
  const date = parseDate(text)
  return date === undefined ? { instant } : { date }
}

function openEndOf({ openEnd }: DateRules, now: Date): Bound {
  const instant = now.getTime()
  return openEnd === 'instant'
    ? { instant }
    : { date: dateAtOffset(instant, FURTHEST_EAST_SECONDS) }
}

/** Returns the present dates that a query may mean: in UTC, and in the most eastern zone. */
export function presentDates(now: Date): string {
  return `${dateAtOffset(now.getTime(), 0)} ${dateAtOffset(now.getTime(), FURTHEST_EAST_SECONDS)}`
}
