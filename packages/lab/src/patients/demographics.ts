import { compareNames, type Fit, type PatientName } from './names.ts'

/** Name and birth date of a person in an order or a report. */
export interface Demographics extends PatientName {
  /** YYYY-MM-DD */
  dob: string | null
}

/** Result of comparing the person of a report with that of an order. */
export type DemographicFit = 'match' | 'mismatch'

const SAME_FAMILY: readonly Fit[] = ['match', 'partial']

/**
 * Compares the person of a report with that of the order whose sample it names. Birth date and last
 * name must be present and equal; the first name may be shortened, missing, or have one wrong
 * letter.
 */
export function compareDemographics(report: Demographics, order: Demographics): DemographicFit {
  const isSameDay = report.dob !== null && report.dob === order.dob
  if (!isSameDay) return 'mismatch'
  const { first, last } = compareNames(report, order)
  return SAME_FAMILY.includes(last) && first !== 'mismatch' ? 'match' : 'mismatch'
}
