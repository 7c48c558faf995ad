import { compareBirth, type PrintedBirth } from './birth-dates.ts'
import {
  BEST_FIRST,
  compareNames,
  type Fit,
  type NameFits,
  type PatientName,
  toNameFit,
} from './names.ts'

export type Sex = 'male' | 'female'

/** Sources of data about a person, the most reliable first. */
export const PATIENT_SOURCES = [
  'demographics',
  'fallback_birth_date',
  'order',
  'insurance',
  'lab_report',
] as const
export type PatientSource = (typeof PATIENT_SOURCES)[number]

/** The identity of a person in one source. */
export interface KnownPatient extends PatientName {
  source: PatientSource
  /** Birth date, YYYY-MM-DD; several readings from an earlier report, none when unknown. */
  days: readonly string[]
  sex: Sex | null
  /** An unreliable source counts only where no reliable one has the data. */
  isSure: boolean
}

/** The patient of a report as printed. */
export interface PrintedPatient extends PatientName {
  birth: PrintedBirth
  sex: Sex | null
  /** Fields that could not be read with certainty. */
  unsure: readonly PatientField[]
}

export const PATIENT_FIELDS = ['name', 'birth_date', 'sex'] as const
export type PatientField = (typeof PATIENT_FIELDS)[number]

/** Result of comparing one field, and its source. */
export interface FieldMatch {
  outcome: Fit
  compared_with: PatientSource | null
}

export const PATIENT_MATCH_STATUSES = ['match', 'uncertain', 'mismatch', 'not_comparable'] as const
export type PatientMatchStatus = (typeof PATIENT_MATCH_STATUSES)[number]

export type PatientMatch = { status: PatientMatchStatus } & Record<PatientField, FieldMatch>

/** Compares the patient of a report with all known data of a person. */
export function matchPatient(
  printed: PrintedPatient,
  known: readonly KnownPatient[],
): PatientMatch {
  const fits = known.map((patient) => ({ patient, ...fitsOf(printed, patient) }))
  const fields = {
    name: chooseFit(fits, 'name'),
    birth_date: chooseFit(fits, 'birth_date'),
    sex: chooseFit(fits, 'sex'),
  }
  const { name, birth_date: birth } = fields
  // The family name may have changed with a marriage.
  const isRenamed =
    name.outcome === 'mismatch' &&
    birth.outcome === 'match' &&
    fits.some(({ names, patient }) => patient.isSure && names.first === 'match')
  if (isRenamed) name.outcome = 'uncertain'
  for (const field of printed.unsure) {
    const isOpen = ['partial', 'mismatch'].includes(fields[field].outcome)
    if (isOpen) fields[field].outcome = 'uncertain'
  }
  return { status: statusOf(fields), ...fields }
}

function statusOf(fields: Record<PatientField, FieldMatch>): PatientMatchStatus {
  const [name, birth, sex] = PATIENT_FIELDS.map((field) => fields[field].outcome)
  for (const worse of ['mismatch', 'uncertain'] as const) {
    if ([name, birth, sex].includes(worse)) return worse
  }
  // Many people have the same sex and the same age.
  const isSameDay = birth === 'match'
  if (name === 'not_comparable' && !isSameDay) return 'not_comparable'
  return name === 'match' || isSameDay ? 'match' : 'uncertain'
}

type Fits = Record<PatientField, Fit> & { names: NameFits }

function fitsOf(printed: PrintedPatient, known: KnownPatient): Fits {
  const names = compareNames(printed, known)
  return {
    names,
    name: toNameFit(names),
    birth_date: compareBirth(printed.birth, known.days),
    sex: compareSex(printed.sex, known.sex),
  }
}

const compareSex = (one: Sex | null, other: Sex | null): Fit => {
  if (one === null || other === null) return 'not_comparable'
  return one === other ? 'match' : 'mismatch'
}

/**
 * Returns the best result of a reliable source, because a person may have had several names. When
 * unreliable sources contradict each other, none is decisive.
 */
function chooseFit(
  fits: readonly (Fits & { patient: KnownPatient })[],
  field: PatientField,
): FieldMatch {
  const comparable = fits.filter((each) => each[field] !== 'not_comparable')
  const sure = comparable.filter(({ patient }) => patient.isSure)
  const counted = sure.length > 0 ? sure : comparable
  const [best] = counted.toSorted(
    (one, other) => BEST_FIRST.indexOf(one[field]) - BEST_FIRST.indexOf(other[field]),
  )
  if (best === undefined) return { outcome: 'not_comparable', compared_with: null }
  const isContradicted = sure.length === 0 && comparable.some((each) => each[field] === 'mismatch')
  const outcome = isContradicted && best[field] !== 'mismatch' ? 'uncertain' : best[field]
  return { outcome, compared_with: best.patient.source }
}
