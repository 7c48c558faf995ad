import { invalidInput } from '@salus/kernel/errors'
import type { LabReport } from '@salus/lab-report-parser'
import { usesDecimalComma } from '@salus/lab-report-parser/values'
import { toReportData } from '../lab-reports.presenter.ts'
import type { LabReportResult } from '../lab-reports.schema.ts'
import { deriveFields } from '../result-values.ts'
import { type Correction, WHOLE_RESULT } from './corrections.ts'
import type { AddedResult, ReportCorrections } from './review.schema.ts'

/**
 * Returns the differences to the reading, including derived fields: a corrected value may be
 * outside of its interval.
 * @throws InputError for an unknown result, and for one that appears twice
 */
export function listChanges(report: LabReport, asked: ReportCorrections): Correction[] {
  const read = toReportData(report)
  const decimalComma = usesDecimalComma(read.results.map(({ value }) => value))
  const corrections = changesBetween(null, read.metadata, asked.metadata ?? {})
  const named = new Set<number>()
  for (const [index, { position, changes }] of (asked.results ?? []).entries()) {
    const result = read.results[position]
    const loc: Parameters<typeof invalidInput>[0] = ['body', 'results', index, 'position']
    if (result === undefined)
      throw invalidInput(loc, 'The result does not exist', 'less_than_equal')
    if (named.has(position)) throw invalidInput(loc, 'The result appears twice', 'duplicate')
    named.add(position)
    if (changes === null) {
      corrections.push({ position, field: WHOLE_RESULT, old_value: result, new_value: null })
      continue
    }
    const flag = report.results[position]?.flag?.text ?? null
    const following = followingOf(result, changes, { flag, decimalComma })
    corrections.push(...changesBetween(position, result, { ...following, ...changes }))
  }
  for (const [index, added] of (asked.added_results ?? []).entries()) {
    const position = read.results.length + index
    const new_value = completeResult(added, decimalComma)
    corrections.push({ position, field: WHOLE_RESULT, old_value: null, new_value })
  }
  return corrections
}

/** Returns the fields that follow from a correction. */
function followingOf(
  result: LabReportResult,
  changes: Partial<LabReportResult>,
  printed: { flag: string | null; decimalComma: boolean },
): Partial<LabReportResult> {
  const has = (...fields: (keyof LabReportResult)[]) => fields.some((field) => field in changes)
  const isMoved = has('value', 'min_reference_range', 'max_reference_range')
  // The candidates were found for another name or unit.
  const isMatchLost = has('test_name', 'units') && result.loinc_match_status === 'auto_match'
  return {
    ...(isMoved && deriveFields({ ...result, ...changes }, printed)),
    ...(isMatchLost && { loinc_match_status: 'needs_review' as const }),
  }
}

function completeResult(added: AddedResult, decimalComma: boolean): LabReportResult {
  const bare: LabReportResult = {
    sample_type: 'unknown',
    measurement_kind: 'unknown',
    type: null,
    units: null,
    max_reference_range: null,
    min_reference_range: null,
    source_panel_name: null,
    sensitivity: 'unknown',
    loinc_matches: [],
    loinc_match_status: 'no_match',
    interpretation: null,
    is_above_max_range: null,
    is_below_min_range: null,
    ...added,
  }
  return { ...bare, ...deriveFields(bare, { flag: null, decimalComma }), ...added }
}

function changesBetween(
  position: number | null,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
): Correction[] {
  return Object.entries(after).flatMap(([field, value]) => {
    const old = before[field] ?? null
    if (JSON.stringify(old) === JSON.stringify(value)) return []
    return [{ position, field, old_value: old, new_value: value }]
  })
}
