import { DAY_MS, SECOND_MS } from '@salus/contracts/time-units'
import type { TimeRange } from './connector.ts'

const DATE = /^\d{4}-\d{2}-\d{2}(?=$|[T ])/
/** Numbers between these are times since 1970, in seconds or milliseconds: 2000 to 2100. */
const FIRST = Date.UTC(2000, 0)
const LAST = Date.UTC(2100, 0)

/**
 * Returns the days, in UTC, of the times that a payload has: a request for them would have brought
 * it. A payload without times is taken for an answer of today.
 */
export function rangeOfPayload(payload: unknown, now: Date): TimeRange {
  const times = timesIn(payload)
  const first = times.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY)
  const last = times.reduce((most, time) => Math.max(most, time), Number.NEGATIVE_INFINITY)
  const [from, to] = times.length === 0 ? [now.getTime(), now.getTime()] : [first, last]
  const dayOf = (time: number) => Math.floor(time / DAY_MS) * DAY_MS
  return { from: dayOf(from), to: dayOf(to) + DAY_MS }
}

/** Epoch milliseconds of all dates; of numbers where there is none, since ids look like times. */
function timesIn(payload: unknown): number[] {
  const values = [...valuesIn(payload)]
  const dates = values.flatMap((value) => {
    const [date] = typeof value === 'string' ? (DATE.exec(value) ?? []) : []
    return date === undefined ? [] : [Date.parse(date)]
  })
  const numbers = values.flatMap((value) =>
    typeof value === 'number' ? [value, value * SECOND_MS] : [],
  )
  const isTime = (time: number) => time >= FIRST && time < LAST
  const found = dates.filter(isTime)
  return found.length > 0 ? found : numbers.filter(isTime)
}

/** Yields the values of a payload, and the names of its fields, which may be dates. */
function* valuesIn(value: unknown): Generator<unknown> {
  if (typeof value !== 'object' || value === null) yield value
  else if (Array.isArray(value)) for (const part of value) yield* valuesIn(part)
  else {
    for (const [name, part] of Object.entries(value)) {
      yield name
      yield* valuesIn(part)
    }
  }
}
