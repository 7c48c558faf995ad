import type { Scope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { listResultsOfUser, type ReportResultRow } from '../reports/index.ts'
import { listNewestOfUser } from '../results/index.ts'
import type { PersonResult } from './result-history.schema.ts'

/** Returns all results of a person, newest day first; those without a day come last. */
export async function listAllResults(scope: Scope, userId: string): Promise<PersonResult[]> {
  const { toUcum, findMeasurement } = await import('@salus/lab-report-parser/measurements')
  const analyteOf: AnalyteOf = (code) => {
    const known = code === null ? undefined : findMeasurement(code)
    return { measurement: known?.key ?? code, loinc_component: known?.component ?? null }
  }
  const ofOrders = await listNewestOfUser(scope, userId)
  const ofReports = await listResultsOfUser(scope, userId)
  const results = [
    ...ofOrders.flatMap((row) => toOrderResults(row, toUcum, analyteOf)),
    ...ofReports
      .toSorted((a, b) => a.position - b.position)
      .map((row) => toReportResult(row, analyteOf)),
  ]
  return results.toSorted((a, b) => (b.date ?? '').localeCompare(a.date ?? ''))
}

/** Returns the analyte of a code; the codes of a trend have the same measurement. */
type AnalyteOf = (code: string | null) => Pick<PersonResult, 'measurement' | 'loinc_component'>

type OrderResults = Awaited<ReturnType<typeof listNewestOfUser>>[number]

function toOrderResults(
  { order_id: orderId, report, created_at: createdAt }: OrderResults,
  toUcum: (unit: string) => string | null,
  analyteOf: AnalyteOf,
): PersonResult[] {
  const taken = report.collected_at ?? report.reported_at
  const date = taken
    ? dateAtOffset(Date.parse(taken.timestamp), taken.timezone_offset)
    : dateAtOffset(createdAt.getTime(), 0)
  return report.evaluated.results.map((result) => {
    const [, comparator, digits] =
      /^([<>]=?)?\s*(-?\d+(?:\.\d+)?)$/.exec(result.result.trim()) ?? []
    return {
      source: 'order',
      order_id: orderId,
      parsing_job_id: null,
      name: result.name,
      loinc_code: result.loinc,
      ...analyteOf(result.loinc),
      panel: result.panel?.name ?? result.source_markers?.[0]?.name ?? null,
      date,
      value: result.result,
      number: digits === undefined ? null : Number(digits),
      comparator: (comparator as PersonResult['comparator'] | undefined) ?? null,
      unit: result.unit,
      ucum_unit: result.unit === null ? null : toUcum(result.unit),
      min_range_value: result.min_range_value,
      max_range_value: result.max_range_value,
      interpretation: result.interpretation,
    }
  })
}

function toReportResult(row: ReportResultRow, analyteOf: AnalyteOf): PersonResult {
  return {
    source: 'lab_report',
    order_id: null,
    parsing_job_id: row.job_id,
    name: row.name,
    loinc_code: row.loinc_code,
    ...analyteOf(row.loinc_code),
    panel: null,
    date: row.collected_on ?? row.reported_on,
    value: row.value,
    number: row.number,
    comparator: row.comparator,
    unit: row.unit,
    ucum_unit: row.ucum_unit,
    min_range_value: row.low,
    max_range_value: row.high,
    interpretation: row.interpretation,
  }
}
