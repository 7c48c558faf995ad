/** How rows of a catalog are compared and written: their key and their columns with types. */
export interface MergedTable {
  table: string
  /** Columns that identify a row. */
  key: readonly string[]
  /** SQL that narrows the table to the rows that catalogs may touch. */
  condition?: string
  /** Columns that are compared, and written when they differ. */
  columns: Record<string, string>
  /** Columns that are written with a new row and never changed. */
  fixed?: Record<string, string>
}

export const LABS_MERGE: MergedTable = {
  table: 'labs',
  key: ['slug'],
  columns: {
    slug: 'text',
    name: 'text',
    first_line_address: 'text',
    city: 'text',
    state: 'text',
    zipcode: 'text',
    phone_number: 'text',
    clia_number: 'text',
    medical_director: 'text',
    collection_methods: 'text[]',
    sample_types: 'text[]',
    logo_url: 'text',
    is_enabled: 'boolean',
    is_sample: 'boolean',
  },
}

export const LOINCS_MERGE: MergedTable = {
  table: 'loincs',
  key: ['code'],
  columns: { code: 'text', name: 'text', slug: 'text', component: 'text', unit: 'text' },
}

export const MARKERS_MERGE: MergedTable = {
  table: 'markers',
  key: ['id'],
  columns: {
    id: 'integer',
    lab_id: 'integer',
    provider_id: 'text',
    name: 'text',
    slug: 'text',
    description: 'text',
    type: 'text',
    unit: 'text',
    price_cents: 'integer',
    sample_type: 'text',
    aliases: 'text[]',
    cpt_codes: 'text[]',
    a_la_carte_enabled: 'boolean',
    insurance_states: 'text[]',
    is_orderable: 'boolean',
    is_active: 'boolean',
    reflex_of: 'integer',
    common_tat_days: 'integer',
    worst_case_tat_days: 'integer',
    questions: 'jsonb',
    specimens: 'jsonb',
    loinc_codes: 'text[]',
    loinc_set_hash: 'text',
    popularity: 'real',
    search_text: 'text',
  },
}

export const EXPECTED_RESULTS_MERGE: MergedTable = {
  table: 'expected_results',
  key: ['marker_id', 'position'],
  columns: {
    marker_id: 'integer',
    position: 'smallint',
    name: 'text',
    slug: 'text',
    provider_id: 'text',
    required: 'boolean',
    unit: 'text',
    loinc_id: 'integer',
  },
}

export const LAB_ACCOUNTS_MERGE: MergedTable = {
  table: 'lab_accounts',
  key: ['lab_id', 'provider_account_id'],
  columns: {
    lab_id: 'integer',
    provider_account_id: 'text',
    status: 'text',
    delegated_flow: 'text',
    account_name: 'text',
    default_clinical_notes: 'text',
    business_units: 'text[]',
    allowed_billing: 'jsonb',
    team_id_allowlist: 'uuid[]',
    offered_provider_ids: 'text[]',
    is_sample: 'boolean',
  },
  fixed: { id: 'uuid', created_at: 'timestamptz' },
}

export const PHYSICIANS_MERGE: MergedTable = {
  table: 'physicians',
  key: ['npi'],
  // The other physicians belong to teams.
  condition: 'physicians.team_id is null',
  columns: {
    npi: 'text',
    first_name: 'text',
    last_name: 'text',
    licensed_states: 'text[]',
    is_sample: 'boolean',
  },
  fixed: { id: 'uuid', created_at: 'timestamptz' },
}
