import type { ReportResult } from '../src/report.ts'
import {
  areValuesEqual,
  compareNames,
  normalizeName,
  normalizeUnit,
  readIntervals,
} from './normalize.ts'
import type { TruthRow } from './truth.ts'

/** Pairs with a smaller similarity are different rows. */
const LEAST_LIKENESS = 2

function rateLikeness(row: TruthRow, result: ReportResult): number {
  const name = compareNames(row.name, result.name.text)
  const said = acceptWording(row, result)
  const value = areValuesEqual(said.value, result.value.text)
  const unit = normalizeUnit(said.unit) === normalizeUnit(result.unit?.text ?? null)
  return 4 * name + (value ? 2 : 0) + (unit ? 0.5 : 0) + (isRangeRight(row, result) ? 0.5 : 0)
}

/**
 * Assigns read rows to printed ones: the most similar pairs first, each row at most once. Of pairs
 * with equal similarity, those at the same place of both lists come first.
 */
export function alignRows(
  rows: readonly TruthRow[],
  results: readonly ReportResult[],
): Map<TruthRow, ReportResult> {
  const pairs = rows.flatMap((row, at) =>
    results.map((result, index) => {
      const distance = Math.abs(at / rows.length - index / results.length)
      return { row, result, likeness: rateLikeness(row, result) - 0.1 * distance }
    }),
  )
  const aligned = new Map<TruthRow, ReportResult>()
  const taken = new Set<ReportResult>()
  for (const { row, result, likeness } of pairs.sort((a, b) => b.likeness - a.likeness)) {
    if (likeness < LEAST_LIKENESS) break
    if (aligned.has(row) || taken.has(result)) continue
    aligned.set(row, result)
    taken.add(result)
  }
  return aligned
}

/**
 * Returns whether the bounds are those of the printed interval. For a reference in words, returns
 * whether there are no bounds.
 */
export function isRangeRight(row: TruthRow, { range, low, high }: ReportResult): boolean {
  if (row.reference_range === null) return range === null && low === null && high === null
  const intervals = readIntervals(row.reference_range)
  if (intervals.length > 0) {
    // A lower bound of zero may be left out. If several intervals are printed, none has to be
    // chosen.
    const areSeveral = new Set(intervals.map(({ low, high }) => `${low ?? 0} ${high}`)).size > 1
    if (low === null && high === null && areSeveral)
      return normalizeName(range?.text ?? '').includes(normalizeName(row.reference_range))
    return intervals.some((bounds) => bounds.high === high && (bounds.low ?? 0) === (low ?? 0))
  }
  if (low !== null || high !== null) return false
  return normalizeName(range?.text ?? '') === normalizeName(row.reference_range)
}

/**
 * Returns the row with the value and the unit that were read, if the truth lists them as
 * alternatives.
 */
export function acceptWording(row: TruthRow, result: ReportResult): TruthRow {
  const value = row.value_also?.find((also) => areValuesEqual(also, result.value.text))
  const printed = normalizeUnit(result.unit?.text ?? null)
  const unit = row.unit_any?.find((also) => normalizeUnit(also) === printed)
  return { ...row, value: value ?? row.value, unit: unit === undefined ? row.unit : unit }
}
