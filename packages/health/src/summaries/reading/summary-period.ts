import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import {
  dateAtOffset,
  parseDate,
  parseEndBound,
  parseStartBound,
} from '@salus/kernel/time/instants'

/** Where a range begins or ends: a day, which means the local day of a row, or an instant. */
export type Bound = { date: string } | { instant: number }

export interface Period {
  from: Bound
  to: Bound
  /** Longer than a year: what it holds is counted first, and read as it is sent. */
  isLong: boolean
}

/** How the dates of a query are meant (docs/contract/06-summaries.md#date-semantics). */
export interface DateRules {
  /** A date-time is cut to its date. */
  isDateOnly: boolean
  /** Without an end: the instant of now, or the day that it is now, wherever the person may be. */
  openEnd: 'instant' | 'date'
}

export interface PeriodQuery {
  start_date: string
  end_date?: string | null
}

const SHORT_DAYS = 366
/** The furthest east that a local time is. */
const FURTHEST_EAST_SECONDS = 14 * 3600

/**
 * The range that a query asks for, both ends included. The schema has accepted both texts.
 * @throws AppError 400 `invalid_date_range`.
 */
export function periodOf(query: PeriodQuery, rules: DateRules, now: Date): Period {
  const start = cut(query.start_date, rules)
  const end = query.end_date ? cut(query.end_date, rules) : null
  const first = parseStartBound(start) as number
  const last = end === null ? now.getTime() : (parseEndBound(end) as number)
  if (first > last) throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  return {
    from: boundOf(start, first),
    to: end === null ? openEndOf(rules, now) : boundOf(end, last),
    isLong: last - first >= SHORT_DAYS * DAY_MS,
  }
}

function cut(text: string, { isDateOnly }: DateRules): string {
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
