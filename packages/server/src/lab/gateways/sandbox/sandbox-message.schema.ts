import Type, { type TProperties } from 'typebox'
import { Nullable, TextEnum } from '../../../platform/http/schema-types.ts'
import { COURIERS, SCANS, STATUS_DETAILS } from '../lab-news.ts'
import { FAILURE_TYPES, RESULT_TYPES } from '../lab-report.ts'

/** The sandbox's own messages: news as JSON, with instants as ISO 8601 texts. */

const Strict = <P extends TProperties>(properties: P) =>
  Type.Object(properties, { additionalProperties: false })

const Text = Type.String()
const Instant = Type.String({ format: 'date-time' })

const ReportedTime = Strict({ timestamp: Instant, timezone_offset: Type.Integer() })

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

const ReportedResult = Strict({
  name: Text,
  provider_id: Nullable(Text),
  loinc: Nullable(Text),
  type: TextEnum(RESULT_TYPES),
  result: Text,
  unit: Nullable(Text),
  reference_range: Nullable(Text),
  min_range_value: Nullable(Type.Number()),
  max_range_value: Nullable(Type.Number()),
  flag: Nullable(Text),
  notes: Nullable(Text),
  timestamp: Nullable(Instant),
  performing_laboratory: Nullable(Text),
})

const MissingResult = Strict({
  name: Text,
  provider_id: Nullable(Text),
  loinc: Nullable(Text),
  failure_type: Nullable(TextEnum(FAILURE_TYPES)),
  note: Nullable(Text),
})

const ReportedPatient = Strict({
  first_name: Nullable(Text),
  last_name: Nullable(Text),
  dob: Nullable(Type.String({ format: 'date' })),
  gender: Nullable(Text),
  patient_id: Nullable(Text),
})

const Report = Strict({
  status: TextEnum(['partial', 'final', 'corrected']),
  account_id: Nullable(Text),
  sample_id: Nullable(Text),
  specimen_number: Nullable(Text),
  patient: ReportedPatient,
  ordering_physician: Nullable(Text),
  collected_at: Nullable(ReportedTime),
  received_at: Nullable(ReportedTime),
  reported_at: Nullable(ReportedTime),
  fasting: Type.Boolean(),
  notes: Nullable(Text),
  total_volume: Nullable(Text),
  ordered_provider_ids: Type.Array(Text),
  results: Type.Array(ReportedResult),
  missing_results: Type.Array(MissingResult),
  performing_laboratories: Type.Record(Text, PerformingLaboratory),
  pdf: Nullable(Text),
})

const Order = Strict({
  orderId: Type.Optional(Text),
  sampleId: Type.Optional(Text),
  labSlug: Text,
})

const News = <K extends string, P extends TProperties>(kind: K, properties: P) =>
  Strict({ kind: Type.Literal(kind), order: Order, at: Type.Optional(Instant), ...properties })

const Detail = Nullable(TextEnum(STATUS_DETAILS))

const Scanned = News('scan', {
  direction: TextEnum(['outbound', 'inbound']),
  scan: TextEnum(SCANS),
  courier: TextEnum(COURIERS),
  trackingNumber: Text,
  trackingUrl: Nullable(Text),
})

/** A message: news in the order in which they happened. */
export const SandboxMessage = Type.Array(
  Type.Union([
    News('requisition_accepted', { sampleId: Nullable(Text) }),
    News('kit_dispatched', { sampleId: Text }),
    News('fulfillment_failed', {}),
    Scanned,
    News('sample_received', {}),
    News('processing_blocked', { detail: Detail }),
    News('processing_resumed', {}),
    News('sample_error', { detail: Detail }),
    News('sample_lost', {}),
    News('do_not_process', {}),
    News('appointment_pending', {}),
    News('appointment_scheduled', {}),
    News('appointment_cancelled', {}),
    News('draw_completed', {}),
    News('report', { report: Report }),
  ]),
)
export type SandboxMessage = Type.Static<typeof SandboxMessage>
