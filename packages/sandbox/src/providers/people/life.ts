import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import { activeMinutes, caloriesOf } from './activity.ts'
import { Calendar, type Day, type Span } from './days.ts'
import { glucoseValues, loggedMealsOn } from './glucose.ts'
import { Heart } from './heart.ts'
import { dateText } from './local-time.ts'
import { type Person, personOf } from './person.ts'
import { type Sleep, STAGE_MS, type Stage, sleepsOn } from './sleep.ts'
import { isWornDuring } from './states.ts'

/** A period of a person's time, and the offset of local time from UTC at its start, in seconds. */
interface Lived extends Span {
  readonly offset: number
}

/** An amount that was measured at an instant. */
interface Measured {
  readonly at: number
  readonly offset: number
  readonly value: number
}

export interface Movement extends Lived {
  readonly steps: number
  readonly meters: number
  /** Kilocalories above rest. */
  readonly calories: number
}

export interface LivedDay extends Movement {
  /** YYYY-MM-DD */
  readonly date: string
  /** Kilocalories including those of rest. */
  readonly totalCalories: number
  readonly lowSeconds: number
  readonly mediumSeconds: number
  readonly highSeconds: number
  readonly weightKilograms: number
}

export interface LivedSleep extends Lived {
  readonly date: string
  readonly isNight: boolean
  /** In seconds from the start. */
  readonly stages: readonly { stage: Stage; from: number; to: number }[]
}

export interface LivedWorkout extends Movement {
  readonly sport: string
}

/**
 * Life of a person in a span, in plain facts: the reader chooses those that a device would know.
 */
export interface Life {
  readonly heightMeters: number
  readonly sex: 'male' | 'female'
  /** Days that the span overlaps, from their beginning to their end. */
  readonly days: readonly LivedDay[]
  /** Sleeps that ended in the span, as far as the device was worn. */
  readonly sleeps: readonly LivedSleep[]
  readonly workouts: readonly LivedWorkout[]
  /**
   * One in five minutes, in beats per minute. They begin before the span where a sleep or workout
   * does.
   */
  readonly heartRates: readonly Measured[]
  /** RMSSD while asleep, milliseconds. */
  readonly variabilities: readonly Measured[]
  /** Hours that ended in the span. */
  readonly hours: readonly Movement[]
  /** mg/dL */
  readonly glucose: readonly Measured[]
  /** Grams of carbohydrates. */
  readonly meals: readonly Measured[]
}

const HEART_STEP_MS = 5 * MINUTE_MS
/** Metabolic equivalents from which a minute counts as one of medium or high intensity. */
const MEDIUM = 3
const HIGH = 6

/**
 * Returns the life of the owner of an account; the same account has the same life at every call.
 * @param span Epoch milliseconds; `to` is exclusive.
 * @param slug Provider of the account, to return the same life as the provider; without it another
 *   life.
 */
export function readLife(account: string, span: Span, slug = 'life'): Life {
  const person = personOf(slug, account)
  const calendar = new Calendar(person)
  const days = calendar.days(span)
  const isKnown = (one: Span): boolean =>
    one.to > span.from && one.to <= span.to && isWornDuring(calendar, one)
  const sleeps = days.flatMap(({ number }) => sleepsOn(calendar, number)).filter(isKnown)
  const exercises = days.flatMap((day) => day.exercises).filter(isKnown)
  const heartRates: Measured[] = []
  const from = Math.min(span.from, ...[...sleeps, ...exercises].map((one) => one.from))
  new Heart(calendar).each({ from, to: span.to }, HEART_STEP_MS, (at, value) => {
    heartRates.push({ at, offset: offsetOf(calendar, at), value })
  })
  return {
    heightMeters: person.heightMeters,
    sex: person.sex,
    days: days.map((day) => liveDay(calendar, day, Math.min(day.to, span.to))),
    sleeps: sleeps.map((sleep) => liveSleep(calendar, sleep)),
    workouts: exercises.map(({ from, to, sport }) => ({
      ...moved(calendar, { from, to }),
      sport: sport.name,
    })),
    heartRates,
    variabilities: variabilitiesOf(calendar, sleeps),
    hours: hoursOf(span).map((hour) => moved(calendar, hour)),
    glucose: glucoseValues(calendar, span).map(({ at, value }) => ({
      at,
      offset: offsetOf(calendar, at),
      value,
    })),
    meals: days
      .flatMap(({ number }) => loggedMealsOn(calendar, number))
      .filter(({ at }) => at >= span.from && at < span.to)
      .map(({ at, carbohydrates }) => ({
        at,
        offset: offsetOf(calendar, at),
        value: carbohydrates,
      })),
  }
}

const offsetOf = (calendar: Calendar, at: number): number => calendar.offsetAt(at) / 1000

function hoursOf({ from, to }: Span): Span[] {
  const first = Math.floor(from / HOUR_MS) * HOUR_MS
  const count = Math.max(0, Math.floor((to - first) / HOUR_MS))
  return Array.from({ length: count }, (_, position) => ({
    from: first + position * HOUR_MS,
    to: first + (position + 1) * HOUR_MS,
  }))
}

function moved(calendar: Calendar, span: Span): Movement {
  let [steps, meters, calories] = [0, 0, 0]
  for (const minute of activeMinutes(calendar, span)) {
    if (!minute.isWorn) continue
    steps += minute.steps
    meters += minute.meters
    calories += caloriesOf(Math.max(0, minute.met - 1.2), calendar.person.weightKilograms)
  }
  const offset = offsetOf(calendar, span.from)
  return { ...span, offset, steps, meters: Math.round(meters), calories: round(calories) }
}

function liveDay(calendar: Calendar, day: Day, to: number): LivedDay {
  const { weightKilograms: weight } = calendar.person
  const span = { from: day.from, to }
  let [total, low, medium, high] = [0, 0, 0, 0]
  for (const { met } of activeMinutes(calendar, span)) {
    total += caloriesOf(met, weight)
    if (met >= HIGH) high += 60
    else if (met >= MEDIUM) medium += 60
    else if (met >= 1.6) low += 60
  }
  return {
    ...moved(calendar, span),
    date: dateText(day.number),
    totalCalories: round(total),
    lowSeconds: low,
    mediumSeconds: medium,
    highSeconds: high,
    weightKilograms: weightOn(calendar.person, day),
  }
}

/** Varies by some hundred grams over weeks. */
const weightOn = ({ weightKilograms: weight, seed }: Person, { number }: Day): number =>
  Math.round((weight + 0.6 * Math.sin((number + (seed % 97)) / 6)) * 10) / 10

function liveSleep(calendar: Calendar, sleep: Sleep): LivedSleep {
  const stages: { stage: Stage; from: number; to: number }[] = []
  const seconds = STAGE_MS / 1000
  for (const [position, stage] of sleep.stages.entries()) {
    const last = stages.at(-1)
    if (last?.stage === stage) last.to += seconds
    else stages.push({ stage, from: position * seconds, to: (position + 1) * seconds })
  }
  const { from, to, kind, day } = sleep
  const offset = offsetOf(calendar, to)
  return { from, to, offset, date: dateText(day), isNight: kind === 'night', stages }
}

function variabilitiesOf(calendar: Calendar, sleeps: readonly Sleep[]): Measured[] {
  const heart = new Heart(calendar)
  return sleeps.flatMap(({ from, to }) => {
    const count = Math.floor((to - from) / HEART_STEP_MS)
    return Array.from({ length: count }, (_, position) => {
      const at = from + position * HEART_STEP_MS
      return { at, offset: offsetOf(calendar, at), value: heart.variabilityAt(at) }
    })
  })
}

const round = (value: number): number => Math.round(value * 10) / 10
