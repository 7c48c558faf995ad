import {
  type KnownPatient,
  matchPatient,
  type PatientMatchStatus,
  type PrintedPatient,
  type Sex,
} from './compare-patients.ts'
import { compareNames, type Fit, type PatientName, toNameFit } from './names.ts'

/** Name and birth date of a person in an order or a report. */
export interface Demographics extends PatientName {
  /** YYYY-MM-DD */
  dob: string | null
}

/** Result of comparing the person of a report with that of an order. */
export type DemographicFit = 'match' | 'mismatch'

const SAME_FAMILY: readonly Fit[] = ['match', 'partial']

/**
 * Compares the person of a report with that of an order that it does not name. Birth date and last
 * name must be present and equal; the first name may be shortened, missing, or have one wrong
 * letter. Such an order is only proposed to reviewers.
 */
export function compareDemographics(report: Demographics, order: Demographics): DemographicFit {
  const isSameDay = report.dob !== null && report.dob === order.dob
  if (!isSameDay) return 'mismatch'
  const { first, last } = compareNames(report, order)
  return SAME_FAMILY.includes(last) && first !== 'mismatch' ? 'match' : 'mismatch'
}

/** A person in a result message, an order or the demographics of a user. */
export interface Patient extends Demographics {
  gender: string | null
}

/**
 * Compares the patient of a result message with that of the order whose number it has, by the rule
 * for lab reports: only `match` needs no reviewer. A name that the person had or has elsewhere
 * counts too, because names change between an order and its result.
 * @param elsewhere The person of the order in other orders and in the demographics of the user.
 *   Entries with another birth date or another first name are ignored: an account may also order
 *   for a child.
 */
export function matchResultPatient(
  reported: Patient,
  order: Patient,
  elsewhere: readonly Patient[],
): PatientMatchStatus {
  const same = elsewhere.filter((patient) => isRenamed(patient, order))
  const { status } = matchPatient(toPrinted(reported), [order, ...same].map(toKnown))
  return status
}

function isRenamed(patient: Patient, order: Patient): boolean {
  if (patient.dob === null || patient.dob !== order.dob) return false
  const sexes = [toSex(patient.gender), toSex(order.gender)]
  if (!sexes.includes(null) && sexes[0] !== sexes[1]) return false
  const names = compareNames(patient, order)
  return names.first === 'match' || ['match', 'partial'].includes(toNameFit(names))
}

function toPrinted({ first_name, last_name, dob, gender }: Patient): PrintedPatient {
  const isBeginning = dob !== null && /^\d{4}(-\d{2})?$/.test(dob)
  return {
    first_name,
    last_name,
    // A date that cannot be read is compared as it is, and so fits none.
    birth: {
      days: dob === null || dob === '' || isBeginning ? [] : [dob],
      beginning: isBeginning ? dob : null,
      age: null,
    },
    sex: toSex(gender),
    unsure: [],
  }
}

const toKnown = ({ first_name, last_name, dob, gender }: Patient): KnownPatient => ({
  source: 'order',
  first_name,
  last_name,
  days: dob === null ? [] : [dob],
  sex: toSex(gender),
  isSure: true,
})

/** Returns the sex that a word or a letter names, in English; null for any other. */
export function toSex(text: string | null): Sex | null {
  const word = (text ?? '').trim().toLowerCase()
  if (['male', 'm', 'man'].includes(word)) return 'male'
  return ['female', 'f', 'woman'].includes(word) ? 'female' : null
}
