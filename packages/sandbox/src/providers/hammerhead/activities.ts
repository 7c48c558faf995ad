import { MINUTE_MS } from '@salus/contracts/time-units'
import { type FitRecord, fitFile, HAMMERHEAD } from '../fit-file.ts'
import type { Calendar } from '../people/days.ts'
import { deriveSeed, uuidAt } from '../people/noise.ts'
import {
  measuresOf,
  type Recorded,
  ratesOf,
  recordedUntil,
  uploadedAt,
  wattsOf,
} from '../people/recorded-workouts.ts'

/** Rides of a computer of bicycles. */

export const RECORD_MS = 2000
export const ASCENT_METERS = 120
/** A file exists some minutes after its activity. */
const PROCESSING_MS = 4 * MINUTE_MS

/** Kinds of rides, by what people do without a bicycle elsewhere. */
const RIDES: Readonly<Record<string, { type: string; sport: number; subSport: number }>> = {
  cycling: { type: 'RIDE', sport: 2, subSport: 7 },
  running: { type: 'GRAVEL', sport: 2, subSport: 46 },
  walking: { type: 'EBIKE', sport: 21, subSport: 28 },
}

export const userIdOf = ({ person: { seed } }: Calendar): string =>
  String(100_000 + (seed % 900_000))

export const activityIdOf = (calendar: Calendar, { day }: Recorded): string =>
  `${userIdOf(calendar)}.activity.${uuidAt(deriveSeed(calendar.person.seed, 571), day)}`

export const isProcessed = (calendar: Calendar, ride: Recorded, now: number): boolean =>
  uploadedAt(calendar, ride) + PROCESSING_MS <= now

/** Returns the synchronized rides, the newest first. */
export const uploadedRides = (calendar: Calendar, now: number): Recorded[] =>
  recordedUntil(calendar, now, (sport) => sport in RIDES)

/** An activity as lists show it. */
export function summaryOf(calendar: Calendar, ride: Recorded) {
  const { seconds, distanceMeters } = measuresOf(calendar, ride.exercise, RECORD_MS)
  return {
    id: activityIdOf(calendar, ride),
    name: `Ride ${ride.day}`,
    createdAt: new Date(ride.exercise.from).toISOString(),
    duration: seconds * 1000,
    distance: Math.round(distanceMeters * 100) / 100,
  }
}

/** An activity with all its fields. */
export const activityOf = (calendar: Calendar, ride: Recorded) => ({
  ...summaryOf(calendar, ride),
  activityType: RIDES[ride.exercise.sport.name]?.type ?? 'RIDE',
  description: '',
  polyline: null,
  updatedAt: new Date(uploadedAt(calendar, ride)).toISOString(),
})

/** Returns the file of a ride. */
export function fileOf(calendar: Calendar, ride: Recorded): Buffer {
  const { exercise } = ride
  const { metersASecond, name } = exercise.sport
  const rates = ratesOf(calendar, exercise, RECORD_MS)
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
  const { seconds, ...measures } = measuresOf(calendar, ride.exercise, RECORD_MS)
  const { sport, subSport } = RIDES[name] ?? { sport: 2, subSport: 0 }
  const session = {
    ...measures,
    ascentMeters: ASCENT_METERS,
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
