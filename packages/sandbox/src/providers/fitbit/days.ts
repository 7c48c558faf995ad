import { MINUTE_MS } from '@salus/contracts/time-units'
import { type ActiveMinute, activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar } from '../people/days.ts'
import { Heart } from '../people/heart.ts'
import { dateText } from '../people/local-time.ts'
import { deriveSeed, normalAt } from '../people/noise.ts'
import { localOf, spanOfDay } from './frame.ts'

/** Days and minutes of Fitbit's Web API, as far as the tracker synchronized. */

export type IntradayName = 'heart' | 'steps' | 'distance' | 'calories'

/** Metabolic equivalents from which a minute is light, fair and very active. */
const LEVELS = [1.6, 3, 6] as const

/** What a tracker counted on a day. */
export interface Counted {
  readonly steps: number
  readonly meters: number
  /** Kilocalories, of all and of active minutes. */
  readonly calories: number
  readonly activeCalories: number
  /** Minutes that are sedentary, lightly, fairly and very active. */
  readonly minutes: readonly [number, number, number, number]
}

export function minutesOf(calendar: Calendar, day: number, until: number): ActiveMinute[] {
  const { from, to } = spanOfDay(calendar, day)
  return activeMinutes(calendar, { from, to: Math.min(to, until) })
}

const levelOf = ({ met, isWorn }: ActiveMinute): number =>
  isWorn ? LEVELS.filter((least) => met >= least).length : 0

const burnt = ({ met, isWorn }: ActiveMinute, kilograms: number): number =>
  caloriesOf(isWorn ? met : 1, kilograms)

export function countedOn(calendar: Calendar, day: number, until: number): Counted {
  const { weightKilograms } = calendar.person
  const counted = { steps: 0, meters: 0, calories: 0, activeCalories: 0 }
  const minutes: [number, number, number, number] = [0, 0, 0, 0]
  for (const minute of minutesOf(calendar, day, until)) {
    const level = levelOf(minute)
    minutes[level] = (minutes[level] ?? 0) + 1
    const calories = burnt(minute, weightKilograms)
    counted.calories += calories
    if (level > 0) counted.activeCalories += calories
    if (!minute.isWorn) continue
    counted.steps += minute.steps
    counted.meters += minute.meters
  }
  return { ...counted, minutes }
}

const kilometers = (meters: number, digits = 2): number => Number((meters / 1000).toFixed(digits))

export const restingRateOn = ({ person }: Calendar, day: number): number =>
  Math.round(person.restingHeartRate + 1.5 * normalAt(deriveSeed(person.seed, 820), day))

/** Returns the answer for a day; one that has not begun is all zeros. */
export function daySummary(calendar: Calendar, day: number, until: number): object {
  const { steps, meters, calories, activeCalories, minutes } = countedOn(calendar, day, until)
  const total = kilometers(meters)
  const hasBegun = minutes.some((count) => count > 0)
  return {
    activities: [],
    goals: { activeMinutes: 30, caloriesOut: 2600, distance: 8.05, floors: 10, steps: 10_000 },
    summary: {
      activeScore: -1,
      activityCalories: Math.round(activeCalories),
      caloriesBMR: hasBegun ? Math.round(caloriesOf(1, calendar.person.weightKilograms) * 1440) : 0,
      caloriesOut: Math.round(calories),
      distances: [
        { activity: 'total', distance: total },
        { activity: 'tracker', distance: total },
        { activity: 'loggedActivities', distance: 0 },
      ],
      elevation: 0,
      fairlyActiveMinutes: minutes[2],
      floors: Math.floor(steps / 900),
      lightlyActiveMinutes: minutes[1],
      marginalCalories: Math.round(activeCalories * 0.7),
      ...(hasBegun && { restingHeartRate: restingRateOn(calendar, day) }),
      sedentaryMinutes: minutes[0],
      steps,
      veryActiveMinutes: minutes[3],
    },
  }
}

interface Row {
  readonly at: number
  readonly value: number
}

/** Returns heart rates of a span as the tracker recorded them. */
export function ratesIn(
  calendar: Calendar,
  span: { from: number; to: number },
  stepMs: number,
): Row[] {
  const rows: Row[] = []
  new Heart(calendar).each(span, stepMs, (at, value) => rows.push({ at, value }))
  return rows
}

export function rowsOn(calendar: Calendar, name: IntradayName, day: number, until: number): Row[] {
  const { from, to } = spanOfDay(calendar, day)
  if (name === 'heart') return ratesIn(calendar, { from, to: Math.min(to, until) }, MINUTE_MS)
  const { weightKilograms } = calendar.person
  return minutesOf(calendar, day, until).map((minute) => {
    const { at, steps, meters, isWorn } = minute
    if (name === 'calories') return { at, value: burnt(minute, weightKilograms) }
    const worn = name === 'steps' ? steps : kilometers(meters, 5)
    return { at, value: isWorn ? worn : 0 }
  })
}

const timeOf = (calendar: Calendar, at: number): string => localOf(calendar, at).slice(11, 19)

/** Returns the answer for the minutes of a day, or the seconds of a part of it. */
export function intraday(
  calendar: Calendar,
  name: IntradayName,
  day: number,
  rows: readonly Row[],
  datasetType: 'minute' | 'second' = 'minute',
): object {
  const sum = rows.reduce((total, { value }) => total + value, 0)
  const total =
    name === 'heart'
      ? {
          customHeartRateZones: [],
          heartRateZones: [],
          restingHeartRate: restingRateOn(calendar, day),
        }
      : name === 'distance'
        ? String(Number(sum.toFixed(5)))
        : String(Math.round(sum))
  const dataset = rows.map(({ at, value }) => ({ time: timeOf(calendar, at), value }))
  return {
    [`activities-${name}`]: [{ dateTime: dateText(day), value: total }],
    [`activities-${name}-intraday`]: { dataset, datasetInterval: 1, datasetType },
  }
}
