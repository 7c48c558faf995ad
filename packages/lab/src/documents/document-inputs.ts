import type { LabReport, ReportedTime, RequisitionTest } from '@salus/contracts/lab-gateway'

/**
 * What the documents are rendered from: plain data that orders and results already hold. Persons,
 * addresses and other stored objects keep the names of the contract (docs/contract/11-orders.md and
 * docs/contract/15-insurance.md), so they can be passed as they are; what is missing is null or an
 * empty list and leaves no gap on the paper.
 */

export interface DocumentAddress {
  first_line: string
  second_line?: string | null
  city: string
  state: string
  zip: string
  country?: string | null
}

/** The laboratory that is asked, or that reports. */
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
 * A person who answers for the patient: a minor's proxy, or who guarantees payment
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

/** Insurance that is billed; the shape of the contract's Insurance. */
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

/** An image as the API takes it: base64, with its type. */
export interface DocumentImage {
  content: string
  content_type: string
}

export interface DocumentPhysician {
  first_name: string
  last_name: string
  npi: string
  /** JPEG or PNG; null prints an electronic signature in words. */
  signature_image?: DocumentImage | null
}

/** A test as it stands on a requisition. */
export interface DocumentTest {
  /** The laboratory's code of it. */
  code: string | null
  name: string
  /** A LabTestSampleType, or the laboratory's own word for it. */
  sample_type: string | null
}

/** Answered question of order entry. */
export interface DocumentAnswer {
  /** The question's text. */
  question: string
  /** Texts of the chosen answers, or the one text or number given. */
  answers: string[]
}

export interface DocumentDiagnosis {
  /** ICD-10-CM */
  code: string
  description: string | null
}

/** A consent as orders keep it (docs/contract/11-orders.md#consent). */
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
  /** The requisition number: what the order calls `sample_id`. */
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
  tests: DocumentTest[]
  answers: DocumentAnswer[]
  diagnoses: DocumentDiagnosis[]
  /** Up to 2,000 characters; its line breaks are kept. */
  clinicalNotes: string | null
  physician: DocumentPhysician | null
  consents: DocumentConsent[]
  /** When the document is made. */
  at: Date
}

export interface LabelsInput {
  patient: Pick<DocumentPatient, 'first_name' | 'last_name' | 'dob' | 'gender'>
  /** The requisition number: what the order calls `sample_id`. */
  sampleId: string
  accountNumber: string
  /** Printed in its offset. */
  collectedAt: ReportedTime
  tests: DocumentTest[]
  priority: boolean
  /** 1 to 20, one page each. */
  numberOfLabels: number
  at: Date
}

export interface AbnTest {
  code: string | null
  name: string
  /** Why the insurer may not pay; null prints the usual reason. */
  reason: string | null
  estimatedCostCents: number | null
}

export interface AbnInput {
  notifier: { name: string; address: DocumentAddress | null; phone_number: string | null }
  patient: Pick<DocumentPatient, 'first_name' | 'last_name'>
  /** How the notifier knows the patient or the order; never a social security number. */
  identificationNumber: string | null
  /** Whose payment is in doubt. */
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

/** A requested test, and by which results the laboratory answers it. */
export type RequestedTest = Pick<RequisitionTest, 'provider_id' | 'name'> & {
  expected_results: Pick<
    RequisitionTest['expected_results'][number],
    'name' | 'provider_id' | 'loinc'
  >[]
}

export interface ResultReportInput {
  report: LabReport
  laboratory: DocumentLaboratory
  /** Null prints the account that the report names. */
  account: DocumentAccount | null
  /** What was asked for, in the order of the requisition: results are grouped by it. */
  tests: RequestedTest[]
  at: Date
}
