import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseAt, mealsOn } from '../people/glucose.ts'
import { betweenAt, deriveSeed, isAt, uuidAt } from '../people/noise.ts'

/** What a pump and the sensor beside it did, each a function of the person and the time. */

export const STEP_MS = 5 * MINUTE_MS
/** Glucose below which the pump delivers nothing, mg/dL. */
const SUSPENDED_BELOW = 85
/** Some boluses have a part that lasts two hours. */
export const EXTENDED_MS = 2 * HOUR_MS

export interface Bolus {
  readonly id: number
  readonly requestedAt: number
  readonly completedAt: number
  /** Grams of carbohydrates. */
  readonly carbohydrates: number
  /** Units at once, and units of the extended part. */
  readonly now: number
  readonly later: number
  readonly food: number
  readonly correction: number
}

export const pumperIdOf = ({ person: { seed } }: Calendar): string =>
  uuidAt(deriveSeed(seed, 611), 0)
export const accountIdOf = ({ person: { seed } }: Calendar): string =>
  uuidAt(deriveSeed(seed, 611), 1)
export const pumpIdOf = ({ person: { seed } }: Calendar): string => uuidAt(deriveSeed(seed, 611), 2)
/** A pump that the person never used. */
export const sparePumpIdOf = ({ person: { seed } }: Calendar): string =>
  uuidAt(deriveSeed(seed, 611), 3)

const hundredths = (units: number): number => Math.round(units * 100) / 100

/** Returns the instants of five minutes in a span. */
export function* stepsOf({ person: { seed } }: Calendar, { from, to }: Span): Generator<number> {
  const shift = (seed % 300) * 1000
  const first = Math.ceil((from - shift) / STEP_MS) * STEP_MS + shift
  for (let at = first; at < to; at += STEP_MS) yield at
}

/** Returns the basal rate at a step, thousandths of a unit an hour. */
export function basalRateAt(calendar: Calendar, at: number): number {
  if (glucoseAt(calendar, at) < SUSPENDED_BELOW) return 0
  const slot = Math.floor(at / STEP_MS)
  return 600 + 10 * Math.round(betweenAt(deriveSeed(calendar.person.seed, 612), slot, 0, 60))
}

export type ReadingState = 'measured' | 'high' | 'hidden' | 'calibration'

/** Returns how the sensor reports its value of a step. */
export function readingStateAt({ person: { seed } }: Calendar, at: number): ReadingState {
  const slot = Math.floor(at / STEP_MS)
  if (isAt(deriveSeed(seed, 613), slot, 0.003)) return 'high'
  if (isAt(deriveSeed(seed, 614), slot, 0.003)) return 'hidden'
  return isAt(deriveSeed(seed, 615), slot, 0.002) ? 'calibration' : 'measured'
}

/** Some values reach the pump this much later; not together with one of a later step. */
export const LATE_MS = 32 * MINUTE_MS

/** Whether a value reached the pump later. */
export const isLateAt = ({ person: { seed } }: Calendar, at: number): boolean =>
  isAt(deriveSeed(seed, 616), Math.floor(at / STEP_MS), 0.03)

/** Returns the boluses that are requested in a span, the oldest first. */
export function bolusesOf(calendar: Calendar, span: Span): Bolus[] {
  const { seed } = calendar.person
  return calendar
    .days(span)
    .flatMap(({ number }) =>
      mealsOn(calendar, number).map((meal, index) => ({ number, meal, index })),
    )
    .map(({ number, meal, index }): Bolus => {
      const key = number * 8 + index
      const food = hundredths(meal.carbohydrates / 10)
      const correction = isAt(deriveSeed(seed, 617), key, 0.3) ? 1.25 : 0
      const isExtended = isAt(deriveSeed(seed, 618), key, 0.2)
      const total = food + correction
      const later = isExtended ? hundredths(total * 0.4) : 0
      const requestedAt = meal.at - 5 * MINUTE_MS
      return {
        id: key % 60_000,
        requestedAt,
        completedAt: requestedAt + 2 * MINUTE_MS,
        carbohydrates: meal.carbohydrates,
        now: hundredths(total - later),
        later,
        food,
        correction,
      }
    })
    .filter(({ requestedAt }) => requestedAt >= span.from && requestedAt < span.to)
}

/** Returns the times at which the person measured a drop of blood, one a day. */
export const fingerpricksOf = (calendar: Calendar, span: Span): number[] =>
  calendar
    .days(span)
    .map(({ night }) => night.to + 12 * MINUTE_MS)
    .filter((at) => at >= span.from && at < span.to)

/** Returns the time until which the phone has uploaded: it does each full hour. */
export const uploadedUntil = ({ person: { traits } }: Calendar, now: number): number =>
  traits.has('live') ? now : Math.floor(now / HOUR_MS) * HOUR_MS
