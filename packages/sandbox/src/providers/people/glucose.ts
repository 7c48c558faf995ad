import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Day, Span } from './days.ts'
import { betweenAt, deriveSeed, isAt, normalAt, pickAt, smoothAt, unitAt } from './noise.ts'

export interface Meal {
  readonly at: number
  /** Grams. */
  readonly carbohydrates: number
}

export interface Injection {
  readonly at: number
  readonly units: number
  readonly kind: 'rapid' | 'long'
}

export interface Note {
  readonly at: number
  readonly text: string
}

const USE = {
  meal: 600,
  snack: 601,
  dose: 602,
  slow: 603,
  quick: 604,
  note: 605,
  logged: 606,
  control: 607,
}
const NOTES = [
  'Stressful day',
  'Feeling tired',
  'Ate out',
  'Bad night',
  'Long walk',
  'Feeling well',
]
/** Maximum time for which a meal affects glucose. */
const MEAL_MS = 5 * HOUR_MS

const mealsOf = new WeakMap<Day, readonly Meal[]>()

/** Returns the meals of a person on a day, the oldest first. */
export function mealsOn(calendar: Calendar, number: number): readonly Meal[] {
  const day = calendar.day(number)
  const known = mealsOf.get(day)
  if (known !== undefined) return known
  const { seed, mealHours } = calendar.person
  const grams = [48, 62, 71]
  const planned = mealHours.map((hour, position) => {
    const use = deriveSeed(deriveSeed(seed, USE.meal), position)
    const minutes = Math.round((hour + 0.35 * normalAt(use, number)) * 60)
    const carbohydrates = Math.round((grams[position] ?? 50) * (1 + 0.25 * normalAt(use, -number)))
    return { at: day.from + minutes * MINUTE_MS, carbohydrates: Math.max(carbohydrates, 8) }
  })
  if (isAt(deriveSeed(seed, USE.snack), number, 0.4)) {
    const hour = betweenAt(deriveSeed(seed, USE.snack), -number, 15, 16.5)
    planned.push({ at: day.from + Math.round(hour * 60) * MINUTE_MS, carbohydrates: 22 })
  }
  const meals = planned
    .filter(({ at }) => at > day.night.to && at < day.to)
    .sort((one, other) => one.at - other.at)
  mealsOf.set(day, meals)
  return meals
}

/**
 * Returns the insulin of a day, the oldest first: a long one in the evening, and a rapid one with
 * most meals.
 */
export function injectionsOn(calendar: Calendar, number: number): Injection[] {
  const { person } = calendar
  if (!person.isDiabetic) return []
  const seed = deriveSeed(person.seed, USE.dose)
  const half = (units: number): number => Math.max(1, Math.round(units * 2) / 2)
  const rapid = mealsOn(calendar, number)
    .filter(({ at }) => isAt(seed, Math.floor(at / MINUTE_MS), 0.9))
    .map(({ at, carbohydrates }) => ({
      at: at - 5 * MINUTE_MS,
      units: half(carbohydrates / 10),
      kind: 'rapid' as const,
    }))
  const { from, to } = calendar.day(number)
  const evening = from + Math.round((21.2 + 0.3 * normalAt(seed, number)) * 60) * MINUTE_MS
  const long = { at: evening, units: half(person.weightKilograms * 0.22), kind: 'long' as const }
  return [...rapid, ...(evening < to ? [long] : [])].sort((one, other) => one.at - other.at)
}

/** Returns meals that a person logged. */
export function loggedMealsOn(calendar: Calendar, number: number): Meal[] {
  const seed = deriveSeed(calendar.person.seed, USE.logged)
  return mealsOn(calendar, number).filter(({ at }) => isAt(seed, Math.floor(at / MINUTE_MS), 0.7))
}

export function notesOn(calendar: Calendar, number: number): Note[] {
  const seed = deriveSeed(calendar.person.seed, USE.note)
  if (!isAt(seed, number, 0.18)) return []
  const { night } = calendar.day(number)
  const at = night.to + Math.round(betweenAt(deriveSeed(seed, 1), number, 120, 700)) * MINUTE_MS
  return [{ at, text: pickAt(deriveSeed(seed, 2), number, NOTES) }]
}

/** Returns a rise of glucose, from 0 to 1, this long after a meal. */
function riseAt(since: number): number {
  const hours = since / HOUR_MS
  return hours <= 0 ? 0 : (hours / 0.9) * Math.exp(1 - hours / 0.9)
}

function mealRise(calendar: Calendar, day: Day, at: number): number {
  let rise = 0
  for (const number of [day.number - 1, day.number]) {
    for (const meal of mealsOn(calendar, number)) {
      const since = at - meal.at
      if (since > 0 && since < MEAL_MS) rise += meal.carbohydrates * riseAt(since)
    }
  }
  return rise
}

/** Returns interstitial glucose, mg/dL. */
export function glucoseAt(calendar: Calendar, at: number): number {
  const { seed, isDiabetic } = calendar.person
  const day = calendar.dayAt(at)
  const control = unitAt(deriveSeed(seed, USE.control), 0)
  const base = isDiabetic ? 116 + 34 * control : 92
  const wake = (at - day.night.to) / HOUR_MS
  const dawn = (isDiabetic ? 18 : 5) * Math.exp(-((wake / 1.8) ** 2))
  const minutes = at / MINUTE_MS
  const slow = smoothAt(deriveSeed(seed, USE.slow), minutes / 210)
  const quick = smoothAt(deriveSeed(seed, USE.quick), minutes / 35)
  const value =
    base +
    dawn +
    (isDiabetic ? 1.15 : 0.45) * mealRise(calendar, day, at) +
    (isDiabetic ? 38 : 6) * slow +
    (isDiabetic ? 9 : 3) * quick +
    (isDiabetic ? 30 : 6) * day.illness
  return Math.round(Math.min(Math.max(value, isDiabetic ? 42 : 68), 400))
}

export interface GlucoseValue {
  readonly at: number
  readonly value: number
  readonly kind: 'historic' | 'scan'
}

const HISTORIC_MS = 15 * MINUTE_MS
/** A sensor lasts this long, and the next one is silent for its first hour. */
const SENSOR_MS = 14 * 24 * HOUR_MS
const WARM_UP_MS = HOUR_MS

const sensorOffset = (seed: number): number => (seed % 20_160) * MINUTE_MS

/**
 * Returns the sensor that a person wears at an instant: its number, counted from long ago, and its
 * start.
 */
export function sensorAt({ person }: Calendar, at: number): { number: number; from: number } {
  const offset = sensorOffset(person.seed)
  const number = Math.floor((at - offset) / SENSOR_MS)
  return { number, from: number * SENSOR_MS + offset }
}

/**
 * Returns automatic values, one in 15 minutes, and a few scans a day in between, the oldest first.
 */
export function glucoseValues(calendar: Calendar, { from, to }: Span): GlucoseValue[] {
  const values: GlucoseValue[] = []
  const scans = deriveSeed(calendar.person.seed, USE.control)
  // Each person's sensor began at another minute.
  const shift = (calendar.person.seed % 15) * MINUTE_MS
  const first = Math.ceil((from - shift) / HISTORIC_MS) * HISTORIC_MS + shift
  for (let at = first - HISTORIC_MS; at < to; at += HISTORIC_MS) {
    if (at - sensorAt(calendar, at).from < WARM_UP_MS || !isWorn(calendar, at)) continue
    if (at >= from) values.push({ at, value: glucoseAt(calendar, at), kind: 'historic' })
    const slot = Math.floor(at / HISTORIC_MS)
    const scanned = at + (1 + Math.floor(unitAt(scans, -slot) * 13)) * MINUTE_MS
    if (isAt(scans, slot, 0.08) && scanned >= from && scanned < to && isAwake(calendar, scanned)) {
      values.push({ at: scanned, value: glucoseAt(calendar, scanned), kind: 'scan' })
    }
  }
  return values
}

function isAwake(calendar: Calendar, at: number): boolean {
  const day = calendar.dayAt(at)
  return at > day.night.to && at < calendar.day(day.number + 1).night.from
}

/** A sensor on the arm is missing only where a person had none for days. */
function isWorn(calendar: Calendar, at: number): boolean {
  const { unworn, from, to } = calendar.dayAt(at)
  return !unworn.some(
    (span) => span.to - span.from > (to - from) / 3 && at >= span.from && at < span.to,
  )
}
