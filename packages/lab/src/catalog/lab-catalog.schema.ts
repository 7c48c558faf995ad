import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'

/**
 * Enums and objects of docs/contract/10-labs-and-tests.md. Enums of responses are open: clients
 * must accept new values.
 */

export const LABS = [
  'ayumetrix',
  'spiriplex',
  'ussl',
  'quest',
  'sonora_quest',
  'labcorp',
  'bioreference',
  'us_biotek',
  'manual',
  'sanocardio',
  'ihd',
  'nexus',
  'my_uti',
  'crl',
  'mtl',
] as const

export const SAMPLE_TYPES = [
  'dried_blood_spot',
  'arm_collector',
  'serum',
  'saliva',
  'urine',
  'stool',
] as const
export type SampleType = (typeof SAMPLE_TYPES)[number]

export const LAB_TEST_STATUSES = ['active', 'pending_approval', 'inactive'] as const
export type LabTestStatus = (typeof LAB_TEST_STATUSES)[number]

export const GENERATION_METHODS = ['auto', 'manual', 'all'] as const

export const MARKER_TYPES = ['biomarker', 'panel'] as const
export type MarkerType = (typeof MARKER_TYPES)[number]

export const QUESTION_TYPES = ['choice', 'text', 'numeric', 'multi_choice'] as const

export const LAB_ACCOUNT_STATUSES = ['active', 'pending', 'suspended', 'ready_to_launch'] as const
export type LabAccountStatus = (typeof LAB_ACCOUNT_STATUSES)[number]

export const DELEGATED_FLOWS = [
  'order_delegated',
  'result_delegated',
  'fully_delegated',
  'not_delegated',
] as const
export type DelegatedFlow = (typeof DELEGATED_FLOWS)[number]

export const BILLINGS = [
  'client_bill',
  'commercial_insurance',
  'patient_bill_passthrough',
  'patient_bill',
] as const
export type Billing = (typeof BILLINGS)[number]

/** The fifty states without DC. */
export const US_STATES = [
  ...['AL', 'AK', 'AZ', 'AR', 'CA', 'CO', 'CT', 'DE', 'FL', 'GA', 'HI', 'ID', 'IL', 'IN', 'IA'],
  ...['KS', 'KY', 'LA', 'ME', 'MD', 'MA', 'MI', 'MN', 'MS', 'MO', 'MT', 'NE', 'NV', 'NH', 'NJ'],
  ...['NM', 'NY', 'NC', 'ND', 'OH', 'OK', 'OR', 'PA', 'RI', 'SC', 'SD', 'TN', 'TX', 'UT', 'VT'],
  ...['VA', 'WA', 'WV', 'WI', 'WY'],
] as const

/** States of addresses: the fifty states and DC. */
export const ADDRESS_STATES: readonly string[] = [...US_STATES, 'DC']
export type UsState = string

/** An id of a lab or marker, which is an `integer` of PostgreSQL. */
export const CatalogId = Type.Integer({ minimum: 1, maximum: 2_147_483_647 })

export const Lab = Type.Object(
  {
    id: Type.Integer(),
    slug: Type.String(),
    name: Type.String(),
    first_line_address: Type.String(),
    city: Type.String(),
    zipcode: Type.String(),
    collection_methods: Type.Array(TextEnum(COLLECTION_METHODS)),
    sample_types: Type.Array(TextEnum(SAMPLE_TYPES)),
    logo_url: Nullable(Type.String()),
  },
  { title: 'Lab' },
)
export type Lab = Type.Static<typeof Lab>

const Answer = Type.Object({
  id: Type.Integer(),
  code: Type.String({ description: 'Code to send as the answer.' }),
  value: Type.String({ description: 'Text of the answer to show to people.' }),
})

export const Question = Type.Object(
  {
    id: Type.Integer(),
    required: Type.Boolean(),
    code: Type.String(),
    value: Type.String(),
    type: TextEnum(QUESTION_TYPES),
    sequence: Type.Integer(),
    answers: Type.Array(Answer),
    constraint: Nullable(Type.String()),
    default: Nullable(Type.String()),
  },
  { title: 'Question' },
)
export type Question = Type.Static<typeof Question>

const Rule = (description: string) => Type.Optional(Type.String({ maxLength: 1000, description }))

/** What a laboratory wants to receive for a test, in its own words. */
export const SpecimenRequirement = Type.Object(
  {
    type: Rule('Kind of specimen, such as `Serum`.'),
    container: Rule('Tube or container.'),
    volume: Rule('Preferred volume, with its unit.'),
    minimum_volume: Rule('Least volume, with its unit.'),
    temperature: Rule('Temperature of transport.'),
    stability: Rule('Time for which the specimen can be stored, by temperature.'),
    instructions: Rule('Instructions for collection and handling.'),
  },
  { title: 'SpecimenRequirement', additionalProperties: false },
)
export type SpecimenRequirement = Type.Static<typeof SpecimenRequirement>

export const AoE = Type.Object({ questions: Type.Array(Question) }, { title: 'AoE' })

export const Loinc = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    code: Type.String(),
    unit: Nullable(Type.String()),
  },
  { title: 'Loinc' },
)

export const ExpectedResult = Type.Object(
  {
    id: Type.Integer(),
    name: Type.String(),
    slug: Type.String(),
    lab_id: Nullable(Type.Integer()),
    provider_id: Nullable(Type.String()),
    required: Type.Boolean({
      description:
        'Whether the laboratory always reports the result; false for results of reflex tests.',
    }),
    loinc: Nullable(Loinc),
    unit: Nullable(
      Type.String({ description: 'Unit in which the laboratory reports the result.' }),
    ),
  },
  { title: 'ExpectedResult' },
)
export type ExpectedResult = Type.Static<typeof ExpectedResult>

const markerFields = {
  id: Type.Integer(),
  name: Type.String(),
  slug: Type.String(),
  description: Type.String({
    description: 'Description of the marker; its name when it has no other.',
  }),
  lab_id: Nullable(Type.Integer()),
  provider_id: Nullable(Type.String({ description: "The laboratory's orderable code." })),
  type: Nullable(TextEnum(MARKER_TYPES)),
  unit: Nullable(Type.String()),
  price: Nullable(Type.String({ description: 'Price in US dollars as decimal text, or `N/A`.' })),
  aoe: Nullable(AoE),
  a_la_carte_enabled: Type.Boolean(),
  common_tat_days: Nullable(Type.Integer()),
  worst_case_tat_days: Nullable(Type.Integer()),
  is_orderable: Nullable(Type.Boolean()),
}

export const Marker = Type.Object(markerFields, { title: 'Marker' })
export type Marker = Type.Static<typeof Marker>

export const MarkerComplete = Type.Object(
  {
    ...markerFields,
    expected_results: Type.Array(ExpectedResult),
    specimens: Nullable(
      Type.Array(SpecimenRequirement, {
        description: 'Specimens that the laboratory takes for the test, the preferred one first.',
      }),
    ),
  },
  { title: 'MarkerComplete' },
)
export type MarkerComplete = Type.Static<typeof MarkerComplete>

export const LabTest = Type.Object(
  {
    id: Uuid,
    slug: Type.String(),
    name: Type.String(),
    sample_type: TextEnum(SAMPLE_TYPES),
    method: TextEnum(COLLECTION_METHODS),
    price: Type.Number({ description: 'Price in US dollars.' }),
    is_active: Type.Boolean({ deprecated: true, description: 'Whether `status` is `active`.' }),
    status: TextEnum(LAB_TEST_STATUSES),
    fasting: Type.Boolean(),
    lab: Nullable(Lab),
    markers: Nullable(Type.Array(Marker)),
    is_delegated: Type.Boolean({ deprecated: true, description: 'Unused; always false.' }),
    auto_generated: Type.Boolean(),
    has_collection_instructions: Nullable(Type.Boolean()),
    common_tat_days: Nullable(Type.Integer()),
    worst_case_tat_days: Nullable(Type.Integer()),
    description: Nullable(Type.String()),
  },
  { title: 'LabTest' },
)
export type LabTest = Type.Static<typeof LabTest>

export const LabAccount = Type.Object(
  {
    id: Uuid,
    lab: Type.String(),
    org_id: Nullable(Uuid),
    status: TextEnum(LAB_ACCOUNT_STATUSES),
    delegated_flow: TextEnum(DELEGATED_FLOWS),
    provider_account_id: Type.String(),
    account_name: Nullable(Type.String()),
    default_clinical_notes: Nullable(Type.String()),
    business_units: Nullable(Type.Array(Type.String())),
    allowed_billing: Type.Record(
      Type.String(),
      Type.Array(Type.String({ description: 'Two-letter code of a state.' })),
    ),
    team_id_allowlist: Type.Array(Uuid),
  },
  { title: 'LabAccount' },
)
export type LabAccount = Type.Static<typeof LabAccount>

/**
 * An order set: saved tests, single markers, or both (docs/contract/11-orders.md#ordersetrequest).
 */
export const OrderSetRequest = Type.Object(
  {
    lab_test_ids: Type.Optional(Nullable(Type.Array(Uuid))),
    add_on: Type.Optional(
      Nullable(
        Type.Object({
          marker_ids: Type.Optional(Nullable(Type.Array(CatalogId))),
          provider_ids: Type.Optional(Nullable(Type.Array(Type.String()))),
        }),
      ),
    ),
    lab_account_id: Type.Optional(Nullable(Uuid)),
  },
  { title: 'OrderSetRequest' },
)
export type OrderSetRequest = Type.Static<typeof OrderSetRequest>

/** An answer to an order-entry question (docs/contract/11-orders.md#aoeanswer). */
export const AoeAnswer = Type.Object(
  { marker_id: Type.Integer(), question_id: Type.Integer(), answer: Type.String() },
  { title: 'AoEAnswer' },
)
export type AoeAnswer = Type.Static<typeof AoeAnswer>
