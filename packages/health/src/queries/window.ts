import { DAY_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import { startOfUtcDay } from '@salus/kernel/time/instants'
import type { Window } from './compiled-query.ts'
import { goBack, type Span, spanOf } from './period.ts'
import type { Timeframe } from './query.schema.ts'

const FIVE_YEARS: Span = { kind: 'months', months: 60 }
/** Five years with two leap days, whichever they are. */
const MOST_DAYS = 1827

/**
 * The floating time that a timeframe means: it ends with the anchor day.
 * @throws AppError 400 `range_too_large` for more than five years.
 */
export function windowOf({ anchor, past }: Timeframe): Window {
  const to = startOfUtcDay(anchor) + DAY_MS
  const from = goBack(to, spanOf(past))
  const earliest = Math.min(goBack(to, FIVE_YEARS), to - MOST_DAYS * DAY_MS)
  if (from >= earliest) return { from, to }
  throw badRequest('range_too_large', 'A query reaches over at most five years.')
}
