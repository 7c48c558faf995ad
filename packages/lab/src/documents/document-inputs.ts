import type { ReportedTime, RequisitionTest, ResultMessage } from '@salus/contracts/lab-gateway'

/**
 * Inputs of the documents: plain data that orders and results already have. Persons, addresses and
 * other stored objects have the names of the contract (docs/contract/11-orders.md and
 * docs/contract/15-insurance.md), so they can be passed unchanged. Missing data is null or an empty
 * list and leaves no gap on the page.
 */

export interface DocumentAddress {
  first_line: string
  second_line?: string | null
  city: string
  state: string
  zip: string
  country?: string | null
}

/** The laboratory that performs the tests or reports the results. */
export interface DocumentLaboratory {
  name: string
  address: DocumentAddress | null
  phone_number: string | null
  clia_number: string | null
  medical_director: string | null
}

/** The customer's account at the laboratory. */
export interface DocumentAccount {
  number: string
  name: string | null
  address: DocumentAddress | null
}

/**
 * A person responsible for the patient: a minor's proxy, or a guarantor of payment
 * (docs/contract/15-insurance.md#guarantordetails).
 */
export interface DocumentGuarantor {
  first_name: string
  last_name: string
  phone_number: string
  email?: string | null
  address: DocumentAddress
}

export interface DocumentPatient {
  first_name: string | null
  last_name: string | null
  /** YYYY-MM-DD */
  dob: string
  /** A Gender value. */
  gender: string
  phone_number?: string | null
  email?: string | null
  medical_proxy?: DocumentGuarantor | null
}

/** Insurance that is billed, in the shape of the contract's Insurance. */
export interface DocumentInsurance {
  member_id: string
  payor_code: string
  group_id?: string | null
  /** Self, Spouse, Other */
  relationship: string
  insured: {
    first_name: string
    last_name: string
    /** YYYY-MM-DD */
    dob: string
    gender: string
    phone_number?: string | null
    address: DocumentAddress
  }
  company: { name: string; address: DocumentAddress | null }
  guarantor?: DocumentGuarantor | null
}

/** An image as the API accepts it: base64 with its content type. */
export interface DocumentImage {
  content: string
  content_type: string
}

export interface DocumentPhysician {
  first_name: string
  last_name: string
  npi: string
  /** JPEG or PNG; null prints an electronic signature as text. */
  signature_image?: DocumentImage | null
}

/** A test on a requisition. */
export interface DocumentTest {
  /** The laboratory's code of the test. */
  code: string | null
  name: string
  /** A LabTestSampleType, or the laboratory's own term. */
  sample_type: string | null
}

/** An answered order-entry question. */
export interface DocumentAnswer {
  /** Text of the question. */
  question: string
  /** Texts of the chosen answers, or the given text or number. */
  answers: string[]
}

export interface DocumentDiagnosis {
  /** ICD-10-CM */
  code: string
  description: string | null
}

/** A consent as stored with orders (docs/contract/11-orders.md#consent). */
export interface DocumentConsent {
  consentType: string
  version: string
  /** ISO 8601 */
  timeOfConsent: string
}

export type DocumentCollectionMethod =
  | 'testkit'
  | 'walk_in_test'
  | 'at_home_phlebotomy'
  | 'on_site_collection'

export interface RequisitionInput {
  laboratory: DocumentLaboratory
  account: DocumentAccount
  /** The requisition number, which is the `sample_id` of the order. */
  sampleId: string
  /** YYYY-MM-DD */
  orderedOn: string
  /** True prints STAT. */
  priority: boolean
  method: DocumentCollectionMethod
  fasting: boolean
  patient: DocumentPatient
  patientAddress: DocumentAddress | null
  /** A Billing value. */
  billingType: string
  insurance: DocumentInsurance | null
  /** Sides of the insurance card: JPEG or PNG. An image that cannot be read is left out. */
  insuranceImages: DocumentImage[]
  /** Printed at its own offset; null prints blanks, or the instruction for a service center. */
  collectedAt: ReportedTime | null
  /** True prints the order as PDF417 symbols too. */
  hasOrderRecord: boolean
  tests: DocumentTest[]
  answers: DocumentAnswer[]
  diagnoses: DocumentDiagnosis[]
  /** Up to 2,000 characters; line breaks are preserved. */
  clinicalNotes: string | null
  physician: DocumentPhysician | null
  consents: DocumentConsent[]
  /** Time of rendering. */
  at: Date
}

export interface LabelsInput {
  patient: Pick<DocumentPatient, 'first_name' | 'last_name' | 'dob' | 'gender'>
  /** The requisition number, which is the `sample_id` of the order; tubes add `-1`, `-2`. */
  sampleId: string
  accountNumber: string
  /** Printed at its own offset. */
  collectedAt: ReportedTime
  tests: DocumentTest[]
  priority: boolean
  /** From 1 to 20, one page each. */
  numberOfLabels: number
  at: Date
}

/** Reasons for which insurers limit the coverage of laboratory tests. */
export const ABN_REASONS = ['diagnosis', 'frequency', 'experimental'] as const
export type AbnReason = (typeof ABN_REASONS)[number]

export interface AbnTest {
  code: string | null
  name: string
  /** Reason for which the insurer may refuse payment; null prints the usual reason. */
  reason: AbnReason | null
  estimatedCostCents: number | null
}

export interface AbnInput {
  notifier: { name: string; address: DocumentAddress | null; phone_number: string | null }
  patient: Pick<DocumentPatient, 'first_name' | 'last_name'>
  /**
   * Identifier of the patient or the order for the issuer of the notice; never a social security
   * number.
   */
  identificationNumber: string | null
  /** Whether Medicare pays first, which prescribes the form CMS-R-131. */
  isMedicare: boolean
  /** Name of the insurer that may refuse payment. */
  insurerName: string | null
  tests: AbnTest[]
  at: Date
}

export interface CollectionInstructionsInput {
  laboratory: DocumentLaboratory
  method: DocumentCollectionMethod
  sampleId: string | null
  patient: Pick<DocumentPatient, 'first_name' | 'last_name'> | null
  fasting: boolean
  tests: DocumentTest[]
  at: Date
}

/** An ordered test with its expected results. */
export type RequestedTest = Pick<RequisitionTest, 'provider_id' | 'name'> & {
  expected_results: Pick<
    RequisitionTest['expected_results'][number],
    'name' | 'provider_id' | 'loinc'
  >[]
}

export interface ResultDocumentInput {
  report: ResultMessage
  laboratory: DocumentLaboratory
  /** Null prints the account of the result message. */
  account: DocumentAccount | null
  /** Ordered tests in the order of the requisition, by which results are grouped. */
  tests: RequestedTest[]
  at: Date
}
