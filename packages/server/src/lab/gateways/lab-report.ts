/** How to read the text of a result (contract 13, ResultType). */
export const RESULT_TYPES = ['numeric', 'range', 'comment', 'coded_value'] as const
export type ResultType = (typeof RESULT_TYPES)[number]

export const INTERPRETATIONS = ['normal', 'abnormal', 'critical', 'unknown'] as const
export type Interpretation = (typeof INTERPRETATIONS)[number]

/** Why a result is missing (contract 13, FailureType). */
export const FAILURE_TYPES = [
  'quantity_not_sufficient_failure',
  'collection_process_failure',
  'drop_off_failure',
  'internal_lab_failure',
  'order_entry_failure',
  'non_failure',
  'unknown_failure',
  'patient_condition_failure',
  'missing_result_calc_failure',
  'missing_demo_aoe_calc_failure',
  'insufficient_volume',
] as const
export type FailureType = (typeof FAILURE_TYPES)[number]

/** An instant, and the offset from UTC at the place where it was written down. */
export interface ReportedTime {
  /** ISO 8601, UTC. */
  timestamp: string
  /** Seconds east of UTC. */
  timezone_offset: number
}

export interface PerformingLaboratory {
  name: string
  phone_number: string | null
  medical_director: string | null
  address: {
    first_line: string
    second_line: string | null
    city: string
    state: string
    zip: string
    country: string
  } | null
}

/** One measured or observed value, as the laboratory reported it. */
export interface ReportedResult {
  /** The laboratory's name of it. */
  name: string
  /** The laboratory's result code. */
  provider_id: string | null
  loinc: string | null
  type: ResultType
  /** A number as text, `<5`, `3-5`, free text, or an upper-case code, by type. */
  result: string
  unit: string | null
  /** The range as printed; the numbers are read out of it where they are not given. */
  reference_range: string | null
  min_range_value: number | null
  max_range_value: number | null
  /** The laboratory's own flag: N, H, L, HH, LL, A, AA …; null when it gave none. */
  flag: string | null
  notes: string | null
  /** ISO 8601, UTC. */
  timestamp: string | null
  /** Key into `performing_laboratories`. */
  performing_laboratory: string | null
}

export interface MissingResult {
  name: string
  provider_id: string | null
  loinc: string | null
  /** Null when the laboratory's comment has to be interpreted. */
  failure_type: FailureType | null
  note: string | null
}

export interface ReportedPatient {
  first_name: string | null
  last_name: string | null
  /** YYYY-MM-DD */
  dob: string | null
  gender: string | null
  /** The laboratory's own id of the person. */
  patient_id: string | null
}

/** A report of one specimen, in the shape that every gateway reads its messages into. JSON. */
export interface LabReport {
  /** `corrected` replaces results that were final. */
  status: 'partial' | 'final' | 'corrected'
  /** Account number at the laboratory. */
  account_id: string | null
  /** Requisition or control number: what the order calls `sample_id`. */
  sample_id: string | null
  /** The laboratory's number of the specimen (accession). */
  specimen_number: string | null
  patient: ReportedPatient
  ordering_physician: string | null
  collected_at: ReportedTime | null
  received_at: ReportedTime | null
  reported_at: ReportedTime | null
  fasting: boolean
  notes: string | null
  total_volume: string | null
  /** Codes of the orderables that the laboratory was asked for, where it repeats them. */
  ordered_provider_ids: string[]
  results: ReportedResult[]
  missing_results: MissingResult[]
  performing_laboratories: Record<string, PerformingLaboratory>
  /** The laboratory's own report, base64; null when it sends none. */
  pdf: string | null
}
