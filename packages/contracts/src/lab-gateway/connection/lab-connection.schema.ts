import Type from 'typebox'
import { TextEnum } from '../../schema-types.ts'
import { Strict } from '../result-message.schema.ts'
import { ResultTransport, SendingTransport } from './transport.schema.ts'

/**
 * A laboratory connection: one feed of one laboratory in one environment, as an operator writes it
 * (docs/laboratories.md). Everything but the first fields has a default from the profile.
 * Unknown keys are refused.
 */

/** Interfaces that a connection can follow; each brings defaults for everything else. */
export const CONNECTION_PROFILES = [
  'hl7-2.3-legacy',
  'hl7-2.3.1-legacy',
  'loi-lri-2.5.1',
  'fhir-r4',
] as const
export type ConnectionProfile = (typeof CONNECTION_PROFILES)[number]

const Text = Type.String({ maxLength: 255 })
const Optional = Type.Optional
const Codes = Type.Record(Text, Text)
/** A regular expression; its length is limited, and it is matched against short texts only. */
const Pattern = Type.String({ maxLength: 200 })

const Envelope = Strict({
  sending_app: Optional(Text),
  /** `{account}` is the number of the lab account. */
  sending_facility: Optional(Text),
  receiving_app: Optional(Text),
  receiving_facility: Optional(Text),
  /** MSH-12 */
  version: Optional(TextEnum(['2.3', '2.3.1', '2.4', '2.5', '2.5.1'])),
  /** MSH-9 of orders */
  message: Optional(TextEnum(['ORM^O01', 'OML^O21'])),
  /** MSH-21 */
  profile_ids: Optional(Type.Array(Text)),
  /** MSH-18, and the encoding of what is sent */
  charset: Optional(TextEnum(['ASCII', '8859/1', 'UNICODE UTF-8'])),
  segment_end: Optional(TextEnum(['CR', 'CRLF'])),
  /** Whether letters outside of ASCII are written by their base letters. */
  ascii_fold: Optional(Type.Boolean()),
})

const Numbers = Strict({
  placer: Optional(
    Strict({
      /** `{counter:8}` is the next number of the connection, with at least eight digits. */
      format: Optional(Type.String({ maxLength: 40, pattern: '\\{counter(:\\d{1,2})?\\}' })),
      max_length: Optional(Type.Integer({ minimum: 4, maximum: 50 })),
      /** Whether each test or the whole requisition has a placer number. */
      per: Optional(TextEnum(['requisition', 'test'])),
    }),
  ),
  requisition: Optional(
    Strict({
      source: Optional(TextEnum(['placer', 'range', 'laboratory'])),
      /** First and last number that the laboratory reserved. */
      range: Optional(
        Strict({ first: Type.Integer({ minimum: 0 }), last: Type.Integer({ minimum: 0 }) }),
      ),
      check_digit: Optional(TextEnum(['none', 'mod10'])),
    }),
  ),
  /** Removed from the numbers of results before they are compared. */
  strip_from_results: Optional(Type.Array(Pattern, { maxItems: 10 })),
  /** Field of our number of the person. */
  patient: Optional(TextEnum(['PID-2', 'PID-3'])),
})

const CodeMaps = Strict({
  sex: Optional(Codes),
  relationship: Optional(Codes),
  bill_type: Optional(Codes),
  priority: Optional(Codes),
  /** Codes of specimens by the kind of the catalog, or by the code of a test. */
  specimen: Optional(Codes),
  race: Optional(Codes),
  ethnicity: Optional(Codes),
  /** Payor code of the catalog to the laboratory's own. */
  payor: Optional(Codes),
  orderable_system: Optional(Text),
  /** The laboratory's result codes to LOINC. */
  to_loinc: Optional(Codes),
  /** Units as printed to UCUM. */
  units: Optional(Codes),
  flags: Optional(Codes),
  /** Words in place of a value which say that there is none. */
  missing_words: Optional(Type.Array(Text)),
  /** Part of a comment to a failure type. */
  failure: Optional(Codes),
})

const OrderRules = Strict({
  /** Components of OBR-4 in which the code is: 1 to 3, or 4 to 6. */
  order_code_component: Optional(Type.Union([Type.Literal(1), Type.Literal(4)])),
  orc_per: Optional(TextEnum(['test', 'requisition'])),
  insurance_max: Optional(Type.Integer({ minimum: 0, maximum: 3 })),
  phone: Optional(TextEnum(['digits', '(999)999-9999', 'xtn'])),
  zip: Optional(TextEnum(['99999', '999999999', '99999-9999'])),
  date_time: Optional(TextEnum(['minutes', 'seconds', 'with_offset'])),
  provider: Optional(TextEnum(['2.3', '2.5'])),
  diagnoses: Optional(TextEnum(['per_test', 'once', 'none'])),
  /** Code of a question to the field that takes its answer, such as `OBR-13`. */
  aoe_fields: Optional(Type.Record(Text, Type.String({ pattern: '^[A-Z][A-Z0-9]{2}-\\d{1,2}$' }))),
  notes: Optional(TextEnum(['OBR', 'PID', 'none'])),
  specimens: Optional(TextEnum(['SPM', 'OBR-15', 'none'])),
  /** Fields with a constant, such as `PV1-2`. */
  set: Optional(Type.Record(Type.String({ pattern: '^[A-Z][A-Z0-9]{2}-\\d{1,2}$' }), Text)),
  /** Fields that are left empty. */
  omit: Optional(Type.Array(Type.String({ pattern: '^[A-Z][A-Z0-9]{2}-\\d{1,2}$' }))),
  /** How an order is cancelled: by a message, or by people on the telephone. */
  cancel: Optional(TextEnum(['message', 'telephone'])),
  name_max_length: Optional(Type.Integer({ minimum: 5, maximum: 250 })),
  upper_case: Optional(Type.Boolean()),
})

const ResultRules = Strict({
  /** Whether a message repeats all results so far or has only new ones. */
  scope: Optional(TextEnum(['cumulative', 'incremental'])),
  final_when: Optional(TextEnum(['all_ordered', 'obr25'])),
  /** Ways to find the order, in order. */
  match: Optional(Type.Array(TextEnum(['placer', 'filler', 'specimen', 'requisition']))),
  /** Codes of OBX whose value is a document, beside every ED with a PDF. */
  document_codes: Optional(Type.Array(Text)),
  /** Captures the range in a note, such as `^Reference range:\s*(.+)$`. */
  range_from_notes: Optional(Pattern),
  /** Values that mean that the notes hold the result. */
  value_from_notes: Optional(Type.Array(Text)),
})

const Alerts = Strict({
  no_message_for_hours: Optional(Type.Integer({ minimum: 1, maximum: 720 })),
  queue_older_than_minutes: Optional(Type.Integer({ minimum: 1, maximum: 10_080 })),
  rejected: Optional(Type.Boolean()),
})

export const LabConnectionConfig = Strict({
  /** Name; it is part of the gateway's name and is never used for another feed. */
  connection: Type.String({ pattern: '^[a-z0-9][a-z0-9-]{1,39}$' }),
  /** Slug of the laboratory in the catalog. */
  lab: Text,
  profile: TextEnum(CONNECTION_PROFILES),
  enabled: Optional(Type.Boolean()),
  /** MSH-11: messages with another one are refused. By default P in production, else T. */
  processing_id: Optional(TextEnum(['P', 'T', 'D'])),
  /** IANA zone of times without an offset. */
  time_zone: Text,
  /** Account numbers at the laboratory; those of the lab accounts of the catalog by default. */
  accounts: Optional(Type.Array(Text)),
  orders: Optional(SendingTransport),
  results: Optional(ResultTransport),
  ack: Optional(
    Strict({
      mode: Optional(TextEnum(['original', 'enhanced', 'none'])),
      batch: Optional(TextEnum(['each', 'none'])),
      on_unreadable: Optional(TextEnum(['AE', 'AA'])),
    }),
  ),
  envelope: Optional(Envelope),
  numbers: Optional(Numbers),
  codes: Optional(CodeMaps),
  order: Optional(OrderRules),
  result: Optional(ResultRules),
  alerts: Optional(Alerts),
})
export type LabConnectionConfig = Type.Static<typeof LabConnectionConfig>
