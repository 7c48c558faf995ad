export { type PrintedBirth, yearsBetween } from './birth-dates.ts'
export {
  type KnownPatient,
  matchPatient,
  PATIENT_MATCH_STATUSES,
  PATIENT_SOURCES,
  type PatientField,
  type PrintedPatient,
  type Sex,
} from './compare-patients.ts'
export {
  compareDemographics,
  type DemographicFit,
  matchResultPatient,
  type Patient,
  toSex,
} from './demographics.ts'
export { compareNames, FITS, toNameFit } from './names.ts'
