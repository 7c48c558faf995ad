import { MINUTE_MS } from '@salus/contracts/time-units'

/**
 * Floating time (docs/contract/09-aggregate.md#floating-time) is held as milliseconds as if it were
 * UTC.
 */

export const PERIOD_UNITS = ['minute', 'hour', 'day', 'week', 'month', 'year'] as const

export interface Period {
  value: number
  unit: (typeof PERIOD_UNITS)[number]
}

/** A range of floating time, its end not included. */
export interface FloatingRange {
  from: number
  to: number
}

/**
 * 0001-01-01, a Monday, from which multiples of a period count
 * (docs/contract/09-aggregate.md#expressions).
 */
const ORIGIN_MS = -62_135_596_800_000
const UNIT_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 1440 * MINUTE_MS } as const

const lengthMs = ({ value, unit }: Period): number | undefined => {
  if (unit === 'week') return value * 7 * UNIT_MS.day
  return unit === 'month' || unit === 'year' ? undefined : value * UNIT_MS[unit]
}
const lengthMonths = ({ value, unit }: Period): number => (unit === 'year' ? 12 * value : value)

/** Where a bucket begins that is so many after, or before, the one that holds a time. */
function startOfBucket(time: number, period: Period, offset: number): number {
  const length = lengthMs(period)
  if (length !== undefined) {
    return (Math.floor((time - ORIGIN_MS) / length) + offset) * length + ORIGIN_MS
  }
  const months = lengthMonths(period)
  const date = new Date(time)
  const sinceOrigin = (date.getUTCFullYear() - 1) * 12 + date.getUTCMonth()
  const month = (Math.floor(sinceOrigin / months) + offset) * months
  // Of the years before 100, Date.UTC would make the 20th century.
  return new Date(0).setUTCFullYear(1 + Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
}

/** The whole buckets that hold any part of a range. */
export function wholeBuckets({ from, to }: FloatingRange, period: Period): FloatingRange {
  const end = startOfBucket(to, period, 0)
  return {
    from: startOfBucket(from, period, 0),
    to: end < to ? startOfBucket(to, period, 1) : end,
  }
}

/** What two ranges share; one that ends where it begins is empty. */
export function intersect(a: FloatingRange, b: FloatingRange): FloatingRange {
  const from = Math.max(a.from, b.from)
  return { from, to: Math.max(from, Math.min(a.to, b.to)) }
}

export const isEmpty = ({ from, to }: FloatingRange): boolean => from >= to
