export {
  type FhirResource,
  ICD_10_CM,
  idOf,
  type NamedResult,
  type ResourceContext,
  type ResourceNames,
  salusConcept,
  textOf,
} from './fhir-parts.ts'
export { type SampleRow, toSample, toSummary } from './health-resources.ts'
export { type ResultRow, toDiagnosticReport, toReadResult } from './lab-resources.ts'
export {
  type AppointmentRow,
  type OrderRow,
  toAppointment,
  toServiceRequest,
  US_NPI,
} from './order-resources.ts'
export {
  type DeviceRow,
  type PolicyRow,
  toCoverage,
  toDevice,
  toDocument,
  toPatient,
  type UserRow,
} from './person-resources.ts'
export { SERIES_CODES } from './series-codes.registry.ts'
