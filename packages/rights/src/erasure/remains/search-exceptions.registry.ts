/**
 * Exceptions of the search for remains of a user, with their reasons. All other tables and columns
 * are searched, as the catalogs list them.
 */

const INSTALLATION = 'a list of the installation, the same for every team'
const STAFF = 'about people who work at the team'

/** Tables of PostgreSQL. */
export const UNSEARCHED_TABLES: Readonly<Record<string, string>> = {
  audit_rows: 'kept, as each receipt says: ids that no longer identify a person',
  audit_log: 'kept, as each receipt says: ids that no longer identify a person',
  pending_audit_rows: 'becomes a row of the audit log',
  erasures: 'kept: receipts, by an id that no longer identifies a person',
  console_challenges: STAFF,
  console_identities: STAFF,
  console_passkeys: STAFF,
  console_recovery_codes: STAFF,
  console_sessions: STAFF,
  console_sign_in_codes: STAFF,
  organization_invitations: STAFF,
  organization_users: STAFF,
  physicians: STAFF,
  diagnosis_codes: INSTALLATION,
  diagnosis_notes: INSTALLATION,
  diagnosis_words: INSTALLATION,
  expected_results: INSTALLATION,
  loincs: INSTALLATION,
  markers: INSTALLATION,
  service_centers: INSTALLATION,
}

/** Tables of ClickHouse. */
export const UNSEARCHED_HISTORY: Readonly<Record<string, string>> = {
  audit_history: 'kept, as each receipt says: ids that no longer identify a person',
}

/** Kinds of files. */
export const UNSEARCHED_FILES: Readonly<Record<string, string>> = {
  audit_heads: 'places and hashes of the audit log, which name no person',
}

const OF_TEAM = 'a secret that services of the team, not people, gave'
const OF_DEPLOYMENT = 'a secret of the deployment'
const HASH = 'a hash, from which nothing can be read'
const BY_CONSTRAINT = 'data of one person, removed with their row'
const COPIED_DAY = 'copies of samples by the id of their person, which an erasure removes'

/** Columns of bytes that cannot be read: sealed, encrypted or hashed. By table and column. */
export const UNREADABLE_COLUMNS: Readonly<Record<string, string>> = {
  'audit_chains.hash': HASH,
  'audit_chains.removed_hash': HASH,
  'audit_chains.removed_mac': HASH,
  'audit_chains.start_hash': HASH,
  'audit_log_keys.sealed': OF_DEPLOYMENT,
  'bulk_operation_items.sealed': BY_CONSTRAINT,
  'cached_days.additions': COPIED_DAY,
  'cached_days.content': COPIED_DAY,
  'catalog_loads.content_hash': HASH,
  'compendium_loads.content_hash': HASH,
  'console_challenges.challenge_hash': HASH,
  'console_passkeys.public_key': 'a public key of a person who works at the team',
  'console_recovery_codes.code_hash': HASH,
  'console_sessions.token_hash': HASH,
  'console_sign_in_codes.code_hash': HASH,
  'credentials.sealed': BY_CONSTRAINT,
  'diagnosis_loads.content_hash': HASH,
  'fhir_exports.sealed_file_key': 'the key of files that an erasure removes',
  'idempotent_answers.request_hash': HASH,
  'import_addresses.secret_hash': HASH,
  'link_codes.code_hash': HASH,
  'link_sessions.sealed': BY_CONSTRAINT,
  'lab_connections.secrets': OF_TEAM,
  'lab_report_jobs.sealed_file_key': BY_CONSTRAINT,
  'management_keys.key_hash': HASH,
  'mobile_sessions.family_hash': HASH,
  'mobile_sessions.previous_hash': HASH,
  'mobile_sessions.salt': HASH,
  'mobile_sessions.token_hash': HASH,
  'seen_vendor_messages.digest': HASH,
  'smart_assertions.jti_hash': HASH,
  'smart_tokens.token_hash': HASH,
  'mobile_signing_keys.sealed': OF_DEPLOYMENT,
  'order_insurance_images.sealed': BY_CONSTRAINT,
  'organization_invitations.code_hash': HASH,
  'organization_users.totp_secret': 'a secret of a person who works at the team',
  'person_exports.link_hash': HASH,
  'person_exports.sealed_file_key': BY_CONSTRAINT,
  'portal_sessions.code_hash': HASH,
  'portal_sessions.token_hash': HASH,
  'portal_shares.secret_hash': HASH,
  'receipt_signing_keys.sealed': OF_DEPLOYMENT,
  'secret_key_checks.sealed': OF_DEPLOYMENT,
  'service_center_loads.content_hash': HASH,
  'sign_in_attempts.network_hash': 'a hash of a network, for a minute',
  'team_access_tokens.token_hash': HASH,
  'team_api_keys.key_hash': HASH,
  'team_custom_credentials.client_secret_hash': HASH,
  'webhook_endpoints.headers': OF_TEAM,
  'webhook_endpoints.secret': OF_TEAM,
}
