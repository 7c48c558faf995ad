/** A person as laboratories must know them. */
export interface RequisitionPatient {
  first_name: string
  last_name: string
  /** YYYY-MM-DD */
  dob: string
  gender: string
  phone_number: string | null
  email: string | null
}

export interface RequisitionAddress {
  receiver_name: string
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip: string
  country: string
  phone_number: string | null
  access_notes: string | null
}

/** What a laboratory will report for an ordered marker. */
export interface RequisitionResult {
  name: string
  provider_id: string | null
  loinc: string | null
  /** UCUM or the laboratory's own spelling. */
  unit: string | null
  required: boolean
}

export interface RequisitionTest {
  marker_id: number
  provider_id: string | null
  name: string
  expected_results: RequisitionResult[]
}

/** An answer to one of the laboratory's questions on order entry, by the laboratory's own codes. */
export interface RequisitionAnswer {
  marker_id: number
  question_code: string
  answer: string
}

/** What a laboratory is asked to do. */
export interface Requisition {
  environmentId: string
  orderId: string
  labSlug: string
  method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** Account number at the laboratory. */
  accountId: string
  sampleId: string | null
  priority: boolean
  fasting: boolean
  /** Null for a kit whose patient is not known yet. */
  patient: RequisitionPatient | null
  address: RequisitionAddress | null
  physician: { first_name: string; last_name: string; npi: string } | null
  tests: RequisitionTest[]
  answers: RequisitionAnswer[]
  clinicalNotes: string | null
  icdCodes: string[]
  billingType: string
}
