import { type FloatingRange, intersect, type Period, wholeBuckets } from './buckets.ts'
import type { QueryShape } from './query-shape.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** Local clocks are at most 14 h ahead of UTC and 12 h behind it; the zone of a row is not known here. */
const ZONES_MS = 15 * HOUR_MS

/**
 * Data that are dated ahead, such as a predicted cycle, are only looked at once, when they come; so they
 * are taken in then, as far ahead as this.
 */
const AHEAD_MS = 366 * DAY_MS

/** The whole buckets that are kept up to date. What is older stays as it is. */
export function evaluationWindow(at: Date, days: number, period: Period): FloatingRange {
  const now = at.getTime()
  return wholeBuckets({ from: now - days * DAY_MS, to: now + AHEAD_MS }, period)
}

/** The buckets of the window that a change may touch; all of them where no bounds are known. */
export function touchedBuckets(
  change: { from: Date | null; to: Date | null },
  window: FloatingRange,
  { period, isTouchedAnywhere, touchesAfterMs }: QueryShape,
): FloatingRange {
  if (change.from === null || change.to === null || isTouchedAnywhere) return window
  const touched = {
    from: change.from.getTime() - ZONES_MS,
    to: change.to.getTime() + ZONES_MS + touchesAfterMs + 1,
  }
  return intersect(wholeBuckets(touched, period), window)
}
