import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { type ActiveMinute, activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise, Span } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { localText, offsetAt, offsetText, utcText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, unitAt } from '../people/noise.ts'

/** Activities of Strava's API v3, each a function of the person, the day and the present time. */

/** Number of days before now at which the data of an account begin. */
const PAST_DAYS = 400
const FIRST_ID = 12_000_000_000
const DAYS_IN_ID = 100_000

export const athleteIdOf = ({ person: { seed } }: Calendar): number =>
  1_000_000 + (seed % 90_000_000)

/** Larger than 32 bits. */
const activityIdOf = ({ person: { seed } }: Calendar, day: number): number =>
  FIRST_ID + (seed % 50_000) * DAYS_IN_ID + day

/** Returns the day of an activity's id. */
export const dayOfActivity = (id: number): number => (id - FIRST_ID) % DAYS_IN_ID

/** What becomes of an activity, as shares of all. */
const FATES = {
  manual: [0, 0.07],
  renamed: [0.07, 0.16],
  hidden: [0.16, 0.22],
  deleted: [0.22, 0.28],
  late: [0.28, 0.34],
  private: [0.34, 0.4],
} as const
type Fate = keyof typeof FATES

const RENAMED_MS = 2 * HOUR_MS
const HIDDEN_MS = 4 * HOUR_MS
const DELETED_MS = 30 * HOUR_MS
const LATE_MS = 3 * DAY_MS

/** An activity as the vendor knows it at a moment. */
export interface Activity {
  readonly id: number
  readonly exercise: Exercise
  readonly isManual: boolean
  readonly isPrivate: boolean
  readonly isRenamed: boolean
}

/** Returns the activities of a day that are uploaded and not deleted. */
export function activitiesOn(calendar: Calendar, day: number, now: number): Activity[] {
  const { seed, traits } = calendar.person
  const part = unitAt(deriveSeed(seed, 840), day)
  const is = (fate: Fate): boolean => part >= FATES[fate][0] && part < FATES[fate][1]
  return calendar.day(day).exercises.flatMap((exercise) => {
    const delay = Math.round(betweenAt(deriveSeed(seed, 841), day, 4, 40)) * MINUTE_MS
    const usual = exercise.to + (traits.has('live') ? 0 : delay)
    const uploadedAt = usual + (is('late') ? LATE_MS : 0)
    const isDeleted = is('deleted') && now >= uploadedAt + DELETED_MS
    if (uploadedAt > now || isDeleted) return []
    return [
      {
        id: activityIdOf(calendar, day),
        exercise,
        isManual: is('manual'),
        isPrivate: is('private') || (is('hidden') && now >= uploadedAt + HIDDEN_MS),
        isRenamed: is('renamed') && now >= uploadedAt + RENAMED_MS,
      },
    ]
  })
}

/** Returns the activities that begin within a span, the oldest first. */
export function activitiesIn(calendar: Calendar, { from, to }: Span, now: number): Activity[] {
  const first = Math.max(from, now - PAST_DAYS * DAY_MS)
  const last = Math.min(to, now)
  if (first >= last) return []
  return calendar
    .days({ from: first - DAY_MS, to: last })
    .flatMap(({ number }) => activitiesOn(calendar, number, now))
    .filter(({ exercise }) => exercise.from >= first && exercise.from < last)
}

/** The vendor's sports of the people's ones, and whether they move outdoors. */
const SPORTS: Readonly<Record<string, { type: string; sport: string; isOutside: boolean }>> = {
  running: { type: 'Run', sport: 'TrailRun', isOutside: true },
  cycling: { type: 'Ride', sport: 'GravelRide', isOutside: true },
  walking: { type: 'Walk', sport: 'Walk', isOutside: true },
  strength_training: { type: 'WeightTraining', sport: 'WeightTraining', isOutside: false },
  swimming: { type: 'Swim', sport: 'Swim', isOutside: false },
  yoga: { type: 'Yoga', sport: 'Yoga', isOutside: false },
}
const ANY_SPORT = { type: 'Workout', sport: 'Workout', isOutside: false }

const rounded = (value: number, digits: number): number => Number(value.toFixed(digits))

/** Interval of the points of streams. */
export const POINT_MS = 10_000

/** What a device measured during an exercise; no heart rates unless it was worn all the time. */
export interface Recording {
  readonly minutes: readonly ActiveMinute[]
  /** One for each point. */
  readonly beats: readonly number[] | undefined
  readonly meters: number
  readonly isOutside: boolean
  readonly isCycling: boolean
}

export function recordingOf(calendar: Calendar, exercise: Exercise): Recording {
  const minutes = activeMinutes(calendar, exercise)
  const beats: number[] = []
  new Heart(calendar).each(exercise, POINT_MS, (_at, rate) => beats.push(rate))
  const points = (exercise.to - exercise.from) / POINT_MS
  const { isOutside } = SPORTS[exercise.sport.name] ?? ANY_SPORT
  return {
    minutes,
    beats: beats.length === points ? beats : undefined,
    meters: minutes.reduce((sum, { meters }) => sum + meters, 0),
    isOutside,
    isCycling: exercise.sport.name === 'cycling',
  }
}

/** The text has the offset of winter also in summer. */
function zoneText(zone: string, at: number): string {
  const year = new Date(at).getUTCFullYear()
  const [winter, summer] = [Date.UTC(year, 0, 1), Date.UTC(year, 6, 1)]
  const standard = Math.min(offsetAt(zone, winter), offsetAt(zone, summer))
  return `(GMT${offsetText(standard)}) ${zone}`
}

const plain = (text: string): string => text.replace(/\.\d+/, '')

/** Power of a cyclist, in watts. */
export const wattsOf = (met: number): number => Math.round(met * 26)

/** Returns an activity as lists have it. */
export function summaryOf(calendar: Calendar, activity: Activity): Record<string, unknown> {
  const { id, exercise, isManual, isPrivate, isRenamed } = activity
  const { from, to } = exercise
  const { minutes, beats, meters, isOutside, isCycling } = recordingOf(calendar, exercise)
  const zone = calendar.zoneAt(from)
  const offset = offsetAt(zone, from)
  const { type, sport } = SPORTS[exercise.sport.name] ?? ANY_SPORT
  const seconds = (to - from) / 1000
  const moving = seconds - (seconds > 2400 ? 60 : 0)
  const watts = minutes.map(({ met }) => wattsOf(met))
  return {
    resource_state: 2,
    athlete: { id: athleteIdOf(calendar), resource_state: 1 },
    id,
    name: isRenamed ? 'A good one' : 'Activity',
    distance: rounded(meters, 1),
    moving_time: moving,
    elapsed_time: seconds,
    total_elevation_gain: isOutside ? rounded(meters / 100, 1) : 0,
    type,
    sport_type: sport,
    start_date: plain(utcText(from)),
    start_date_local: `${localText(from, offset).slice(0, 19)}Z`,
    timezone: zoneText(zone, from),
    utc_offset: offset / 1000,
    start_latlng: isOutside && !isManual ? [47.1, 8.5] : [],
    map: {
      id: `a${id}`,
      summary_polyline: isOutside && !isManual ? '_p~iF' : '',
      resource_state: 2,
    },
    trainer: false,
    commute: false,
    manual: isManual,
    private: isPrivate,
    visibility: isPrivate ? 'only_me' : 'everyone',
    gear_id: null,
    average_speed: rounded(meters / moving, 3),
    max_speed: isManual ? 0 : rounded(Math.max(...minutes.map((minute) => minute.meters / 60)), 3),
    has_heartrate: beats !== undefined && !isManual,
    ...(beats !== undefined &&
      !isManual && {
        average_heartrate: rounded(beats.reduce((sum, rate) => sum + rate, 0) / beats.length, 1),
        max_heartrate: Math.max(...beats),
      }),
    ...(isCycling &&
      !isManual && {
        average_watts: rounded(watts.reduce((sum, one) => sum + one, 0) / watts.length, 1),
        max_watts: Math.max(...watts),
        weighted_average_watts: Math.round(Math.max(...watts) * 0.9),
        device_watts: true,
        kilojoules: rounded(watts.reduce((sum, one) => sum + one * 60, 0) / 1000, 1),
      }),
    ...(isOutside && !isManual && { elev_high: 452.5, elev_low: 430.2 }),
    upload_id: isManual ? null : id + 7,
    external_id: isManual ? null : `${id}.fit`,
  }
}

/** Returns an activity with all fields. */
export function detailOf(calendar: Calendar, activity: Activity): Record<string, unknown> {
  const { exercise, isManual } = activity
  const { weightKilograms } = calendar.person
  const { minutes, isOutside } = recordingOf(calendar, exercise)
  const calories = minutes.reduce((sum, { met }) => sum + caloriesOf(met, weightKilograms), 0)
  const summary = summaryOf(calendar, activity)
  return {
    ...summary,
    resource_state: 3,
    map: {
      ...(summary.map as object),
      polyline: isOutside && !isManual ? '_p~iF~ps|U' : '',
      resource_state: 3,
    },
    description: null,
    calories: isManual ? 0 : rounded(calories, 1),
    ...(!isManual && { device_name: 'Garmin Forerunner 965' }),
    segment_efforts: [],
    laps: [],
  }
}
