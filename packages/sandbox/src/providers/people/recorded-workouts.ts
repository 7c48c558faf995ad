import { MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from './activity.ts'
import type { Calendar, Exercise } from './days.ts'
import { Heart } from './heart.ts'
import { betweenAt, deriveSeed } from './noise.ts'

/** Workouts as machines and computers record them, each a function of the person and the time. */

/** Number of days before now at which the workouts of a vendor begin. */
const PAST_DAYS = 400

export interface Recorded {
  /** Days since 1970-01-01; a person exercises once a day. */
  readonly day: number
  readonly exercise: Exercise
}

/** Returns when a workout is uploaded: some minutes after its end. */
export const uploadedAt = ({ person: { seed } }: Calendar, { day, exercise }: Recorded): number =>
  exercise.to + Math.round(betweenAt(deriveSeed(seed, 572), day, 1, 25)) * MINUTE_MS

/**
 * Returns the uploaded workouts, the newest first.
 * @param has Whether a vendor records a sport.
 */
export function recordedUntil(
  calendar: Calendar,
  now: number,
  has: (sport: string) => boolean,
): Recorded[] {
  const today = calendar.dayAt(now).number
  const found: Recorded[] = []
  for (let day = today; day > today - PAST_DAYS; day--) {
    for (const exercise of calendar.day(day).exercises) {
      const recorded = { day, exercise }
      if (has(exercise.sport.name) && uploadedAt(calendar, recorded) <= now) found.push(recorded)
    }
  }
  return found
}

/** Returns heart rates by their time, in beats per minute. */
export function ratesOf(
  calendar: Calendar,
  exercise: Exercise,
  stepMs: number,
): Map<number, number> {
  const rates = new Map<number, number>()
  new Heart(calendar).each(exercise, stepMs, (at, rate) => rates.set(at, rate))
  return rates
}

export const wattsOf = ({ effort }: Exercise): number => Math.round(175 * effort)

/** What was measured of a whole workout. */
export function measuresOf(calendar: Calendar, exercise: Exercise, stepMs: number) {
  const seconds = (exercise.to - exercise.from) / 1000
  const rates = [...ratesOf(calendar, exercise, stepMs).values()]
  const calories = activeMinutes(calendar, exercise).reduce(
    (sum, { met }) => sum + caloriesOf(met, calendar.person.weightKilograms),
    0,
  )
  return {
    seconds,
    distanceMeters: exercise.sport.metersASecond * seconds,
    calories: Math.round(calories),
    ...(rates.length > 0 && {
      meanHeartRate: Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length),
      highestHeartRate: rates.reduce((most, rate) => Math.max(most, rate)),
    }),
  }
}
