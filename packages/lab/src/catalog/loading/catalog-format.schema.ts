import { COLLECTION_METHODS } from '@salus/contracts/order-lifecycle'
import { Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type, { type TSchema } from 'typebox'
import {
  BILLINGS,
  DELEGATED_FLOWS,
  LAB_ACCOUNT_STATUSES,
  MARKER_TYPES,
  QUESTION_TYPES,
  SAMPLE_TYPES,
  SpecimenRequirement,
} from '../lab-catalog.schema.ts'

/**
 * A catalog as one object, explained in `data/catalog/README.md`. In a folder each property is a
 * file. Unknown properties are refused, because they are typing errors.
 */

const Text = Type.String({ minLength: 1, maxLength: 500 })
const Texts = Type.Array(Text)
/** Keys by which parts of a catalog refer to each other. */
const Key = Type.String({ pattern: '^[a-z0-9][a-z0-9_]*$' })
const Days = Type.Integer({ minimum: 0, maximum: 365 })

function strict<P extends Record<string, TSchema>>(properties: P) {
  return Type.Object(properties, { additionalProperties: false })
}

export const CatalogLab = strict({
  slug: Key,
  name: Text,
  first_line_address: Text,
  city: Text,
  state: Type.String({ pattern: '^[A-Z]{2}$' }),
  zipcode: Type.String({ pattern: '^[0-9]{5}(-[0-9]{4})?$' }),
  phone_number: Type.Optional(Nullable(Text)),
  clia_number: Type.Optional(Nullable(Text)),
  medical_director: Type.Optional(Nullable(Text)),
  collection_methods: Type.Array(TextEnum(COLLECTION_METHODS)),
  sample_types: Type.Array(TextEnum(SAMPLE_TYPES)),
  logo_url: Type.Optional(Nullable(Text)),
  is_enabled: Type.Optional(Type.Boolean()),
})
export type CatalogLab = Type.Static<typeof CatalogLab>

export const CatalogLoinc = strict({
  code: Text,
  name: Text,
  component: Type.Optional(Nullable(Text)),
  unit: Type.Optional(Nullable(Text)),
})
export type CatalogLoinc = Type.Static<typeof CatalogLoinc>

export const CatalogAnalyte = strict({
  name: Text,
  loinc: Type.Optional(Nullable(Text)),
  unit: Type.Optional(Nullable(Text)),
  slug: Type.Optional(Text),
})
export type CatalogAnalyte = Type.Static<typeof CatalogAnalyte>

export const CatalogQuestion = strict({
  code: Text,
  text: Text,
  type: TextEnum(QUESTION_TYPES),
  required: Type.Boolean(),
  answers: Type.Optional(Type.Array(strict({ code: Text, text: Text }))),
  constraint: Type.Optional(Nullable(Text)),
  default: Type.Optional(Nullable(Text)),
})
export type CatalogQuestion = Type.Static<typeof CatalogQuestion>

/** Fields of a test; an orderable may override any field of its concept. */
const testFields = {
  name: Type.Optional(Text),
  description: Type.Optional(Nullable(Text)),
  aliases: Type.Optional(Texts),
  cpt_codes: Type.Optional(Texts),
  type: Type.Optional(TextEnum(MARKER_TYPES)),
  unit: Type.Optional(Nullable(Text)),
  sample_type: Type.Optional(TextEnum(SAMPLE_TYPES)),
  results: Type.Optional(Texts),
  reflex_results: Type.Optional(Texts),
  questions: Type.Optional(Texts),
  specimens: Type.Optional(Type.Array(SpecimenRequirement)),
  popularity: Type.Optional(Type.Number({ minimum: 0, maximum: 1 })),
  common_tat_days: Type.Optional(Nullable(Days)),
  worst_case_tat_days: Type.Optional(Nullable(Days)),
}

export const CatalogConcept = strict({ ...testFields, name: Text })
export type CatalogConcept = Type.Static<typeof CatalogConcept>

/** Defaults for all tests of a laboratory. */
const defaultFields = {
  a_la_carte_enabled: Type.Optional(Type.Boolean()),
  // A list of states, or `["all"]`
  insurance_states: Type.Optional(Type.Array(Text)),
  common_tat_days: Type.Optional(Nullable(Days)),
  worst_case_tat_days: Type.Optional(Nullable(Days)),
}

export const CatalogTest = strict({
  ...testFields,
  a_la_carte_enabled: Type.Optional(Type.Boolean()),
  insurance_states: Type.Optional(Type.Array(Text)),
  concept: Type.Optional(Text),
  provider_id: Type.Optional(Nullable(Text)),
  slug: Type.Optional(Text),
  price_cents: Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: 100_000_000 }))),
  is_orderable: Type.Optional(Type.Boolean()),
  reflex_of: Type.Optional(Text),
})
export type CatalogTest = Type.Static<typeof CatalogTest>

export const CatalogOrderables = strict({
  defaults: Type.Optional(strict(defaultFields)),
  result_codes: Type.Optional(Type.Record(Type.String(), Text)),
  tests: Type.Array(CatalogTest),
})
export type CatalogOrderables = Type.Static<typeof CatalogOrderables>

const billingFields = BILLINGS.map((billing) => [
  billing,
  // A list of states, or `["all"]`
  Type.Optional(Type.Array(Text)),
])

export const CatalogLabAccount = strict({
  lab: Key,
  provider_account_id: Text,
  account_name: Type.Optional(Nullable(Text)),
  status: Type.Optional(TextEnum(LAB_ACCOUNT_STATUSES)),
  delegated_flow: Type.Optional(TextEnum(DELEGATED_FLOWS)),
  default_clinical_notes: Type.Optional(Nullable(Text)),
  business_units: Type.Optional(Nullable(Texts)),
  allowed_billing: Type.Unsafe<Record<string, string[]>>(
    strict(Object.fromEntries(billingFields) as Record<string, TSchema>),
  ),
  team_id_allowlist: Type.Optional(Type.Array(Uuid)),
  offered_provider_ids: Type.Optional(Nullable(Texts)),
})
export type CatalogLabAccount = Type.Static<typeof CatalogLabAccount>

export const CatalogPhysician = strict({
  npi: Text,
  first_name: Text,
  last_name: Text,
  // States, or `["all"]`
  licensed_states: Texts,
})
export type CatalogPhysician = Type.Static<typeof CatalogPhysician>

export const Catalog = Type.Object(
  {
    notice: Type.Optional(Type.String()),
    labs: Type.Array(CatalogLab),
    loincs: Type.Optional(Type.Array(CatalogLoinc)),
    analytes: Type.Optional(Type.Record(Type.String(), CatalogAnalyte)),
    questions: Type.Optional(Type.Record(Type.String(), CatalogQuestion)),
    concepts: Type.Optional(Type.Record(Type.String(), CatalogConcept)),
    orderables: Type.Optional(Type.Record(Type.String(), CatalogOrderables)),
    lab_accounts: Type.Optional(Type.Array(CatalogLabAccount)),
    network_physicians: Type.Optional(Type.Array(CatalogPhysician)),
  },
  { additionalProperties: false },
)
export type Catalog = Type.Static<typeof Catalog>

export const Changes = Type.Object(
  { inserted: Type.Integer(), updated: Type.Integer(), unchanged: Type.Integer() },
  { title: 'CatalogChanges' },
)
export type Changes = Type.Static<typeof Changes>

/** What a load did, or what a dry run would do. */
export const CatalogImportSummary = Type.Object(
  {
    dry_run: Type.Boolean({ description: 'Whether this was a dry run, which stores nothing.' }),
    labs: Changes,
    loincs: Changes,
    markers: Changes,
    deactivated: Type.Integer({
      description: 'Number of markers deactivated because the catalog no longer has them.',
    }),
    expected_results: Changes,
    lab_accounts: Changes,
    physicians: Changes,
  },
  { title: 'CatalogReport' },
)
export type CatalogImportSummary = Type.Static<typeof CatalogImportSummary>
