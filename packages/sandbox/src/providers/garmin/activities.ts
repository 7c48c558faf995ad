import { HOUR_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { deriveSeed, isAt } from '../people/noise.ts'
import { isWornDuring } from '../people/states.ts'
import { placed, type Summary, seconds } from './place.ts'

const TYPES: Readonly<Record<string, string>> = {
  running: 'RUNNING',
  cycling: 'ROAD_BIKING',
  walking: 'WALKING',
  strength_training: 'STRENGTH_TRAINING',
  swimming: 'LAP_SWIMMING',
  yoga: 'YOGA',
}

export const SAMPLE_MS = 10_000
const EDIT_MS = 4 * HOUR_MS

export const activityIdOf = ({ person: { seed } }: Calendar, day: number): number =>
  7_000_000_000 + (seed % 10_000) * 100_000 + day

const exercisesOn = (calendar: Calendar, day: number, until: number): Exercise[] =>
  calendar
    .day(day)
    .exercises.filter((exercise) => exercise.to <= until && isWornDuring(calendar, exercise))

function summaryOf(calendar: Calendar, day: number, exercise: Exercise): Summary {
  const { sport } = exercise
  const minutes = activeMinutes(calendar, exercise)
  const total = (of: (minute: (typeof minutes)[number]) => number) =>
    minutes.reduce((sum, minute) => sum + of(minute), 0)
  const rates: number[] = []
  new Heart(calendar).each(exercise, SAMPLE_MS, (_at, rate) => rates.push(rate))
  const meters = Number(total((minute) => minute.meters).toFixed(2))
  const duration = (exercise.to - exercise.from) / 1000
  const id = activityIdOf(calendar, day)
  return {
    summaryId: String(id),
    activityId: id,
    activityName: `${sport.name.replace('_', ' ')}`,
    activityType: TYPES[sport.name] ?? 'OTHER',
    ...placed(calendar, exercise),
    ...(meters > 0 && {
      distanceInMeters: meters,
      averageSpeedInMetersPerSecond: Number((meters / duration).toFixed(3)),
    }),
    steps: total(({ steps }) => steps),
    activeKilocalories: Math.round(
      total(({ met }) => caloriesOf(met, calendar.person.weightKilograms)),
    ),
    averageHeartRateInBeatsPerMinute: Math.round(
      rates.reduce((sum, rate) => sum + rate, 0) / Math.max(1, rates.length),
    ),
    maxHeartRateInBeatsPerMinute: Math.max(0, ...rates),
    totalElevationGainInMeters: 12,
    deviceName: 'Garmin Forerunner 265',
    manual: false,
  }
}

export const activitiesOn = (calendar: Calendar, day: number, until: number): Summary[] =>
  exercisesOn(calendar, day, until).map((exercise) => summaryOf(calendar, day, exercise))

/** The same workouts with a sample for every ten seconds. */
export function detailsOn(calendar: Calendar, day: number, until: number): Summary[] {
  return exercisesOn(calendar, day, until).map((exercise) => {
    const { summaryId, activityId, ...summary } = summaryOf(calendar, day, exercise)
    const samples: object[] = []
    const { metersASecond, stepsAMinute } = exercise.sport
    new Heart(calendar).each(exercise, SAMPLE_MS, (at, heartRate) => {
      const passed = (at - exercise.from) / 1000
      samples.push({
        startTimeInSeconds: seconds(at),
        heartRate,
        ...(metersASecond > 0 && {
          speedMetersPerSecond: metersASecond,
          totalDistanceInMeters: Number((metersASecond * passed).toFixed(2)),
        }),
        ...(stepsAMinute > 0 && { stepsPerMinute: stepsAMinute }),
        clockDurationInSeconds: passed,
        timerDurationInSeconds: passed,
        movingDurationInSeconds: passed,
      })
    })
    return {
      summaryId: `${summaryId}-detail`,
      activityId,
      summary,
      samples,
      laps: [{ startTimeInSeconds: seconds(exercise.from) }],
    }
  })
}

/** Some activities get another name some hours later. */
export function editedOn(calendar: Calendar, day: number, until: number): Summary[] {
  const seed = deriveSeed(calendar.person.seed, 550)
  if (!isAt(seed, day, 0.15)) return []
  return exercisesOn(calendar, day, until - EDIT_MS).map((exercise) => ({
    ...summaryOf(calendar, day, exercise),
    activityName: 'Well done',
  }))
}
