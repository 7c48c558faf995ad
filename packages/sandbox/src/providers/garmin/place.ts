import type { Calendar, Span } from '../people/days.ts'
import { uuidAt } from '../people/noise.ts'
import { StateWalk } from '../people/states.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** A summary in the form of the vendor. */
export type Summary = Readonly<Record<string, unknown>> & { readonly summaryId: string }

export const WATCH_SYNC: SyncHabit = { use: 520, everyHours: [0.5, 2.5], silentDays: 0.04 }

/** Returns the time up to which the vendor has the data of a watch. */
export const watchUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, WATCH_SYNC)

export const userIdOf = ({ person: { seed } }: Calendar): string =>
  uuidAt(seed, 521).replaceAll('-', '')

export const seconds = (at: number): number => Math.floor(at / 1000)

/** The fields that place a summary in time. */
export const placed = (calendar: Calendar, { from, to }: Span) => ({
  startTimeInSeconds: seconds(from),
  startTimeOffsetInSeconds: calendar.offsetAt(from) / 1000,
  durationInSeconds: seconds(to) - seconds(from),
})

/** Ids begin with the person and have the start in hexadecimal digits. */
export const idOf = ({ person: { seed } }: Calendar, at: number, rest: string): string =>
  `x${(seed >>> 0).toString(16).padStart(8, '0').slice(0, 7)}-${seconds(at).toString(16)}${rest}`

/** Returns a map from seconds since the start to values; undefined ones are left out. */
export function offsetsOf(
  calendar: Calendar,
  { from, to }: Span,
  stepMs: number,
  valueAt: (at: number, isWorn: boolean) => number | undefined,
): Record<string, number> {
  const values: Record<string, number> = {}
  const walk = new StateWalk(calendar, from)
  for (let at = from; at < to; at += stepMs) {
    walk.stateAt(at)
    const value = valueAt(at, walk.isWornAt(at))
    if (value !== undefined) values[seconds(at) - seconds(from)] = value
  }
  return values
}
