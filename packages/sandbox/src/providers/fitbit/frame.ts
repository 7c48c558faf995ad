import { DAY_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { localText, midnightOf, offsetAt, utcText } from '../people/local-time.ts'
import { bitsAt, deriveSeed, seedOf } from '../people/noise.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** There are no data older than this many days. */
export const PAST_DAYS = 400
export const WATCH_SYNC: SyncHabit = { use: 505, everyHours: [0.3, 2], silentDays: 0.04 }

/** Returns the time up to which the tracker of a person synchronized. */
export const fitbitUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, WATCH_SYNC)

/** The vendor's days are those of the zone of the profile, also on journeys. */
export const zoneOf = ({ person }: Calendar): string => person.homeZone

export function spanOfDay(calendar: Calendar, day: number): Span {
  const zone = zoneOf(calendar)
  return { from: midnightOf(zone, day), to: midnightOf(zone, day + 1) }
}

export const dayAt = (calendar: Calendar, at: number): number =>
  Math.floor((at + offsetAt(zoneOf(calendar), at)) / DAY_MS)

/** `2026-03-01T07:30:00.000`, in the zone of the profile. */
export const localOf = (calendar: Calendar, at: number): string =>
  localText(at, offsetAt(zoneOf(calendar), at)).slice(0, 23)

/** The person's days that may touch a day of the vendor. */
export const daysAround = (day: number): number[] => [day - 1, day, day + 1]

export const accountIdOf = (account: string): string =>
  seedOf(`fitbit id/${account}`).toString(36).toUpperCase().padStart(7, '0')

/** Returns a number that stays within those that JSON keeps. */
export const logIdOf = (calendar: Calendar, use: number, day: number, position: number): number =>
  (day * 16 + position) * 100_000 + (bitsAt(deriveSeed(calendar.person.seed, use), day) % 50_000)

export const utcOf = (at: number): string => utcText(at)
