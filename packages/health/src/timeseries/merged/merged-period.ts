import { DAY_MS, HOUR_MS } from '@salus/contracts/time-units'
import { badRequest } from '@salus/kernel/errors'
import {
  parseDate,
  parseEndBound,
  parseStartBound,
  startOfUtcDay,
} from '@salus/kernel/time/instants'
import type { SlotName } from './local-slots.ts'
import { EVERYTHING, type RollUpWindow } from './roll-up.ts'

/**
 * Days that are merged at a time, however long the range: some two thousand slots, and a month of
 * samples.
 */
const CHUNK_DAYS: Readonly<Record<SlotName, number>> = {
  minute: 1,
  '5_minutes': 7,
  '15_minutes': 14,
  hour: 31,
  day: 31,
}

/** Returns the number of days that are merged at once. */
export function chunkDaysOf(slot: SlotName, isExplained: boolean): number {
  // Every sample is listed then.
  return isExplained ? 1 : CHUNK_DAYS[slot]
}

/** Returns the day of a date, counted from 1970-01-01. */
export const dayNumber = (date: string): number => startOfUtcDay(date) / DAY_MS

interface MergedPeriodQuery {
  start_date: string
  end_date?: string | null
}

/** The range of a query: instants and local days, half-open. */
export type MergedPeriod = Pick<RollUpWindow, 'from' | 'to' | 'fromDay' | 'toDay'>

/**
 * Reads the bounds of a query. A bare date is a local day of the user; a date-time is an instant,
 * and as an end covers its whole second.
 * @throws AppError 400 `invalid_date_range`.
 */
export function mergedPeriodOf(query: MergedPeriodQuery, now: Date): MergedPeriod {
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
  return period
}

/** Local time is at most this far from UTC. */
export const MOST_AHEAD_MS = 14 * HOUR_MS
export const MOST_BEHIND_MS = 12 * HOUR_MS

/** From 1900 to 2200, where the engine's times are exact. */
export const FIRST_MS = Date.UTC(1900)
export const LAST_MS = Date.UTC(2200)

/** Returns the range of keys of slots that a period may touch, half-open. */
export function keysOf(period: MergedPeriod, slotMs: number): [from: number, to: number] {
  const from = Math.max(period.from - slotMs, period.fromDay * DAY_MS - MOST_AHEAD_MS, FIRST_MS)
  const to = Math.min(period.to, period.toDay * DAY_MS + MOST_BEHIND_MS, LAST_MS)
  if (slotMs !== DAY_MS) return [from, to]
  const first = Math.floor((period.from - MOST_BEHIND_MS) / DAY_MS)
  const last = Math.floor((period.to + MOST_AHEAD_MS) / DAY_MS) + 1
  const bounds = [Math.max(first, period.fromDay), Math.min(last, period.toDay)] as const
  return [Math.max(bounds[0], FIRST_MS / DAY_MS), Math.min(bounds[1], LAST_MS / DAY_MS)]
}
