import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from '../people/activity.ts'
import type { Calendar, Exercise, Span } from '../people/days.ts'
import { mealsOn } from '../people/glucose.ts'
import { dateText, localText, midnightOf } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, pickAt } from '../people/noise.ts'
import { isWornDuring } from '../people/states.ts'
import { ratesIn } from './days.ts'
import { dayAt, daysAround, logIdOf, utcOf, zoneOf } from './frame.ts'

/** Logs of Fitbit's Web API: activities, weights, foods. */

/** People delete some activity logs; no message says so. */
const DELETED_AFTER_MS = 30 * HOUR_MS

export interface ActivityLog {
  readonly logId: number
  readonly exercise: Exercise
  readonly logType: 'tracker' | 'mobile_run'
}

const NAMES: Readonly<Record<string, readonly [id: number, name: string]>> = {
  running: [90009, 'Run'],
  cycling: [90001, 'Bike'],
  walking: [90013, 'Walk'],
  strength_training: [2131, 'Weights'],
  swimming: [90024, 'Swim'],
  yoga: [52001, 'Yoga'],
}

/** Returns the logs of a day: the phone recorded some runs too. */
export function activityLogsOn(calendar: Calendar, number: number, until: number): ActivityLog[] {
  const { seed } = calendar.person
  return calendar.day(number).exercises.flatMap((exercise, position): ActivityLog[] => {
    if (exercise.to > until || !isWornDuring(calendar, exercise)) return []
    const isDeleted = isAt(deriveSeed(seed, 840), number * 8 + position, 0.12)
    if (isDeleted && exercise.to + DELETED_AFTER_MS <= until) return []
    const logOf = (logType: ActivityLog['logType'], place: number): ActivityLog => {
      const logId = 50_000_000_000 + logIdOf(calendar, 841, number, position * 2 + place)
      return { logId, exercise, logType }
    }
    const hasPhone = isAt(deriveSeed(seed, 842), number * 8 + position, 0.3)
    return [logOf('tracker', 0), ...(hasPhone ? [logOf('mobile_run', 1)] : [])]
  })
}

export interface Measured {
  readonly steps: number
  readonly meters: number
  readonly calories: number
  readonly meanRate: number | null
}

export function measuredIn(calendar: Calendar, span: Span): Measured {
  const { weightKilograms } = calendar.person
  let [steps, meters, calories] = [0, 0, 0]
  for (const minute of activeMinutes(calendar, span)) {
    calories += caloriesOf(minute.met, weightKilograms)
    steps += minute.steps
    meters += minute.meters
  }
  const rates = ratesIn(calendar, span, MINUTE_MS).map(({ value }) => value)
  const sum = rates.reduce((total, value) => total + value, 0)
  const meanRate = rates.length === 0 ? null : Math.round(sum / rates.length)
  return { steps, meters: Math.round(meters), calories: Math.round(calories), meanRate }
}

export function activityRecord(
  calendar: Calendar,
  { logId, exercise, logType }: ActivityLog,
): object {
  const { from, to, sport } = exercise
  const [activityTypeId, activityName] = NAMES[sport.name] ?? [15000, 'Sport']
  const { steps, meters, calories, meanRate } = measuredIn(calendar, exercise)
  // The phone begins a minute later, and knows no heart rate.
  const isPhone = logType === 'mobile_run'
  const start = isPhone ? from + MINUTE_MS : from
  const kilometers = meters / 1000
  return {
    activeDuration: to - start,
    activityName,
    activityTypeId,
    ...(!isPhone && meanRate !== null && { averageHeartRate: meanRate }),
    calories,
    ...(meters > 0 && {
      distance: kilometers,
      distanceUnit: 'Kilometer',
      speed: Number((kilometers / ((to - from) / HOUR_MS)).toFixed(6)),
    }),
    duration: to - start,
    heartRateZones: [],
    lastModified: utcOf(to + 5 * MINUTE_MS),
    logId,
    logType,
    originalDuration: to - start,
    source: isPhone
      ? { id: '228VSR', name: 'Fitbit for Android', type: 'app' }
      : { id: '1', name: 'Charge 6', type: 'tracker' },
    startTime: localText(start, calendar.offsetAt(from)),
    ...(steps > 0 && { steps }),
  }
}

/** A moment on the scale. */
export interface Weighing {
  readonly at: number
  readonly kilograms: number
  /** Percent. */
  readonly fat: number
  readonly logId: number
}

/** Returns the weighing of a day, after getting up, on most days. */
export function weighingsOn(calendar: Calendar, day: number, until: number): Weighing[] {
  const { weightKilograms, seed, sex } = calendar.person
  if (!isAt(deriveSeed(seed, 843), day, 0.6)) return []
  const minutes = Math.round(betweenAt(deriveSeed(seed, 844), day, 400, 560))
  const at = midnightOf(zoneOf(calendar), day) + minutes * MINUTE_MS + (seed % 60) * 1000
  if (at > until) return []
  const wave = Math.sin((day + (seed % 97)) / 6)
  return [
    {
      at,
      kilograms: Math.round((weightKilograms + 0.6 * wave) * 10) / 10,
      fat: Math.round(((sex === 'male' ? 20 : 28) + wave) * 10) / 10,
      logId: at,
    },
  ]
}

export interface Eaten {
  readonly mealTypeId: number
  readonly name: string
  readonly logId: number
  readonly carbs: number
}

const FOODS = ['Porridge', 'Lentil soup', 'Rice and vegetables', 'Sandwich', 'Pasta', 'Salad']
/** People delete the whole of a meal some hours later. */
const MEAL_DELETED_AFTER_MS = 9 * HOUR_MS

const mealTypeAt = (hours: number): number =>
  hours < 10.5 ? 1 : hours < 12 ? 2 : hours < 15 ? 3 : hours < 17.5 ? 4 : 5

/** Returns the foods of a day. */
export function foodsOn(calendar: Calendar, day: number, until: number): Eaten[] {
  const { seed } = calendar.person
  const midnight = midnightOf(zoneOf(calendar), day)
  return daysAround(day)
    .flatMap((number) => mealsOn(calendar, number))
    .filter(({ at }) => dayAt(calendar, at) === day && at <= until)
    .flatMap(({ at, carbohydrates }, position): Eaten[] => {
      const isDeleted = isAt(deriveSeed(seed, 845), day * 8 + position, 0.1)
      if (isDeleted && at + MEAL_DELETED_AFTER_MS <= until) return []
      const mealTypeId = mealTypeAt((at - midnight) / HOUR_MS)
      const name = pickAt(deriveSeed(seed, 846), day * 8 + position, FOODS)
      const logId = 70_000_000_000 + logIdOf(calendar, 847, day, position)
      return [{ mealTypeId, name, logId, carbs: carbohydrates }]
    })
}

export const valuesOfFood = ({ carbs }: Eaten) => ({
  calories: carbs * 8,
  carbs,
  fat: Number((carbs * 0.25).toFixed(2)),
  fiber: Number((carbs * 0.1).toFixed(2)),
  protein: Number((carbs * 0.3).toFixed(2)),
  sodium: carbs * 9,
})

/** Milliliters that a person logged on a day. */
export function waterOn({ person }: Calendar, day: number): number {
  const seed = deriveSeed(person.seed, 848)
  return isAt(seed, day, 0.7) ? 250 * Math.round(betweenAt(seed, -day, 2, 9)) : 0
}

export function foodsAnswer(calendar: Calendar, day: number, until: number): object {
  const eaten = foodsOn(calendar, day, until)
  const foods = eaten.map((one) => {
    const values = valuesOfFood(one)
    const { mealTypeId, name, logId } = one
    const loggedFood = {
      accessLevel: 'PUBLIC',
      amount: 1,
      brand: '',
      calories: values.calories,
      foodId: logId % 9999,
      mealTypeId,
      name,
    }
    return {
      isFavorite: false,
      logDate: dateText(day),
      logId,
      loggedFood,
      nutritionalValues: values,
    }
  })
  const hasBegun = midnightOf(zoneOf(calendar), day) + 8 * HOUR_MS <= until
  const water = hasBegun ? waterOn(calendar, day) : 0
  const calories = eaten.reduce((sum, one) => sum + valuesOfFood(one).calories, 0)
  return { foods, goals: { calories: 2200 }, summary: { calories, water } }
}

/** A temperature that an ill person typed in. */
export function temperaturesOn(calendar: Calendar, day: number, until: number) {
  const { illness, night } = calendar.day(day)
  const at = night.to + 30 * MINUTE_MS
  if (illness < 0.4 || at > until || dayAt(calendar, at) !== day) return []
  return [{ at, celsius: Number((36.8 + 1.6 * illness).toFixed(1)) }]
}
