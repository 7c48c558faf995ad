import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { Window } from './compiled-query.ts'
import { type Span, spanOf, subtractSpan } from './period.ts'
import type { Timeframe } from './query.schema.ts'

const FIVE_YEARS: Span = { kind: 'months', months: 60 }
/** Five years with two leap days, whichever they are. */
const MOST_DAYS = 1827

/**
 * Returns the floating time range of a timeframe, which ends with the anchor day.
 * @throws AppError 400 `range_too_large` for more than five years.
 */
export function windowOf({ anchor, past }: Timeframe): Window {
  const to = startOfUtcDay(anchor) + DAY_MS
  const from = subtractSpan(to, spanOf(past))
  const earliest = Math.min(subtractSpan(to, FIVE_YEARS), to - MOST_DAYS * DAY_MS)
  if (from >= earliest) return { from, to }
  throw badRequest('range_too_large', 'A query reaches over at most five years.')
}
