/** System of the identifier of one test of an order: the placer number and that of the marker. */
export const TEST_SYSTEM = 'urn:salus:order_test'
/** System of placer numbers. */
export const PLACER_SYSTEM = 'urn:salus:placer'
/** System of our numbers of persons. */
export const PATIENT_SYSTEM = 'urn:salus:patient'

export const FHIR_CONTENT_TYPE = 'application/fhir+json'
