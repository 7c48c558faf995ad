import { MINUTE_MS } from '../time-units.ts'

/**
 * sum: amounts that add up over time, so each instant may count once. level: readings, of which a
 * slot shows the mean. none: cannot be merged.
 */
type MergeKind = 'sum' | 'level' | 'none'

/** How samples of several sources become one series. */
export interface MergeRule {
  kind: MergeKind
  /**
   * Of a sum: a source that has samples at most this far apart was there in between as well, and
   * what a lower one reports for that time is not added. Milliseconds.
   */
  coverageGapMs: number
  /** A sample that is a whole number is split into whole numbers. */
  isWhole: boolean
}

/** docs/decisions/0017-merging-sources.md has the measurements behind eight minutes. */
const USUAL_GAP_MS = 8 * MINUTE_MS

const sum = (coverageGapMs: number, isWhole = false): MergeRule => ({
  kind: 'sum',
  coverageGapMs,
  isWhole,
})

/** The rules that series are merged by. */
export const MERGE = {
  /** Counted by sensors all the time; a sensor that is quiet for minutes is still worn. */
  counted: sum(USUAL_GAP_MS, true),
  /** Measured by sensors all the time, in fractions. */
  measured: sum(USUAL_GAP_MS),
  /**
   * Basal energy flows day and night and comes in hourly portions: reports up to two hours apart
   * are one.
   */
  basal: sum(120 * MINUTE_MS),
  /** Single events, mostly typed in: between two of them nothing is covered. */
  events: sum(0, true),
  /** Amounts that were taken in at once. */
  intake: sum(0),
  /** Readings, also shares of a time. */
  level: { kind: 'level', coverageGapMs: 0, isWhole: false },
  /** What has no sum and no mean: a pair of values, a wave form, a code, a text. */
  none: { kind: 'none', coverageGapMs: 0, isWhole: false },
} as const satisfies Record<string, MergeRule>
