/**
 * The tables of PostgreSQL as a distributed one would keep them (docs/growing.md). A table that is
 * not named here is cut by environment: each of its keys begins with it.
 */

/** Copied to every node, because rows of all environments refer to them. */
export const REFERENCE_TABLES: Readonly<Record<string, string>> = {
  organizations: 'few; read with every key',
  teams: 'few; read with every key',
  team_environments: 'few; names the environments themselves',
  labs: 'the catalog',
  lab_accounts: 'the catalog; accounts of organizations',
  markers: 'the catalog',
  loincs: 'the catalog',
  expected_results: 'the catalog',
  physicians: 'few; of teams',
  payors: 'a list of an operator, with payors of single environments',
  diagnosis_codes: 'a list of an operator',
  diagnosis_notes: 'a list of an operator',
  diagnosis_words: 'a list of an operator',
  service_centers: 'a list of an operator',
  scope_requirements: 'few; of teams',
  team_custom_credentials: 'few; apps of teams',
  smart_clients: 'a program is looked up before its environment is known',
  smart_tokens: 'a token is looked up before its environment is known',
  management_keys: 'few; of organizations',
  lab_connections: 'few; of operators',
}

/** On one node: whole by their nature, or of the processes themselves. */
export const LOCAL_TABLES: Readonly<Record<string, string>> = {
  audit_log: 'one chain over all environments',
  pending_audit_rows: 'becomes rows of the audit log in one statement',
  audit_log_keys: 'of the installation',
  audit_progress: 'of the installation',
  audit_segments: 'of the installation: rows of all environments move together',
  receipt_signing_keys: 'of the installation',
  mobile_signing_keys: 'of the installation',
  event_history_state: 'of the installation: events of all environments move together',
  lab_message_moves: 'of the installation: contents of all environments move together',
  secret_key_checks: 'of the installation',
  shard_moves: 'of the installation: people of all environments move together',
  salus_migrations: 'of the installation',
  data_epochs: 'of the installation',
  catalog_loads: 'loads of lists, which take turns',
  compendium_loads: 'loads of lists, which take turns',
  diagnosis_loads: 'loads of lists, which take turns',
  service_center_loads: 'loads of lists, which take turns',
  console_challenges: 'sign-ins of the console',
  console_identities: 'sign-ins of the console',
  console_passkeys: 'sign-ins of the console',
  console_recovery_codes: 'sign-ins of the console',
  console_sessions: 'sign-ins of the console',
  console_sign_in_codes: 'sign-ins of the console',
  organization_invitations: 'sign-ins of the console',
  organization_users: 'sign-ins of the console',
  sign_in_attempts: 'counts by address',
  link_code_failures: 'counts by address',
  demo_teams: 'of organizations',
  forgotten_jobs: 'counts of the job queue',
  worker_processes: 'locks of the job queue',
  pull_budgets: 'budgets of providers, over all environments',
  sandbox_providers: 'state of emulated vendors',
  seen_vendor_messages: 'messages of vendors, before their person is known',
  vendor_messages: 'messages of vendors, before their person is known',
  smart_assertions: 'used once, over all environments',
}

/**
 * Keys of distributed tables that do not contain the environment: a distributed PostgreSQL refuses
 * them. Each needs a key with the environment, and the look-ups by it a way to the environment.
 */
export const KEYS_TO_CHANGE: Readonly<Record<string, string>> = {
  audit_chains_pkey: 'a number; each environment has one chain',
  audit_rows_by_sequence: 'a chain has one environment',
  bulk_operations_pkey: 'random id',
  bulk_operation_items_pkey: 'random id of the operation',
  connections_by_id: 'random id',
  import_jobs_pkey: 'random id',
  import_uploads_pkey: 'random id; its address is looked up before the environment is known',
  import_addresses_secret_hash_key: 'looked up before the environment is known',
  lab_messages_pkey: 'random id',
  lab_outgoing_messages_pkey: 'random id',
  lab_outgoing_messages_connection_id_control_id_key: 'a connection has one environment',
  link_codes_code_hash_key: 'looked up before the environment is known',
  link_sessions_pkey: 'random id; looked up before the environment is known',
  mobile_sessions_id_key: 'random id',
  mobile_sessions_sign_in_id_key: 'looked up before the environment is known',
  mobile_sessions_family_hash_key: 'looked up before the environment is known',
  orders_sample_id: 'a kit of a laboratory belongs to one order of all environments',
  person_exports_link_hash_key: 'looked up before the environment is known',
  portal_sessions_code_hash_key: 'looked up before the environment is known',
  portal_sessions_token_hash_key: 'looked up before the environment is known',
  portal_shares_secret_hash_key: 'looked up before the environment is known',
  team_access_tokens_pkey: 'looked up before the environment is known',
  team_api_keys_key_hash_key: 'looked up before the environment is known',
  team_api_keys_pkey: 'random id; looked up before the environment is known',
  waiting_events_pkey: 'one order of events over all environments',
}

/** Foreign keys of distributed tables without the environment, except to reference tables. */
export const FOREIGN_KEYS_TO_CHANGE: Readonly<Record<string, string>> = {
  bulk_operation_items_operation_id_fkey: 'the operation has the same environment',
  team_access_tokens_console_session_id_fkey: 'sessions of the console are kept on one node',
}

/** Statements on distributed tables without the environment: each would go to every node. */
export const STATEMENTS_OF_ALL: readonly { pattern: RegExp; reason: string }[] = [
  { pattern: /^update "team_api_keys" set "last_used_at"/, reason: 'by the id of the key' },
  { pattern: /^select \* from "link_sessions" where "id"/, reason: 'before it is known' },
  { pattern: /^delete from "link_codes" where "code_hash"/, reason: 'before it is known' },
  { pattern: /^select \* from "portal_sessions" where/, reason: 'before it is known' },
  { pattern: /"team_access_tokens" where "management_key_id"/, reason: 'of a management key' },
  { pattern: /^select id, label from management_keys .* union all/, reason: 'names of any keys' },
  { pattern: /^select "id" from "orders" where "lab_id" .* "sample_id"/, reason: 'kits, over all' },
  { pattern: /^select marker_id, count\(\*\)::integer as count/, reason: 'orders of a laboratory' },
  { pattern: /from "lab_outgoing_messages" /, reason: 'figures of connections' },
  { pattern: /^select kind, count\(\*\) as depth/, reason: 'metrics of the installation' },
  { pattern: /^select "status", count\(\*\) as "jobs"/, reason: 'metrics of the installation' },
  { pattern: /^select count\(\*\) as "total" from "lab_messages"/, reason: 'messages that failed' },
  {
    pattern: /^select count\(\*\) as "count" from "pending_pub/,
    reason: 'metrics of the installation',
  },
]
