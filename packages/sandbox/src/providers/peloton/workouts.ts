import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Exercise } from '../people/days.ts'
import { deriveSeed, uuidAt } from '../people/noise.ts'
import {
  measuresOf,
  type Recorded,
  ratesOf,
  recordedUntil,
  wattsOf,
} from '../people/recorded-workouts.ts'

/** Workouts on machines of the vendor, and with its app. */

const DISCIPLINES: Readonly<Record<string, string>> = {
  cycling: 'cycling',
  running: 'running',
  walking: 'walking',
  swimming: 'caesar',
  strength_training: 'strength',
  yoga: 'yoga',
}
export const RECORD_MS = 1000
const METERS_A_MILE = 1609.344
/** Sensors of the heart rate begin some seconds after a workout, and a list may end earlier. */
const SILENT_SECONDS = 5
const MISSING_SECONDS = 3

const hexOf = (uuid: string): string => uuid.replaceAll('-', '')

export const accountIdOf = ({ person: { seed } }: Calendar): string =>
  hexOf(uuidAt(deriveSeed(seed, 590), 0))

export const workoutIdOf = ({ person: { seed } }: Calendar, { day }: Recorded): string =>
  hexOf(uuidAt(deriveSeed(seed, 591), day))

/** Accounts of the United States show miles. */
export const showsMiles = ({ person: { homeZone } }: Calendar): boolean =>
  homeZone.startsWith('America/')

export const uploadedWorkouts = (calendar: Calendar, now: number): Recorded[] =>
  recordedUntil(calendar, now, (sport) => sport in DISCIPLINES)

/** Returns the workout that goes on; undefined where there is none. */
export function presentWorkout(calendar: Calendar, now: number): Recorded | undefined {
  const { number: day, exercises } = calendar.dayAt(now)
  const exercise = exercises.find(({ from, to }) => from <= now && now < to)
  return exercise && { day, exercise }
}

/** Some accounts have zones with a fixed offset, whose sign is the reverse of the usual one. */
export function zoneNameOf(calendar: Calendar, at: number): string {
  const offset = calendar.offsetAt(at)
  const isFixed = calendar.person.seed % 4 === 0 && offset % HOUR_MS === 0
  const hours = -offset / HOUR_MS
  return isFixed ? `Etc/GMT${hours < 0 ? '' : '+'}${hours}` : calendar.zoneAt(at)
}

export const isOutdoors = ({ sport }: Exercise): boolean => sport.name === 'walking'
const isRidden = ({ sport }: Exercise): boolean =>
  sport.name === 'cycling' || sport.name === 'swimming'

const isOnFoot = ({ sport }: Exercise): boolean =>
  sport.name === 'running' || sport.name === 'walking'
/** Strokes of a minute on a rower. */
export const STROKES = 24
const hundredths = (value: number): number => Math.round(value * 100) / 100

/** A workout as lists show it. */
export function workoutOf(calendar: Calendar, recorded: Recorded, now: number) {
  const { exercise } = recorded
  const isOver = exercise.to <= now
  const seconds = (exercise.to - exercise.from) / 1000
  return {
    id: workoutIdOf(calendar, recorded),
    status: isOver ? 'COMPLETE' : 'IN_PROGRESS',
    fitness_discipline: DISCIPLINES[exercise.sport.name] ?? 'cardio',
    created_at: exercise.from / 1000,
    start_time: exercise.from / 1000,
    end_time: isOver ? exercise.to / 1000 : null,
    timezone: zoneNameOf(calendar, exercise.from),
    total_work: isRidden(exercise) && isOver ? wattsOf(exercise) * seconds : 0,
    is_outdoor: isOutdoors(exercise),
    has_pedaling_metrics: isRidden(exercise),
    device_type: isRidden(exercise) ? 'home_bike_v1' : 'iPhone',
    workout_type: 'class',
    user_id: accountIdOf(calendar),
    ride: {
      id: hexOf(uuidAt(deriveSeed(calendar.person.seed, 592), recorded.day)),
      title: `${Math.round((exercise.to - exercise.from) / MINUTE_MS)} min class`,
      duration: seconds,
      image_url: 'https://cdn.example.com/class.png',
      instructor_id: 'x',
    },
  }
}

/** Series of a workout, in the units of the account. */
export function seriesOf(calendar: Calendar, { exercise }: Recorded) {
  const { metersASecond } = exercise.sport
  const miles = showsMiles(calendar)
  const [speedUnit, distanceUnit] = miles ? ['mph', 'mi'] : ['kph', 'km']
  const unitMeters = miles ? METERS_A_MILE : 1000
  const speed = (metersASecond * 3600) / unitMeters
  const { seconds, distanceMeters, calories, meanHeartRate, highestHeartRate } = measuresOf(
    calendar,
    exercise,
    RECORD_MS,
  )
  const rates = ratesOf(calendar, exercise, RECORD_MS)
  const times = Array.from({ length: seconds }, (_, second) => second)
  const constant = (value: number) => times.slice(0, -MISSING_SECONDS).map(() => value)
  const metric = (slug: string, display_unit: string, value: number) => ({
    slug,
    display_name: slug,
    display_unit,
    average_value: value,
    max_value: value,
    values: constant(value),
  })
  const watts = wattsOf(exercise)
  return {
    duration: seconds,
    is_class_plan_shown: true,
    seconds_since_pedaling_start: times,
    metrics: [
      ...(isRidden(exercise) ? [metric('output', 'watts', watts)] : []),
      ...(exercise.sport.name === 'cycling'
        ? [
            metric('cadence', 'rpm', 82),
            metric('resistance', '%', 41),
            metric('speed', speedUnit, speed),
          ]
        : []),
      ...(exercise.sport.name === 'swimming'
        ? [
            metric('stroke_rate', 'spm', STROKES),
            metric('split_pace', 'min/500m', hundredths(500 / (60 * metersASecond))),
          ]
        : []),
      ...(isOnFoot(exercise)
        ? [
            {
              ...metric('pace', miles ? 'min/mi' : 'min/km', hundredths(60 / speed)),
              alternatives: [metric('speed', speedUnit, speed)],
            },
          ]
        : []),
      ...(meanHeartRate === undefined
        ? []
        : [
            {
              slug: 'heart_rate',
              display_unit: 'bpm',
              average_value: meanHeartRate,
              max_value: highestHeartRate,
              values: times.map((second) =>
                second < SILENT_SECONDS ? null : (rates.get(exercise.from + second * 1000) ?? null),
              ),
              zones: [],
              missing_data_duration: SILENT_SECONDS,
            },
          ]),
    ],
    summaries: [
      { slug: 'total_output', display_unit: 'kj', value: Math.round((watts * seconds) / 1000) },
      { slug: 'distance', display_unit: distanceUnit, value: distanceMeters / unitMeters },
      { slug: 'calories', display_unit: 'kcal', value: calories },
    ],
    average_summaries: [],
    location_data: isOutdoors(exercise)
      ? [
          {
            is_gap: false,
            coordinates: times.map((second) => ({
              latitude: 52.5 + (metersASecond * second) / 111_195,
              longitude: 13.4,
              seconds_offset_from_start: second,
            })),
          },
        ]
      : [],
  }
}
