import { HOUR_MS, MINUTE_MS } from '@salus/contracts/time-units'
import type { Calendar, Span } from '../people/days.ts'
import { glucoseAt, sensorAt } from '../people/glucose.ts'
import { offsetText } from '../people/local-time.ts'
import { betweenAt, deriveSeed, isAt, uuidAt } from '../people/noise.ts'

/** Readings of a sensor that a phone uploads, one in five minutes. */

const STEP_MS = 5 * MINUTE_MS
const WARM_UP_MS = HOUR_MS
/** Some readings come later, because the phone was away. */
const AWAY_MS = 70 * MINUTE_MS
/** A second device of some people uploads the same value some seconds later. */
const SECOND_DEVICE_MS = 7000
/** What the vendor writes for a value that the sensor only calls low or high, mg/dL. */
const LOW = 39
const HIGH = 401

export interface Reading {
  readonly at: number
  /** mg/dL */
  readonly value: number
  readonly isSecondDevice: boolean
}

export const accountIdOf = ({ person: { seed } }: Calendar): string =>
  uuidAt(deriveSeed(seed, 601), 0)

const hasSecondDevice = ({ person: { seed } }: Calendar): boolean => seed % 3 === 0

/** Returns when a reading is uploaded. */
function uploadedAt({ person: { seed } }: Calendar, at: number): number {
  const slot = Math.floor(at / STEP_MS)
  const isAway = isAt(deriveSeed(seed, 602), Math.floor(slot / 6), 0.06)
  return (
    at + Math.round(betweenAt(deriveSeed(seed, 603), slot, 10_000, 90_000)) + (isAway ? AWAY_MS : 0)
  )
}

function valueAt(calendar: Calendar, at: number): number {
  const slot = Math.floor(at / STEP_MS)
  const { seed } = calendar.person
  if (isAt(deriveSeed(seed, 604), slot, 0.004)) return LOW
  if (isAt(deriveSeed(seed, 605), slot, 0.004)) return HIGH
  return glucoseAt(calendar, at)
}

/** Returns the uploaded readings of a span, the newest first. */
export function readingsOf(calendar: Calendar, { from, to }: Span, now: number): Reading[] {
  const shift = (calendar.person.seed % 300) * 1000
  const readings: Reading[] = []
  for (let at = Math.ceil((from - shift) / STEP_MS) * STEP_MS + shift; at < to; at += STEP_MS) {
    if (at - sensorAt(calendar, at).from < WARM_UP_MS) continue
    if (uploadedAt(calendar, at) > now) continue
    const value = valueAt(calendar, at)
    readings.push({ at, value, isSecondDevice: false })
    if (hasSecondDevice(calendar)) {
      readings.push({ at: at + SECOND_DEVICE_MS, value, isSecondDevice: true })
    }
  }
  return readings.reverse()
}

/** A reading as answers show it. */
export function recordOf(calendar: Calendar, { at, value }: Reading) {
  const offset = offsetText(calendar.offsetAt(at)).replace(':', '')
  return {
    WT: `Date(${at})`,
    ST: `Date(${at})`,
    DT: `Date(${at}${offset})`,
    Value: value,
    Trend: 'Flat',
  }
}
