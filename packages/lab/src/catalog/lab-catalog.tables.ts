import type { CollectionMethod } from '@salus/contracts/order-lifecycle'
import type { ColumnType, Generated } from 'kysely'
import type {
  Billing,
  DelegatedFlow,
  LabAccountStatus,
  LabTestStatus,
  MarkerType,
  Question,
  SampleType,
  SpecimenRequirement,
  UsState,
} from './lab-catalog.schema.ts'

type Json<T> = ColumnType<T, string, string>

export interface LabsTable {
  id: Generated<number>
  slug: string
  name: string
  first_line_address: string
  city: string
  state: string
  zipcode: string
  phone_number: string | null
  clia_number: string | null
  medical_director: string | null
  collection_methods: CollectionMethod[]
  sample_types: SampleType[]
  logo_url: string | null
  is_enabled: Generated<boolean>
  /** Whether the row belongs to the shipped catalog, which production does not see. */
  is_sample: Generated<boolean>
  /** Whether its tests came from its compendium, so that a catalog without tests keeps them. */
  has_compendium: Generated<boolean>
}

export interface LoincsTable {
  id: Generated<number>
  code: string
  name: string
  slug: string
  component: string | null
  unit: string | null
}

export interface MarkersTable {
  id: Generated<number>
  lab_id: number
  provider_id: string | null
  name: string
  slug: string
  description: string | null
  type: MarkerType
  unit: string | null
  price_cents: number | null
  sample_type: SampleType
  aliases: Generated<string[]>
  cpt_codes: Generated<string[]>
  a_la_carte_enabled: Generated<boolean>
  /** States in which insurers cover the marker; null for all. */
  insurance_states: string[] | null
  is_orderable: Generated<boolean>
  is_active: Generated<boolean>
  reflex_of: number | null
  common_tat_days: number | null
  worst_case_tat_days: number | null
  questions: Json<Question[] | null>
  specimens: ColumnType<SpecimenRequirement[] | null, string | null | undefined, string | null>
  loinc_codes: Generated<string[]>
  loinc_set_hash: string
  popularity: Generated<number>
  search_text: string
}

export interface ExpectedResultsTable {
  id: Generated<number>
  marker_id: number
  position: number
  name: string
  slug: string
  provider_id: string | null
  required: Generated<boolean>
  unit: string | null
  loinc_id: number | null
}

export interface LabAccountsTable {
  id: string
  lab_id: number
  organization_id: string | null
  status: LabAccountStatus
  delegated_flow: DelegatedFlow
  provider_account_id: string
  account_name: string | null
  default_clinical_notes: string | null
  business_units: string[] | null
  allowed_billing: Json<Partial<Record<Billing, UsState[]>>>
  team_id_allowlist: string[]
  offered_provider_ids: string[] | null
  is_sample: Generated<boolean>
  created_at: Date
}

export interface LabTestsTable {
  environment_id: string
  id: string
  lab_id: number
  slug: string
  name: string
  description: string
  method: CollectionMethod
  sample_type: SampleType
  price_cents: Generated<number>
  status: LabTestStatus
  fasting: Generated<boolean>
  auto_generated: Generated<boolean>
  combination: string | null
  created_at: Date
  updated_at: Date
}

export interface LabTestMarkersTable {
  environment_id: string
  lab_test_id: string
  marker_id: number
  position: number
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    labs: LabsTable
    loincs: LoincsTable
    markers: MarkersTable
    expected_results: ExpectedResultsTable
    lab_accounts: LabAccountsTable
    lab_tests: LabTestsTable
    lab_test_markers: LabTestMarkersTable
  }
}
