import Type, { type TProperties } from 'typebox'
import { Nullable, TextEnum } from '../schema-types.ts'

/** How to read the text of a result (docs/contract/13-results.md#biomarkerresult). */
export const RESULT_TYPES = ['numeric', 'range', 'comment', 'coded_value'] as const
export type ResultType = (typeof RESULT_TYPES)[number]

export const INTERPRETATIONS = ['normal', 'abnormal', 'critical', 'unknown'] as const
export type Interpretation = (typeof INTERPRETATIONS)[number]

/** Why a result is missing (docs/contract/13-results.md#missingbiomarkerresult). */
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

/** An object schema that refuses unknown properties, for input from outside. */
export const Strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const Text = Type.String()
/** ISO 8601. */
export const Instant = Type.String({ format: 'date-time' })

/** An instant, and the offset from UTC at the place where it was written down. */
const ReportedTime = Strict({
  /** UTC. */
  timestamp: Instant,
  /** Seconds east of UTC. */
  timezone_offset: Type.Integer(),
})
export type ReportedTime = Type.Static<typeof ReportedTime>

const PerformingLaboratory = Strict({
  name: Text,
  phone_number: Nullable(Text),
  medical_director: Nullable(Text),
  address: Nullable(
    Strict({
      first_line: Text,
      second_line: Nullable(Text),
      city: Text,
      state: Text,
      zip: Text,
      country: Text,
    }),
  ),
})
export type PerformingLaboratory = Type.Static<typeof PerformingLaboratory>

/** Standing of one result. What is cancelled or awaited is no result. */
export const REPORTED_STATUSES = ['preliminary', 'final', 'corrected'] as const

/** Standing of a test; it has an end with the last three. */
export const TEST_STATUSES = ['pending', 'preliminary', 'final', 'corrected', 'cancelled'] as const
/** Why a test is in a report: ordered, caused by another result, or ordered later. */
export const TEST_ORIGINS = ['ordered', 'reflex', 'added'] as const

/** Keys that distinguish the results of a report. */
const ResultIdentity = {
  /** Key into `tests`. Two tests may have results with one code. */
  test: Type.Optional(Text),
  /** OBX-4: an isolate, or another repetition of one code within a test. */
  sub_id: Type.Optional(Text),
  /**
   * OBX-14 where it is not the time of the test's draw. In a test with several results of one code
   * it is the draw of each, as in a tolerance test; elsewhere laboratories also have the time of
   * the analysis there.
   */
  observed_at: Type.Optional(Instant),
}

/** One measured or observed value, as the laboratory reported it. */
const ReportedResult = Strict({
  ...ResultIdentity,
  /** `final` by default. */
  status: Type.Optional(TextEnum(REPORTED_STATUSES)),
  /** All flags; `flag` is the first that has a meaning for normality, else the first. */
  flags: Type.Optional(Type.Array(Text)),
  /** Unit in UCUM, beside the printed one. */
  ucum: Type.Optional(Nullable(Text)),
  method: Type.Optional(Nullable(Text)),
  /** The laboratory's name of it. */
  name: Text,
  /** The laboratory's result code. */
  provider_id: Nullable(Text),
  loinc: Nullable(Text),
  type: TextEnum(RESULT_TYPES),
  /** Depending on the type: a number as text, `<5`, `3-5`, free text, or an upper-case code. */
  result: Text,
  unit: Nullable(Text),
  /** Range as printed; the numbers are parsed from it where they are not given. */
  reference_range: Nullable(Text),
  min_range_value: Nullable(Type.Number()),
  max_range_value: Nullable(Type.Number()),
  /** The laboratory's own flag: N, H, L, HH, LL, A, AA …; null when it gave none. */
  flag: Nullable(Text),
  notes: Nullable(Text),
  timestamp: Nullable(Instant),
  /** Key into `performing_laboratories`. */
  performing_laboratory: Nullable(Text),
})
export type ReportedResult = Type.Static<typeof ReportedResult>

const MissingResult = Strict({
  ...ResultIdentity,
  name: Text,
  provider_id: Nullable(Text),
  loinc: Nullable(Text),
  /** Null when the laboratory's comment has to be interpreted. */
  failure_type: Nullable(TextEnum(FAILURE_TYPES)),
  note: Nullable(Text),
})
export type MissingResult = Type.Static<typeof MissingResult>

/** A test of a report: what the laboratory ordered, reflexed or added. */
const ReportedTest = Strict({
  /** The laboratory's code. */
  provider_id: Nullable(Text),
  name: Text,
  loinc: Nullable(Text),
  placer_number: Nullable(Text),
  filler_number: Nullable(Text),
  /**
   * The least complete of its results: `pending` has none yet; `cancelled` will have none. A test
   * has an end with `final`, `corrected` and `cancelled`.
   */
  status: TextEnum(TEST_STATUSES),
  origin: TextEnum(TEST_ORIGINS),
  /** The result that led to this test, such as the isolate of a susceptibility panel. */
  parent: Nullable(
    Strict({
      filler_number: Nullable(Text),
      provider_id: Nullable(Text),
      loinc: Nullable(Text),
      sub_id: Nullable(Text),
      value: Nullable(Text),
    }),
  ),
  specimen: Nullable(
    Strict({
      number: Nullable(Text),
      type: Nullable(Text),
      condition: Nullable(Text),
      reject_reason: Nullable(Text),
    }),
  ),
  /** Time of the draw (SPM-17, OBR-7); timed draws of one test differ in it. */
  collected_at: Type.Optional(Nullable(ReportedTime)),
  /** Orders versions of this test (OBR-22). */
  reported_at: Nullable(ReportedTime),
  /** Comments on the test as a whole, such as why it was cancelled. */
  notes: Type.Optional(Nullable(Text)),
})
export type ReportedTest = Type.Static<typeof ReportedTest>

/** A result that the laboratory took back or confirmed without repeating its value. */
const NamedResult = Strict({
  ...ResultIdentity,
  name: Text,
  provider_id: Nullable(Text),
  loinc: Nullable(Text),
})
export type NamedResult = Type.Static<typeof NamedResult>

/** What is said of a document beside its bytes. */
const DocumentHead = {
  ...ResultIdentity,
  /** Name or code that the laboratory gave it. */
  name: Text,
  provider_id: Type.Optional(Nullable(Text)),
  loinc: Type.Optional(Nullable(Text)),
  /** `final` by default. */
  status: Type.Optional(TextEnum(REPORTED_STATUSES)),
}
const ReportedDocumentHead = Strict(DocumentHead)
export type ReportedDocumentHead = Type.Static<typeof ReportedDocumentHead>

const ReportedDocument = Strict({
  ...DocumentHead,
  /** By its bytes, such as `application/pdf`. */
  content_type: Text,
  /** Base64 */
  content: Text,
})
export type ReportedDocument = Type.Static<typeof ReportedDocument>

const ReportedPatient = Strict({
  first_name: Nullable(Text),
  last_name: Nullable(Text),
  /** YYYY-MM-DD */
  dob: Nullable(Type.String({ format: 'date' })),
  gender: Nullable(Text),
  /** The laboratory's own id of the person. */
  patient_id: Nullable(Text),
})
export type ReportedPatient = Type.Static<typeof ReportedPatient>

/** A report of one specimen as JSON. Every gateway reads its messages into this shape. */
export const ResultMessage = Strict({
  /**
   * `corrected` replaces results that were final. With `tests`, the order is final when each
   * ordered test has an end, whatever one message says.
   */
  status: TextEnum(['partial', 'final', 'corrected']),
  /** Whether the report has all results so far, or only some; the whole by default. */
  scope: Type.Optional(TextEnum(['whole', 'part'])),
  /** Tests by a key of this report, in its order. */
  tests: Type.Optional(Type.Record(Text, ReportedTest)),
  /** Results that were taken back: `wrong_patient` ones were of another person. */
  withdrawn: Type.Optional(
    Type.Array(
      Strict({ ...NamedResult.properties, reason: TextEnum(['deleted', 'wrong_patient']) }),
    ),
  ),
  /** Earlier results that are final now, without being repeated. */
  confirmed: Type.Optional(Type.Array(NamedResult)),
  /** Documents beside `pdf`. */
  documents: Type.Optional(Type.Array(ReportedDocument)),
  /** Account number at the laboratory. */
  account_id: Nullable(Text),
  /** Requisition or control number, which the order calls `sample_id`. */
  sample_id: Nullable(Text),
  /** The laboratory's number of the specimen (accession number). */
  specimen_number: Nullable(Text),
  patient: ReportedPatient,
  ordering_physician: Nullable(Text),
  collected_at: Nullable(ReportedTime),
  received_at: Nullable(ReportedTime),
  reported_at: Nullable(ReportedTime),
  fasting: Type.Boolean(),
  notes: Nullable(Text),
  total_volume: Nullable(Text),
  /** Codes of the ordered tests, where the laboratory repeats them. */
  ordered_provider_ids: Type.Array(Text),
  results: Type.Array(ReportedResult),
  missing_results: Type.Array(MissingResult),
  performing_laboratories: Type.Record(Text, PerformingLaboratory),
  /** The laboratory's own report in base64; null when it sends none. */
  pdf: Nullable(Text),
  /** What the laboratory says of `pdf`. */
  pdf_head: Type.Optional(ReportedDocumentHead),
})
export type ResultMessage = Type.Static<typeof ResultMessage>
