import type { Calendar } from '../people/days.ts'
import { offsetText } from '../people/local-time.ts'
import { bitsAt, deriveSeed } from '../people/noise.ts'
import {
  measuresOf,
  type Recorded,
  ratesOf,
  recordedUntil,
  wattsOf,
} from '../people/recorded-workouts.ts'

/** Activities of a game, in which people ride where they exercise elsewhere. */

const SPORTS: Readonly<Record<string, string>> = {
  cycling: 'CYCLING',
  running: 'RUNNING',
  walking: 'RUNNING',
  swimming: 'ROWING',
}
export const RECORD_MS = 1000
/** A pause in the middle of each activity. */
const PAUSE_SECONDS = 45

export const profileIdOf = ({ person: { seed } }: Calendar): number => 100_000 + (seed % 5_000_000)

/** Ids are longer than a number. */
export const activityIdOf = ({ person: { seed } }: Calendar, { day }: Recorded): string =>
  `16${String(bitsAt(deriveSeed(seed, 581), day)).padStart(10, '0')}${String(day).padStart(6, '0')}`

/** Returns the uploaded activities, the newest first. */
export const uploadedActivities = (calendar: Calendar, now: number): Recorded[] =>
  recordedUntil(calendar, now, (sport) => sport in SPORTS)

/** `2024-05-01T17:04:11.000+0000` */
const timeText = (at: number): string =>
  `${new Date(at).toISOString().slice(0, 23)}${offsetText(0).replace(':', '')}`

const hasRates = (name: string): boolean => name !== 'swimming'

/** An activity as lists show it; `id` is written as a number of that many digits. */
export function activityOf(calendar: Calendar, recorded: Recorded) {
  const { exercise } = recorded
  const measures = measuresOf(calendar, exercise, RECORD_MS)
  const id = activityIdOf(calendar, recorded)
  const minutes = Math.round(measures.seconds / 60)
  return {
    id_str: id,
    profileId: profileIdOf(calendar),
    worldId: 1,
    name: `Watopia ${recorded.day}`,
    sport: SPORTS[exercise.sport.name] ?? 'CYCLING',
    startDate: timeText(exercise.from),
    endDate: timeText(exercise.to),
    duration: `${Math.floor(minutes / 60)}:${minutes % 60}`,
    movingTimeInMs: (measures.seconds - PAUSE_SECONDS) * 1000,
    distanceInMeters: measures.distanceMeters,
    totalElevation: 84,
    calories: measures.calories,
    avgWatts: wattsOf(exercise),
    // 0 stands for none.
    avgHeartRate: hasRates(exercise.sport.name) ? (measures.meanHeartRate ?? 0) : 0,
    autoClosed: false,
    privacy: 'PUBLIC',
    fitFileBucket: 's3-fit-prd-uswest2-zwift',
    fitFileKey: `prod/${profileIdOf(calendar)}/${id}`,
  }
}

/** A session that was opened and not used. */
export function ghostOf(calendar: Calendar, recorded: Recorded) {
  const from = recorded.exercise.from - 120_000
  return {
    ...activityOf(calendar, recorded),
    id_str: `${activityIdOf(calendar, recorded)}9`,
    startDate: timeText(from),
    endDate: timeText(from + 20_000),
    movingTimeInMs: 0,
    distanceInMeters: 0,
    calories: 0,
    avgWatts: 0,
    avgHeartRate: 0,
    autoClosed: true,
  }
}

/** Fields that an activity has beside those of the list. */
export function detailOf(calendar: Calendar, recorded: Recorded, isProcessed: boolean) {
  const { exercise } = recorded
  const { highestHeartRate = 0 } = measuresOf(calendar, exercise, RECORD_MS)
  const id = activityIdOf(calendar, recorded)
  const base = `https://us-or-rly101.zwift.com/api/activities/${id}/file`
  return {
    ...activityOf(calendar, recorded),
    maxHeartRate: hasRates(exercise.sport.name) ? highestHeartRate : 0,
    maxWatts: wattsOf(exercise),
    fitnessData: isProcessed
      ? { status: 'AVAILABLE', fullDataUrl: `${base}/full`, smallDataUrl: `${base}/small` }
      : { status: 'PROCESSING' },
  }
}

/** The seconds of an activity, without those of its pause. */
export function secondsOf(calendar: Calendar, { exercise }: Recorded) {
  const { metersASecond, name } = exercise.sport
  const rates = hasRates(name) ? ratesOf(calendar, exercise, RECORD_MS) : new Map<number, number>()
  const length = (exercise.to - exercise.from) / 1000
  const pause = Math.floor(length / 2)
  const isPaused = (second: number): boolean => second >= pause && second < pause + PAUSE_SECONDS
  const times = Array.from({ length }, (_, second) => second).filter((second) => !isPaused(second))
  return {
    timeInSec: times,
    heartRate: times.map((second) => rates.get(exercise.from + second * 1000) ?? 0),
    powerInWatts: times.map(() => wattsOf(exercise)),
    cadencePerMin: times.map(() => 86),
    distanceInCm: times.map((second) => Math.round(metersASecond * second * 100)),
    speedInCmPerSec: times.map(() => Math.round(metersASecond * 100)),
    altitudeInCm: times.map(() => 1250),
    latlng: times.map((second) => [-11.64 + second / 1e5, 166.95]),
  }
}
