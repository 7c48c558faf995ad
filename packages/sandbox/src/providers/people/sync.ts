import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar } from './days.ts'
import { betweenAt, deriveSeed, isAt } from './noise.ts'

/** How often a device uploads its data. */
export interface SyncHabit {
  /** So that devices of one person do not upload at the same time. */
  readonly use: number
  readonly everyHours: readonly [number, number]
  /** Share of days on which it uploads nothing. */
  readonly silentDays: number
}

export const RING_SYNC: SyncHabit = { use: 500, everyHours: [0.8, 3], silentDays: 0.05 }
export const SENSOR_SYNC: SyncHabit = { use: 501, everyHours: [0.25, 0.7], silentDays: 0.02 }

/**
 * Returns the upload times of a device on a day, the oldest first: after getting up, and
 * occasionally until bedtime.
 */
export function syncsOn(calendar: Calendar, number: number, habit: SyncHabit): number[] {
  const seed = deriveSeed(calendar.person.seed, habit.use)
  if (isAt(seed, number, habit.silentDays)) return []
  const { night, to } = calendar.day(number)
  const bedtime = Math.min(calendar.day(number + 1).night.from, to)
  const syncs: number[] = []
  const own = deriveSeed(seed, number)
  let at = night.to + Math.round(betweenAt(own, 0, 6, 40)) * MINUTE_MS
  for (let position = 1; at < bedtime; position += 1) {
    syncs.push(at)
    const hours = betweenAt(own, position, ...habit.everyHours)
    at += Math.round(hours * 60) * MINUTE_MS
  }
  return syncs
}

/** After this many silent days the person has opened the app. */
const MOST_DAYS = 6

/** Returns the time up to which a provider has the data of a device, as of `now`. */
export function syncedUntil(calendar: Calendar, now: number, habit: SyncHabit): number {
  if (calendar.person.traits.has('live')) return now
  const today = calendar.dayAt(now).number
  for (let number = today; number > today - MOST_DAYS; number -= 1) {
    const last = syncsOn(calendar, number, habit).findLast((at) => at <= now)
    if (last !== undefined) return last
  }
  return now - MOST_DAYS * 24 * HOUR_MS
}
