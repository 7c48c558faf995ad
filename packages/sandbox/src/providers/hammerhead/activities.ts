import { MINUTE_MS } from '@salus/contracts/time-units'
import { type FitRecord, fitFile, HAMMERHEAD } from '../fit-file.ts'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { betweenAt, deriveSeed, uuidAt } from '../people/noise.ts'

/** Rides of a computer of bicycles, each a function of the person, the day and the time. */

/** Number of days before now at which the activities begin. */
const PAST_DAYS = 400
const RECORD_MS = 2000
/** A file exists some minutes after its activity. */
const PROCESSING_MS = 4 * MINUTE_MS

/** Kinds of rides, by what people do without a bicycle elsewhere. */
const RIDES: Readonly<Record<string, { type: string; sport: number; subSport: number }>> = {
  cycling: { type: 'RIDE', sport: 2, subSport: 7 },
  running: { type: 'GRAVEL', sport: 2, subSport: 46 },
  walking: { type: 'EBIKE', sport: 21, subSport: 28 },
}

export interface Ride {
  readonly day: number
  readonly exercise: Exercise
}

export const userIdOf = ({ person: { seed } }: Calendar): string =>
  String(100_000 + (seed % 900_000))

export const activityIdOf = (calendar: Calendar, { day }: Ride): string =>
  `${userIdOf(calendar)}.activity.${uuidAt(deriveSeed(calendar.person.seed, 571), day)}`

/** Returns when a ride is synchronized: some minutes after its end. */
export const uploadedAt = ({ person: { seed } }: Calendar, { day, exercise }: Ride): number =>
  exercise.to + Math.round(betweenAt(deriveSeed(seed, 572), day, 1, 25)) * MINUTE_MS

export const isProcessed = (calendar: Calendar, ride: Ride, now: number): boolean =>
  uploadedAt(calendar, ride) + PROCESSING_MS <= now

/** Returns the synchronized rides, the newest first. */
export function uploadedRides(calendar: Calendar, now: number): Ride[] {
  const today = calendar.dayAt(now).number
  const found: Ride[] = []
  for (let day = today; day > today - PAST_DAYS; day--) {
    for (const exercise of calendar.day(day).exercises) {
      const ride = { day, exercise }
      if (exercise.sport.name in RIDES && uploadedAt(calendar, ride) <= now) found.push(ride)
    }
  }
  return found
}

/** Heart rates of the sensor, by their time. */
function ratesOf(calendar: Calendar, exercise: Exercise): Map<number, number> {
  const rates = new Map<number, number>()
  new Heart(calendar).each(exercise, RECORD_MS, (at, rate) => rates.set(at, rate))
  return rates
}

export const wattsOf = ({ effort }: Exercise): number => Math.round(175 * effort)

/** What the computer measured of a whole ride. */
export function measuresOf(calendar: Calendar, { exercise }: Ride) {
  const seconds = (exercise.to - exercise.from) / 1000
  const rates = [...ratesOf(calendar, exercise).values()]
  const calories = activeMinutes(calendar, exercise).reduce(
    (sum, { met }) => sum + caloriesOf(met, calendar.person.weightKilograms),
    0,
  )
  return {
    seconds,
    distanceMeters: exercise.sport.metersASecond * seconds,
    calories: Math.round(calories),
    ascentMeters: 120,
    ...(rates.length > 0 && {
      meanHeartRate: Math.round(rates.reduce((sum, rate) => sum + rate, 0) / rates.length),
      highestHeartRate: rates.reduce((most, rate) => Math.max(most, rate)),
    }),
  }
}

/** An activity as lists show it. */
export function summaryOf(calendar: Calendar, ride: Ride) {
  const { seconds, distanceMeters } = measuresOf(calendar, ride)
  return {
    id: activityIdOf(calendar, ride),
    name: `Ride ${ride.day}`,
    createdAt: new Date(ride.exercise.from).toISOString(),
    duration: seconds * 1000,
    distance: Math.round(distanceMeters * 100) / 100,
  }
}

/** An activity with all its fields. */
export const activityOf = (calendar: Calendar, ride: Ride) => ({
  ...summaryOf(calendar, ride),
  activityType: RIDES[ride.exercise.sport.name]?.type ?? 'RIDE',
  description: '',
  polyline: null,
  updatedAt: new Date(uploadedAt(calendar, ride)).toISOString(),
})

/** Returns the file of a ride. */
export function fileOf(calendar: Calendar, ride: Ride): Buffer {
  const { exercise } = ride
  const { metersASecond, name } = exercise.sport
  const rates = ratesOf(calendar, exercise)
  const records: FitRecord[] = []
  for (let at = exercise.from; at < exercise.to; at += RECORD_MS) {
    const passed = (at - exercise.from) / 1000
    records.push({
      at,
      heartRate: rates.get(at),
      altitudeMeters: 40,
      watts: wattsOf(exercise),
      cadence: 84,
      latitude: 52.5 + (metersASecond * passed) / 111_195,
      longitude: 13.4,
      distanceMeters: metersASecond * passed,
      metersASecond,
      celsius: 14,
    })
  }
  const { seconds, ...measures } = measuresOf(calendar, ride)
  const { sport, subSport } = RIDES[name] ?? { sport: 2, subSport: 0 }
  const session = {
    ...measures,
    from: exercise.from,
    to: exercise.to,
    sport,
    subSport,
    movingSeconds: seconds - 60,
    meanWatts: wattsOf(exercise),
    highestWatts: wattsOf(exercise),
    normalizedWatts: wattsOf(exercise),
    offset: calendar.offsetAt(exercise.to),
  }
  return fitFile(records, { manufacturer: HAMMERHEAD, session })
}
