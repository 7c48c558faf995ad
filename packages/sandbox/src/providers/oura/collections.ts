import { DAY_MS, HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Day, Span } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { dateText, localText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, pickAt } from '../people/noise.ts'
import { isWornDuring } from '../people/states.ts'
import { RING_SYNC, syncedUntil } from '../people/sync.ts'
import { activityRecord, DAY_BEGINS_MS } from './activity-record.ts'
import { type OuraCollection, recordId } from './record-id.ts'
import {
  dailySleepRecord,
  oxygenRecord,
  readinessRecord,
  ringOn,
  ringRecord,
  seenSleeps,
  sleepRecord,
  stressRecord,
  workoutRecord,
} from './records.ts'

/** Number of days before the first look at an account at which its data begin. */
export const PAST_DAYS = 400

/** Returns the time up to which the ring of an account uploaded its data. */
export const ouraUntil = (calendar: Calendar, now: number): number =>
  syncedUntil(calendar, now, RING_SYNC)

interface Daily {
  /** Records of a day that exist when the ring uploaded until then. */
  readonly records: (calendar: Calendar, day: number, until: number) => object[]
  /** Whether a record changes during the day. */
  readonly grows?: true
  /** Any of these scopes gives access to it. */
  readonly scopes: readonly string[]
}

const nightOf = (calendar: Calendar, day: number, until: number) =>
  seenSleeps(calendar, day, until).find(({ kind }) => kind === 'night')

/** Records of a day, one for a night that was recorded. */
const withNight =
  (make: (calendar: Calendar, day: number) => object): Daily['records'] =>
  (calendar, day, until) =>
    nightOf(calendar, day, until) ? [make(calendar, day)] : []

function sessionsOn(calendar: Calendar, number: number, until: number): object[] {
  const seed = deriveSeed(calendar.person.seed, 780)
  if (!isAt(seed, number, 0.15)) return []
  const day = calendar.day(number)
  const from =
    day.night.to + Math.round(betweenAt(deriveSeed(seed, 1), number, 60, 100)) * MINUTE_MS
  const to = from + Math.round(betweenAt(deriveSeed(seed, 2), number, 5, 20)) * MINUTE_MS
  if (to > until) return []
  const items: number[] = []
  new Heart(calendar).each({ from, to }, MINUTE_MS, (_at, beats) => items.push(beats))
  if (items.length === 0) return []
  const offset = calendar.offsetAt(from)
  const timestamp = localText(from, offset)
  return [
    {
      id: recordId(calendar, 'session', number, 0),
      day: dateText(number),
      start_datetime: timestamp,
      end_datetime: localText(to, offset),
      type: pickAt(deriveSeed(seed, 3), number, ['meditation', 'breathing', 'relaxation', 'rest']),
      heart_rate: { interval: 60, items, timestamp },
      heart_rate_variability: null,
      mood: pickAt(deriveSeed(seed, 4), number, ['good', 'great', 'same', null]),
      motion_count: null,
    },
  ]
}

function tagsOn(calendar: Calendar, number: number, until: number): object[] {
  const seed = deriveSeed(calendar.person.seed, 790)
  if (!isAt(seed, number, 0.25)) return []
  const { night } = calendar.day(number)
  const at = night.to + Math.round(betweenAt(deriveSeed(seed, 1), number, 300, 720)) * MINUTE_MS
  if (at > until) return []
  const tag = pickAt(deriveSeed(seed, 2), number, [
    'tag_generic_caffeine',
    'tag_generic_alcohol',
    'tag_generic_late_meal',
    'tag_sleep_nap',
  ])
  return [
    {
      id: recordId(calendar, 'tag', number, 0),
      day: dateText(number),
      text: null,
      timestamp: localText(at, calendar.offsetAt(at)),
      tags: [tag],
    },
  ]
}

/** Once a week. */
function fitnessOn(calendar: Calendar, number: number, until: number): object[] {
  const { seed, age, activity, sex } = calendar.person
  if ((number + (seed % 7)) % 7 !== 0) return []
  const { night, from } = calendar.day(number)
  if (night.to > until) return []
  const mean = (sex === 'male' ? 48 : 42) - 0.3 * (age - 25) + 10 * (activity - 0.5)
  return [
    {
      id: recordId(calendar, 'vO2_max', number, 0),
      day: dateText(number),
      timestamp: localText(from, calendar.offsetAt(from)),
      vo2_max: Math.round(mean + betweenAt(deriveSeed(seed, 791), number, -1, 1)),
    },
  ]
}

const workoutsOn: Daily['records'] = (calendar, number, until) =>
  calendar
    .day(number)
    .exercises.filter((exercise) => exercise.to <= until && isWornDuring(calendar, exercise))
    .map((exercise) => workoutRecord(calendar, number, exercise))

const activityOn: Daily['records'] = (calendar, number, until) =>
  calendar.day(number).from + DAY_BEGINS_MS + 5 * MINUTE_MS <= until
    ? [activityRecord(calendar, number, until)]
    : []

const ringsOn: Daily['records'] = (calendar, number) =>
  ringOn(calendar, number) === ringOn(calendar, number - 1)
    ? []
    : [ringRecord(calendar, ringOn(calendar, number))]

/** Collections that Oura serves by day. */
export const DAILY: Readonly<Record<OuraCollection, Daily>> = {
  daily_activity: { records: activityOn, grows: true, scopes: ['daily'] },
  daily_sleep: {
    records(calendar, day, until) {
      const night = nightOf(calendar, day, until)
      return night === undefined ? [] : [dailySleepRecord(calendar, night)]
    },
    scopes: ['daily'],
  },
  sleep: {
    records: (calendar, day, until) =>
      seenSleeps(calendar, day, until).map((sleep) => sleepRecord(calendar, sleep)),
    scopes: ['daily'],
  },
  daily_readiness: { records: withNight(readinessRecord), scopes: ['daily'] },
  daily_spo2: { records: withNight(oxygenRecord), scopes: ['spo2', 'spo2Daily'] },
  daily_stress: {
    records: (calendar, day, until) =>
      calendar.day(day).night.to + HOUR_MS <= until ? [stressRecord(calendar, day, until)] : [],
    grows: true,
    scopes: ['daily', 'stress'],
  },
  workout: { records: workoutsOn, scopes: ['workout'] },
  session: { records: sessionsOn, scopes: ['session'] },
  tag: { records: tagsOn, scopes: ['tag'] },
  vO2_max: { records: fitnessOn, scopes: ['daily', 'heart_health'] },
  ring_configuration: { records: ringsOn, scopes: ['personal', 'daily', 'ring_configuration'] },
}

const timeTexts: string[] = []

/** Returns `T08:15:00+00:00` for a minute of the day. */
function timeText(minute: number): string {
  let text = timeTexts[minute]
  if (text === undefined) {
    const two = (value: number) => String(value).padStart(2, '0')
    text = `T${two(Math.floor(minute / 60))}:${two(minute % 60)}:00+00:00`
    timeTexts[minute] = text
  }
  return text
}

/** Interval of heart rates: one minute for people whose account has that option. */
export const heartRateStep = ({ person: { traits } }: Calendar): number =>
  (traits.has('minute') ? 1 : 5) * MINUTE_MS

/**
 * Returns records of `heartrate` as JSON, comma-separated, and their number; written by hand
 * because there are many.
 */
export function heartRateText(calendar: Calendar, span: Span): { text: string; count: number } {
  let text = ''
  let count = 0
  let [day, date] = [Number.NaN, '']
  new Heart(calendar).each(span, heartRateStep(calendar), (at, beats, context) => {
    const today = Math.floor(at / DAY_MS)
    if (today !== day) {
      day = today
      date = dateText(day)
    }
    const time = timeText((at - day * DAY_MS) / MINUTE_MS)
    text += `${count === 0 ? '' : ','}{"bpm":${beats},"source":"${context}","timestamp":"${date}${time}"}`
    count += 1
  })
  return { text, count }
}

/** Returns all days of a span for which there are data. */
export const daysOf = (calendar: Calendar, span: Span): Day[] =>
  span.from < span.to ? calendar.days(span) : []
