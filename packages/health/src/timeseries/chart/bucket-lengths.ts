import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS } from '@salus/contracts/time-units'

/**
 * Lengths of buckets. The engine makes those up to a day; weeks and months of the calendar are made
 * from days.
 */
const BUCKET_MS = {
  second: SECOND_MS,
  '5_seconds': 5 * SECOND_MS,
  '15_seconds': 15 * SECOND_MS,
  minute: MINUTE_MS,
  '5_minutes': 5 * MINUTE_MS,
  '15_minutes': 15 * MINUTE_MS,
  hour: HOUR_MS,
  '3_hours': 3 * HOUR_MS,
  '6_hours': 6 * HOUR_MS,
  day: DAY_MS,
  week: 7 * DAY_MS,
  month: 28 * DAY_MS,
} as const
export type BucketName = keyof typeof BUCKET_MS
export const BUCKET_NAMES = Object.keys(BUCKET_MS) as BucketName[]

/** Returns the milliseconds of the engine's buckets that make up a named one. */
export const storedLengthOf = (name: BucketName): number => Math.min(BUCKET_MS[name], DAY_MS)

/**
 * Returns the shortest bucket of which a range has at most this many; the longest if none is long
 * enough.
 */
export function chooseBucket(rangeMs: number, mostPoints: number): BucketName {
  const fits = (name: BucketName): boolean => rangeMs / BUCKET_MS[name] <= mostPoints
  return BUCKET_NAMES.find(fits) ?? 'month'
}

const MONDAY = 4

/** Returns the day, counted from 1970-01-01, on which the week or month of a local day begins. */
export function firstDayOf(day: number, name: 'week' | 'month'): number {
  if (name === 'week') return Math.floor((day - MONDAY) / 7) * 7 + MONDAY
  const date = new Date(day * DAY_MS)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth()) / DAY_MS
}
