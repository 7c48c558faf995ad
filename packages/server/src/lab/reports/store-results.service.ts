import type { ReportResult } from '@salus/lab-report-parser'
import type { TransactionScope } from '../../platform/scope.ts'
import { toReportData } from './lab-reports.presenter.ts'
import { insertResults, type JobRow, type NewResult } from './lab-reports.repository.ts'
import type { LabReportResult } from './lab-reports.schema.ts'
import { readReportDates } from './report-dates.ts'
import { applyCorrections, type Correction } from './review/corrections.ts'

/** Stores the results of a completed job one by one, as corrected, so that they are found by person and analyte. */
export async function storeResults(
  tx: TransactionScope,
  job: JobRow,
  corrections: readonly Correction[],
): Promise<void> {
  if (job.report === null) return
  const { metadata, results } = applyCorrections(toReportData(job.report), corrections)
  const dates = readReportDates(metadata)
  // Beside a corrected list there is no position of what was read.
  const read = corrections.length === 0 ? job.report.results : []
  const rows = results.map((result, position) => ({
    ...toRow(result, read[position]),
    ...dates,
    position,
    user_id: job.user_id,
  }))
  await insertResults(tx, job.id, rows)
}

function toRow(
  result: LabReportResult,
  read: ReportResult | undefined,
): Omit<NewResult, 'position' | 'user_id'> {
  const isMatched = result.loinc_match_status === 'auto_match'
  return {
    loinc_code: isMatched ? (result.loinc_matches?.[0]?.loinc_code ?? null) : null,
    name: result.test_name,
    value: result.value,
    unit: result.units,
    ucum_unit: read?.ucumUnit ?? null,
    number: read?.number ?? null,
    comparator: comparatorOf(result.value),
    low: result.min_reference_range,
    high: result.max_reference_range,
    interpretation: result.interpretation ?? 'unknown',
  }
}

const COMPARATORS: readonly [RegExp, '<=' | '>=' | '<' | '>'][] = [
  [/^\s*(<=|≤)/, '<='],
  [/^\s*(>=|≥)/, '>='],
  [/^\s*</, '<'],
  [/^\s*>/, '>'],
]

const comparatorOf = (value: string) =>
  COMPARATORS.find(([pattern]) => pattern.test(value))?.[1] ?? null
