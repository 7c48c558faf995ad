import type { TransactionScope } from '@salus/kernel/scope'
import { toReportData } from './lab-reports.presenter.ts'
import { insertResults, type JobRow } from './lab-reports.repository.ts'
import type { LabReportResult } from './lab-reports.schema.ts'
import { readReportDates } from './report-dates.ts'
import { applyCorrections, type Correction, correctResults } from './review/corrections.ts'

/**
 * Stores the corrected results of a completed job individually, so that they are found by person
 * and analyte.
 */
export async function storeResults(
  tx: TransactionScope,
  job: JobRow,
  corrections: readonly Correction[],
): Promise<void> {
  const { report } = job
  if (report === null) return
  const read = toReportData(report)
  // Loaded with the first correction, because it loads the words of all languages.
  const values = corrections.length > 0 ? await import('./result-values.ts') : undefined
  const dates = readReportDates(applyCorrections(read, corrections).metadata, report.language)
  const rows = correctResults(read.results, corrections).map((corrected, position) => {
    const { result, isCorrected } = corrected
    const measured = isCorrected ? undefined : report.results[corrected.position]
    return {
      ...toRow(result),
      number: measured?.number ?? null,
      ucum_unit: measured?.ucumUnit ?? null,
      ...(measured === undefined && values?.toMeasurement(result, read.results)),
      ...dates,
      position,
      user_id: job.user_id,
    }
  })
  await insertResults(tx, job.id, rows)
}

function toRow(result: LabReportResult) {
  const isMatched = result.loinc_match_status === 'auto_match'
  return {
    loinc_code: isMatched ? (result.loinc_matches?.[0]?.loinc_code ?? null) : null,
    name: result.test_name,
    value: result.value,
    unit: result.units,
    comparator: comparatorOf(result.value),
    low: result.min_reference_range,
    high: result.max_reference_range,
    interpretation: result.interpretation ?? ('unknown' as const),
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
