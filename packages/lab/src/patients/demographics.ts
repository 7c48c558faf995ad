import { compareNames, type Fit, type PatientName } from './names.ts'

/** Name and birth date of a person, as an order or a report has them. */
export interface Demographics extends PatientName {
  /** YYYY-MM-DD */
  dob: string | null
}

/** How a report's person stands to an order's. */
export type DemographicFit = 'match' | 'mismatch'

const SAME_FAMILY: readonly Fit[] = ['match', 'partial']

/**
 * Whether a report is about the person of an order whose sample it names: birth date and last name
 * must be there and equal, the first name may be shortened, left out, or have one wrong letter.
 */
export function compareDemographics(report: Demographics, order: Demographics): DemographicFit {
  const isSameDay = report.dob !== null && report.dob === order.dob
  if (!isSameDay) return 'mismatch'
  const { first, last } = compareNames(report, order)
  return SAME_FAMILY.includes(last) && first !== 'mismatch' ? 'match' : 'mismatch'
}
