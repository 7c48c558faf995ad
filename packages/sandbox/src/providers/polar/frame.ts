import { DAY_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Exercise, Span } from '../people/days.ts'
import { localText } from '../people/local-time.ts'
import { seedOf, uuidAt } from '../people/noise.ts'
import { type Sleep, sleepsOn } from '../people/sleep.ts'
import { isWornDuring } from '../people/states.ts'
import { type SyncHabit, syncedUntil } from '../people/sync.ts'

/** What records of Polar have in common: times, durations, and what the watch uploaded. */

export const SLUG = 'polar'

const WATCH_SYNC: SyncHabit = { use: 511, everyHours: [1, 4], silentDays: 0.06 }

/** Returns the time up to which the watch of an account uploaded its data. */
export const polarUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, WATCH_SYNC)

/** Numeric id of a user. */
export const userIdOf = (account: string): number =>
  10_000_000 + (seedOf(`polar id/${account}`) % 80_000_000)

/** `2026-03-01T07:30:00`, without an offset. */
export const wallText = (calendar: Calendar, at: number): string =>
  localText(at, calendar.offsetAt(at)).slice(0, 19)

/** `2026-03-01T07:30:00+02:00` */
export const zonedText = (calendar: Calendar, at: number): string => {
  const text = localText(at, calendar.offsetAt(at))
  return text.slice(0, 19) + text.slice(23)
}

/** `PT1H5M30S`; parts that are 0 are left out, as the vendor does. */
export function durationText(seconds: number): string {
  const [hours, minutes, rest] = [
    Math.floor(seconds / 3600),
    Math.floor(seconds / 60) % 60,
    seconds % 60,
  ]
  const text = `${hours ? `${hours}H` : ''}${minutes ? `${minutes}M` : ''}${rest ? `${rest}S` : ''}`
  return `PT${text || '0S'}`
}

/** Returns the exercises of days that a span overlaps and that were uploaded. */
export function exercisesIn(
  calendar: Calendar,
  span: Span,
  until: number,
): { day: number; exercise: Exercise }[] {
  return calendar
    .days(span)
    .flatMap(({ number, exercises }) => exercises.map((exercise) => ({ day: number, exercise })))
    .filter(({ exercise }) => exercise.to <= until && exercise.from >= span.from)
    .filter(({ exercise }) => exercise.from < span.to && isWornDuring(calendar, exercise))
}

export const exerciseId = ({ person }: Calendar, day: number): string =>
  Buffer.from(uuidAt(person.seed, day).slice(0, 6)).toString('base64url')

/** Returns the night that ended on a day, if the watch recorded and uploaded it. */
export function nightOn(calendar: Calendar, day: number, until: number): Sleep | undefined {
  return sleepsOn(calendar, day).find(
    (sleep) => sleep.kind === 'night' && sleep.to <= until && isWornDuring(calendar, sleep),
  )
}

/** Returns the numbers of the last days, of which the vendor serves nights. */
export function lastDays(calendar: Calendar, now: number, count: number): number[] {
  const today = calendar.dayAt(now).number
  return Array.from({ length: count }, (_, position) => today - count + 1 + position)
}

export const STEP_MS = 5 * MINUTE_MS
/** Days whose exercises and nights are listed. */
export const EXERCISE_MS = 30 * DAY_MS
export const NIGHT_DAYS = 28
