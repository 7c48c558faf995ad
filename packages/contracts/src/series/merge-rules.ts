import { MINUTE_MS } from '../time-units.ts'

/**
 * sum: amounts that add up over time, so that each instant may count once. level: readings, whose
 * mean a slot shows. none: cannot be merged.
 */
type MergeKind = 'sum' | 'level' | 'none'

/** How samples of several sources are merged into one series. */
export interface MergeRule {
  kind: MergeKind
  /**
   * For sums, in milliseconds: a source whose samples are at most this far apart also covers the
   * time between them, and amounts of lower sources in that time are not added.
   */
  coverageGapMs: number
  /** Whether a whole number is split into whole numbers. */
  isWhole: boolean
}

/** docs/decisions/0017-merging-sources.md has the measurements behind this value. */
const USUAL_GAP_MS = 8 * MINUTE_MS

const sum = (coverageGapMs: number, isWhole = false): MergeRule => ({
  kind: 'sum',
  coverageGapMs,
  isWhole,
})

/** The rules for merging series. */
export const MERGE = {
  /** Counted by sensors continuously. A sensor without samples for minutes is still worn. */
  counted: sum(USUAL_GAP_MS, true),
  /** Measured by sensors continuously, in fractions. */
  measured: sum(USUAL_GAP_MS),
  /**
   * Basal energy is continuous and is reported in hourly portions, so reports up to two hours apart
   * belong together.
   */
  basal: sum(120 * MINUTE_MS),
  /** Single events, mostly entered by hand. The time between two of them is not covered. */
  events: sum(0, true),
  /** Amounts that are consumed at once. */
  intake: sum(0),
  /** Readings, also proportions of a time. */
  level: { kind: 'level', coverageGapMs: 0, isWhole: false },
  /** Data without a sum or mean: a pair of values, a waveform, a code, a text. */
  none: { kind: 'none', coverageGapMs: 0, isWhole: false },
} as const satisfies Record<string, MergeRule>
