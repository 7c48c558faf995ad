import type { LabReport } from '@salus/lab-report-parser'
import {
  compareNames,
  type PatientField,
  type PrintedPatient,
  toNameFit,
  toSex,
} from '../../patients/index.ts'
import { toReportData } from '../lab-reports.presenter.ts'
import type { ResultMetadata } from '../lab-reports.schema.ts'
import { readBirth, readReportDates } from '../report-dates.ts'
import { applyCorrections, type Correction } from '../review/corrections.ts'

/** Readings below this confidence are uncertain. */
const SURE = 0.8

type Read = Pick<LabReport, 'header' | 'language' | 'patient'>

/** Returns the corrected patient of a report. */
export function readPrintedPatient(
  report: Read,
  corrections: readonly Correction[],
): PrintedPatient & { metadata: ResultMetadata } {
  const { metadata } = applyCorrections(toReportData({ ...report, results: [] }), corrections)
  const { collected_on, reported_on } = readReportDates(metadata, report.language)
  const on = collected_on ?? reported_on
  const years = readAge(report.patient?.age?.text)
  return {
    metadata,
    first_name: metadata.patient_first_name,
    last_name: metadata.patient_last_name,
    birth: {
      ...readBirth(metadata, report.language),
      age: years === null || on === null ? null : { years, on },
    },
    sex: toSex(metadata.gender),
    unsure: listUnsure(report, corrections),
  }
}

/** Returns whether a report names further patients, other than the one in its metadata. */
export function namesOtherPatients(report: Read, printed: PrintedPatient): boolean {
  const others = report.patient?.others ?? []
  return others.some(
    ({ first, last }) =>
      toNameFit(compareNames({ first_name: first, last_name: last }, printed)) === 'mismatch',
  )
}

/**
 * Returns full years; for a child with an age in months or days, the birth date is more precise.
 */
function readAge(text = ''): number | null {
  const [, years] = /^\s*(\d{1,3})\s*(?:y|a|j|$)/i.exec(text) ?? []
  return years === undefined ? null : Number(years)
}

/** Returns the fields that are uncertain; corrected ones are certain. */
function listUnsure({ header }: Read, corrections: readonly Correction[]): PatientField[] {
  const corrected = new Set(
    corrections.filter(({ position }) => position === null).map(({ field }) => field),
  )
  const read: [PatientField, field: keyof ResultMetadata, confidence: number | undefined][] = [
    ['name', 'patient_first_name', header.patientFirstName?.confidence],
    ['name', 'patient_last_name', header.patientLastName?.confidence],
    ['birth_date', 'dob', header.dateOfBirth?.confidence],
    ['sex', 'gender', header.gender?.field.confidence],
  ]
  const unsure = read.filter(
    ([, field, confidence = 1]) => confidence < SURE && !corrected.has(field),
  )
  return [...new Set(unsure.map(([field]) => field))]
}
