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

/** A range of floating time; its end is exclusive. */
export interface FloatingRange {
  from: number
  to: number
}

/**
 * 0001-01-01, a Monday, from which multiples of a period are counted
 * (docs/contract/09-aggregate.md#expressions).
 */
const ORIGIN_MS = -62_135_596_800_000
const UNIT_MS = { minute: MINUTE_MS, hour: 60 * MINUTE_MS, day: 1440 * MINUTE_MS } as const

const lengthMs = ({ value, unit }: Period): number | undefined => {
  if (unit === 'week') return value * 7 * UNIT_MS.day
  return unit === 'month' || unit === 'year' ? undefined : value * UNIT_MS[unit]
}
const lengthMonths = ({ value, unit }: Period): number => (unit === 'year' ? 12 * value : value)

/**
 * Returns the start of the bucket that is `offset` buckets away from the one that contains a time.
 */
function startOfBucket(time: number, period: Period, offset: number): number {
  const length = lengthMs(period)
  if (length !== undefined) {
    return (Math.floor((time - ORIGIN_MS) / length) + offset) * length + ORIGIN_MS
  }
  const months = lengthMonths(period)
  const date = new Date(time)
  const sinceOrigin = (date.getUTCFullYear() - 1) * 12 + date.getUTCMonth()
  const month = (Math.floor(sinceOrigin / months) + offset) * months
  // Date.UTC would move years before 100 into the 20th century.
  return new Date(0).setUTCFullYear(1 + Math.floor(month / 12), ((month % 12) + 12) % 12, 1)
}

/** Returns the range of whole buckets that overlap a range. */
export function wholeBuckets({ from, to }: FloatingRange, period: Period): FloatingRange {
  const end = startOfBucket(to, period, 0)
  return {
    from: startOfBucket(from, period, 0),
    to: end < to ? startOfBucket(to, period, 1) : end,
  }
}

/** Returns the intersection of two ranges; a range that ends where it begins is empty. */
export function intersectRanges(a: FloatingRange, b: FloatingRange): FloatingRange {
  const from = Math.max(a.from, b.from)
  return { from, to: Math.max(from, Math.min(a.to, b.to)) }
}

export const isEmpty = ({ from, to }: FloatingRange): boolean => from >= to
