import type {
  LabReport,
  ReportedResult,
  ReportWish,
  RequisitionResult,
} from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { makeReport } from '../src/lab/believable-report.ts'
import {
  BLOOD_COUNT,
  HORMONES,
  INFECTIONS,
  IRON,
  LIPIDS,
  METABOLIC,
  makeRequisition,
  type RequisitionWish,
  UNKNOWN,
} from './requisitions.ts'

export const COLLECTED_AT = new Date('2026-01-05T16:00:00Z')
export const REPORTED_AT = new Date('2026-01-07T16:00:00Z')

export type ReportWishes = Partial<Omit<ReportWish, 'requisition'>> & RequisitionWish

/** A report of panels; normal and final where nothing else is wished. */
export function reportOf(
  panels: readonly RequisitionResult[][],
  { orderId, gender, dob, ...wishes }: ReportWishes = {},
): LabReport {
  return makeReport({
    requisition: makeRequisition(panels, { orderId, gender, dob }),
    status: 'final',
    interpretation: 'normal',
    resultTypes: null,
    hasMissingResults: false,
    collectedAt: COLLECTED_AT,
    reportedAt: REPORTED_AT,
    labName: 'Example Laboratory',
    ...wishes,
  })
}

/** One panel or several of those that there are. */
export const anyPanels = fc.subarray(
  [METABOLIC, BLOOD_COUNT, LIPIDS, IRON, HORMONES, INFECTIONS, UNKNOWN],
  { minLength: 1 },
)

/** Adults of both sexes and of neither, with orders of their own. */
export const anyAdult = fc.record({
  orderId: fc.uuid({ version: 4 }),
  gender: fc.constantFrom('female', 'male', 'other', 'unknown'),
  dob: fc.constantFrom(
    '2007-06-01',
    '1996-02-29',
    '1985-03-01',
    '1970-12-31',
    '1950-01-01',
    '1931-07-04',
  ),
})

/** People of every age. */
export const anyone = fc.record({
  orderId: fc.uuid({ version: 4 }),
  gender: fc.constantFrom('female', 'male', 'other', 'unknown'),
  dob: fc.integer({ min: 1920, max: 2025 }).map((year) => `${year}-04-01`),
})

/** Numbers of a report by their LOINC code. */
export function numbersOf(report: LabReport): (loinc: string) => number {
  const byLoinc = new Map(report.results.map((result) => [result.loinc, Number(result.result)]))
  return (loinc) => byLoinc.get(loinc) ?? Number.NaN
}

/** Where a numeric result lies, by the numbers that it was printed with. */
export function positionOf(result: ReportedResult): 'low' | 'inside' | 'high' {
  const value = Number(result.result)
  const { min_range_value: low, max_range_value: high } = result
  const excludes = /^[<>][^=]/.test(result.reference_range ?? '')
  if (low !== null && (value < low || (excludes && value === low))) return 'low'
  return high !== null && (value > high || (excludes && value === high)) ? 'high' : 'inside'
}
