import { badRequest } from '../../../platform/errors.ts'
import {
  parseDate,
  parseEndBound,
  parseStartBound,
  startOfUtcDay,
} from '../../../platform/time/instants.ts'
import { DAY_MS, type SlotName } from './local-slots.ts'
import { EVERYTHING, type RollUpWindow } from './roll-up.ts'

/** How much one read may span, and how much of it is merged at a time, in days. */
interface Reach {
  mostDays: number
  chunkDays: number
}

/** A chunk has some two thousand slots at most, and a month of samples. */
const REACH: Readonly<Record<SlotName, Reach>> = {
  minute: { mostDays: 31, chunkDays: 1 },
  '5_minutes': { mostDays: 92, chunkDays: 7 },
  '15_minutes': { mostDays: 183, chunkDays: 14 },
  hour: { mostDays: 366, chunkDays: 31 },
  day: { mostDays: 366, chunkDays: 31 },
}
/** With every sample listed. */
const EXPLAINED_REACH: Reach = { mostDays: 31, chunkDays: 1 }

/** How many days may be asked for at once, and are merged at once. */
export function reachOf(slot: SlotName, isExplained: boolean): Reach {
  return isExplained ? EXPLAINED_REACH : REACH[slot]
}

/** The first day of a date, counted from 1970-01-01. */
export const dayNumber = (date: string): number => startOfUtcDay(date) / DAY_MS

interface MergedPeriodQuery {
  start_date: string
  end_date?: string | null
}

/** What a query asks for: instants and local days, half-open. */
export type MergedPeriod = Pick<RollUpWindow, 'from' | 'to' | 'fromDay' | 'toDay'>

/**
 * Reads the bounds of a query. A bare date is a local day of the person; a date-time is an instant, and
 * as an end covers its whole second.
 * @throws AppError 400 `invalid_date_range` or `range_too_large`.
 */
export function mergedPeriodOf(
  query: MergedPeriodQuery,
  mostDays: number,
  now: Date,
): MergedPeriod {
  const { from, to, fromDay, toDay } = EVERYTHING
  const period = { from, to, fromDay, toDay }
  const startDate = parseDate(query.start_date)
  if (startDate === undefined) period.from = parseStartBound(query.start_date) as number
  else period.fromDay = dayNumber(startDate)
  const endDate = query.end_date ? parseDate(query.end_date) : undefined
  if (endDate !== undefined) period.toDay = dayNumber(endDate) + 1
  else {
    period.to = query.end_date ? (parseEndBound(query.end_date) as number) + 1 : now.getTime() + 1
  }
  const start = Math.max(period.from, period.fromDay * DAY_MS)
  const end = Math.min(period.to, period.toDay * DAY_MS)
  const bothSame = (startDate === undefined) === (endDate === undefined)
  // A day may begin before the same day in UTC, and end after it.
  if (start >= end + (bothSame ? 0 : DAY_MS)) {
    throw badRequest('invalid_date_range', 'start_date is later than end_date.')
  }
  if (end - start > mostDays * DAY_MS) {
    throw badRequest('range_too_large', 'The range is too large for slots of this length.', {
      most_days: mostDays,
    })
  }
  return period
}

/** Local time is at most this far from UTC. */
export const MOST_AHEAD_MS = 14 * 3_600_000
export const MOST_BEHIND_MS = 12 * 3_600_000

/** The range of keys of slots that a period may touch, half-open. */
export function keysOf(period: MergedPeriod, slotMs: number): [from: number, to: number] {
  const from = Math.max(period.from - slotMs, period.fromDay * DAY_MS - MOST_AHEAD_MS)
  const to = Math.min(period.to, period.toDay * DAY_MS + MOST_BEHIND_MS)
  if (slotMs !== DAY_MS) return [from, to]
  const first = Math.floor((period.from - MOST_BEHIND_MS) / DAY_MS)
  const last = Math.floor((period.to + MOST_AHEAD_MS) / DAY_MS) + 1
  return [Math.max(first, period.fromDay), Math.min(last, period.toDay)]
}
