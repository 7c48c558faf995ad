/** A patient as laboratories know them. */
export interface RequisitionPatient {
  first_name: string
  last_name: string
  /** YYYY-MM-DD */
  dob: string
  gender: string
  race?: string | null
  ethnicity?: string | null
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

/** A result that a laboratory reports for an ordered marker. */
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
  /** Kind of specimen by the catalog: `serum`, `urine` …; null for one that it does not know. */
  specimen_type?: string | null
  expected_results: RequisitionResult[]
}

/** An answer to a question of the laboratory on order entry, in the laboratory's codes. */
export interface RequisitionAnswer {
  marker_id: number
  question_code: string
  question: string
  /** Kind of the answer. */
  type: 'choice' | 'text' | 'numeric' | 'multi_choice'
  answer: string
}

/** A postal address of a person other than the patient; `zip` has five or nine digits. */
export interface RequisitionPostalAddress {
  first_line: string
  second_line: string | null
  city: string
  state: string
  zip: string
  country: string
}

/** The guarantor, who pays what the insurer does not. */
export interface RequisitionGuarantor {
  first_name: string
  last_name: string
  phone_number: string
  email: string | null
  address: RequisitionPostalAddress
}

/**
 * The policy to which an order is billed, with the names of
 * docs/contract/15-insurance.md#insurance.
 */
export interface RequisitionInsurance {
  payor_code: string
  /** Ids of the payor at clearing houses, such as `{ availity: ['60054'] }`. */
  payor_ids: Partial<Record<string, string[]>>
  /** The payor. */
  company: { name: string; address: RequisitionPostalAddress }
  member_id: string
  group_id: string | null
  /** The patient's relation to the policyholder. */
  relationship: 'Self' | 'Spouse' | 'Other'
  insured: {
    first_name: string
    last_name: string
    gender: string
    /** YYYY-MM-DD */
    dob: string
    email: string
    phone_number: string
    address: RequisitionPostalAddress
  }
  guarantor: RequisitionGuarantor | null
}

/** An image in base64. */
export interface RequisitionImage {
  content: string
  content_type: 'image/jpeg' | 'image/png'
}

/**
 * Billing data from an order's `health_insurance`
 * (docs/contract/11-orders.md#healthinsurancecreaterequest). The images are only in the requisition
 * that is sent.
 */
export interface RequisitionBilling {
  /** Symptoms, and treatments that the patient tried. */
  subjective: string | null
  /** The physician's assessment and plan. */
  assessment_plan: string | null
  payor_code: string | null
  /** Member number. */
  insurance_id: string | null
  responsible_relationship: 'Self' | 'Spouse' | 'Other' | null
  responsible_details: (Omit<RequisitionGuarantor, 'email'> & { phone_type: string }) | null
  diagnosis_codes: string[]
  front_image: RequisitionImage | null
  back_image: RequisitionImage | null
  patient_signature_image: RequisitionImage | null
}

/** The requisition that a laboratory works from. */
export interface Requisition {
  environmentId: string
  orderId: string
  labSlug: string
  method: 'testkit' | 'walk_in_test' | 'at_home_phlebotomy' | 'on_site_collection'
  /** Account number at the laboratory. */
  accountId: string
  sampleId: string | null
  /** Time at which the order was placed. */
  orderedAt: Date
  /** Time at which the specimen was collected; null before, and for a service center. */
  collectedAt: Date | null
  priority: boolean
  fasting: boolean
  /** Null for a kit whose patient is not yet known. */
  patient: RequisitionPatient | null
  /** Our number of the person: short, and the same in all orders. */
  patientNumber: string
  address: RequisitionAddress | null
  physician: { first_name: string; last_name: string; npi: string } | null
  tests: RequisitionTest[]
  answers: RequisitionAnswer[]
  clinicalNotes: string | null
  icdCodes: string[]
  billingType: string
  /** Policy; null when no insurer is billed. */
  insurance: RequisitionInsurance | null
  /** Null when the order had no `health_insurance`. */
  billing: RequisitionBilling | null
}
