import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { FitRecord } from '../fit-file.ts'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { betweenAt, deriveSeed, isAt } from '../people/noise.ts'

/** Workouts of a computer of a bicycle, each a function of the person, the day and the time. */

/** Number of days before now at which the workouts begin. */
export const PAST_DAYS = 400

export const TYPES: Readonly<Record<string, number>> = {
  running: 1,
  cycling: 15,
  walking: 6,
  strength_training: 42,
  swimming: 25,
  yoga: 66,
}
/** Sports in which a sensor of the heart rate is worn. */
const WITHOUT_RATES = new Set(['swimming'])
export const RECORD_MS = 5000
const EDIT_MS = 5 * HOUR_MS

export const userIdOf = ({ person: { seed } }: Calendar): number => 10_000 + (seed % 9_000_000)
export const workoutIdOf = ({ person: { seed } }: Calendar, day: number): number =>
  (seed % 10_000) * 100_000 + day

const isoText = (at: number): string => new Date(at).toISOString()
const decimal = (value: number): string => value.toFixed(2)

/** Returns when a workout is uploaded: some minutes after its end. */
export const uploadedAt = ({ person: { seed } }: Calendar, day: number, { to }: Exercise): number =>
  to + Math.round(betweenAt(deriveSeed(seed, 561), day, 1, 25)) * MINUTE_MS

/** Some get another name some hours later; undefined for the others. */
export const editedAt = (
  calendar: Calendar,
  day: number,
  exercise: Exercise,
): number | undefined =>
  isAt(deriveSeed(calendar.person.seed, 562), day, 0.15)
    ? uploadedAt(calendar, day, exercise) + EDIT_MS
    : undefined

/** Heart rates of the sensor; none where there is no sensor. */
export function ratesOf(calendar: Calendar, exercise: Exercise): Map<number, number> {
  const rates = new Map<number, number>()
  if (WITHOUT_RATES.has(exercise.sport.name)) return rates
  new Heart(calendar).each(exercise, RECORD_MS, (at, rate) => rates.set(at, rate))
  return rates
}

export const wattsOf = (exercise: Exercise): number | undefined =>
  exercise.sport.name === 'cycling' ? Math.round(180 * exercise.effort) : undefined

const NO_NUMBERS = {
  ascent_accum: null,
  cadence_avg: null,
  calories_accum: null,
  distance_accum: null,
  duration_active_accum: null,
  duration_paused_accum: null,
  duration_total_accum: null,
  heart_rate_avg: null,
  power_bike_np_last: null,
  power_bike_tss_last: null,
  power_avg: null,
  speed_avg: null,
  work_accum: null,
}

function numbersOf(calendar: Calendar, exercise: Exercise) {
  const { weightKilograms } = calendar.person
  const minutes = activeMinutes(calendar, exercise)
  const calories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
  const duration = (exercise.to - exercise.from) / 1000
  const meters = exercise.sport.metersASecond * duration
  const rates = [...ratesOf(calendar, exercise).values()]
  const mean = rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length)
  const watts = wattsOf(exercise)
  return {
    ...NO_NUMBERS,
    ascent_accum: decimal(0),
    calories_accum: decimal(calories),
    // Zeros stand for what was not measured.
    distance_accum: decimal(meters),
    duration_active_accum: decimal(duration),
    duration_paused_accum: decimal(0),
    duration_total_accum: decimal(duration),
    heart_rate_avg: decimal(mean),
    speed_avg: decimal(exercise.sport.metersASecond),
    ...(watts !== undefined && {
      power_avg: decimal(watts),
      power_bike_np_last: decimal(watts * 1.04),
      work_accum: decimal(watts * duration),
    }),
  }
}

/** A workout with its summary, as known at a moment. */
export function workoutOf(
  calendar: Calendar,
  day: number,
  exercise: Exercise,
  { now, fileUrl }: { now: number; fileUrl: string },
) {
  const id = workoutIdOf(calendar, day)
  const created = uploadedAt(calendar, day, exercise)
  const edited = editedAt(calendar, day, exercise)
  const isEdited = edited !== undefined && edited <= now
  const times = {
    created_at: isoText(created),
    updated_at: isoText(isEdited ? edited : created + MINUTE_MS),
  }
  return {
    id,
    starts: isoText(exercise.from),
    minutes: Math.round((exercise.to - exercise.from) / MINUTE_MS),
    name: isEdited ? 'Well done' : exercise.sport.name,
    plan_id: null,
    route_id: null,
    workout_token: `ELEMNT 7E0A:${day}`,
    workout_type_id: TYPES[exercise.sport.name] ?? 47,
    ...times,
    workout_summary: {
      id: id + 1,
      ...numbersOf(calendar, exercise),
      ...times,
      file: { url: fileUrl },
    },
  }
}

/** The summary before the file was processed. */
export function emptySummaryOf(calendar: Calendar, day: number, exercise: Exercise) {
  const at = isoText(uploadedAt(calendar, day, exercise))
  const id = workoutIdOf(calendar, day) + 1
  return { id, ...NO_NUMBERS, created_at: at, updated_at: at, file: null }
}

/** Tomorrow's workout, which has no summary. */
export function plannedOf(calendar: Calendar, now: number) {
  const { number } = calendar.dayAt(now)
  const { night } = calendar.day(number + 1)
  return {
    id: workoutIdOf(calendar, number + 1) + 50_000_000_000,
    starts: isoText(night.to + 8 * HOUR_MS),
    minutes: 45,
    name: 'Planned ride',
    plan_id: 1,
    route_id: null,
    workout_token: `plan:${number}`,
    workout_type_id: 15,
    created_at: isoText(night.from),
    updated_at: isoText(night.from),
    workout_summary: null,
  }
}

/** What the file of a workout has. */
export function fitRecordsOf(calendar: Calendar, exercise: Exercise): FitRecord[] {
  const rates = ratesOf(calendar, exercise)
  const { metersASecond, stepsAMinute, name } = exercise.sport
  const records: FitRecord[] = []
  for (let at = exercise.from; at < exercise.to; at += RECORD_MS) {
    const passed = (at - exercise.from) / 1000
    records.push({
      at,
      heartRate: rates.get(at),
      altitudeMeters: 40,
      watts: wattsOf(exercise),
      // FIT counts one leg.
      cadence:
        stepsAMinute > 0 ? Math.round(stepsAMinute / 2) : name === 'cycling' ? 85 : undefined,
      ...(metersASecond > 0 && {
        latitude: 52.5 + (metersASecond * passed) / 111_195,
        longitude: 13.4,
        distanceMeters: metersASecond * passed,
        metersASecond,
      }),
    })
  }
  return records
}
