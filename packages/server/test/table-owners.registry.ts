/** Who writes a table may also read it. */
export type Access = 'reads' | 'writes'

const SUMMARIES = [
  'activity_summaries',
  'body_summaries',
  'electrocardiogram_summaries',
  'meal_summaries',
  'menstrual_cycle_summaries',
  'profile_summaries',
  'sleep_summaries',
  'workout_summaries',
]

/**
 * Owners of tables that are not declared to the query builder: those of ClickHouse, and those that
 * only SQL names.
 */
export const UNDECLARED_TABLES: Readonly<Record<string, string>> = {
  samples: 'health/ingest',
  quarantined_items: 'health/ingest',
  ...Object.fromEntries(SUMMARIES.map((table) => [table, 'health/summaries'])),
  workout_streams: 'health/summaries',
  event_history: 'server/webhooks',
  webhook_attempt_history: 'server/webhooks',
  lab_message_contents: 'lab/inbox',
  lab_message_moves: 'lab/inbox',
  removed_lab_messages: 'lab/inbox',
  shard_moves: 'ops/shards',
  salus_moved_buckets: 'kernel',
  mobile_signing_keys: 'health/mobile',
  order_counts: 'lab/orders',
  order_letter_counts: 'lab/orders',
  order_name_counts: 'lab/orders',
  audit_history: 'kernel',
  audit_log_keys: 'kernel',
  secret_key_checks: 'kernel',
  worker_processes: 'kernel',
}

/** Tables that each domain may read, and only their own may write. */
export const READ_BY_ALL: Readonly<Record<string, string>> = {
  users: 'queries leave out deleted people, or join their time zone and their own id',
  teams: 'jobs of all environments leave out deleted teams',
  team_environments: 'jobs of all environments need the clock and the settings of each one',
}

type Row = readonly [domain: string, access: Access, tables: readonly string[], reason: string]

const LISTED_TOGETHER = 'one query lists its own rows with names of the catalog'
const RAISED =
  'the outbox ends here: webhooks read what other domains write, and remove what has expired'

/**
 * What domains do with tables of others. Before a row is added, look whether the owner of the table
 * can offer a function instead.
 */
export const SHARED_TABLES: readonly Row[] = [
  [
    'accounts/teams',
    'reads',
    ['console_sessions'],
    'a token of a session needs the session until it is written',
  ],
  ['accounts/teams', 'reads', ['organization_users'], 'the last org_admin may be a key or a user'],
  [
    'accounts/console',
    'reads',
    ['management_keys', 'organizations'],
    'a session and its key are read by one query at each request',
  ],
  [
    'accounts/legal-holds',
    'reads',
    ['erasures'],
    'a hold comes too late for an erasure that has begun',
  ],
  [
    'lab/results',
    'reads',
    ['tasks'],
    'tasks of critical results are listed with the values of their version',
  ],
  [
    'accounts/users',
    'reads',
    ['erasures', 'legal_holds'],
    'who is erased, and who comes back, is one condition',
  ],
  [
    'health/link',
    'reads',
    ['connections'],
    'a bulk export pages through connections that have a credential',
  ],
  [
    'health/link',
    'reads',
    ['credentials'],
    'a bulk export pages through connections that have a credential',
  ],
  [
    'health/pulling',
    'reads',
    ['connections'],
    'tasks are planned and leased by the state of their connection',
  ],
  [
    'health/pulling',
    'reads',
    ['credentials'],
    'credentials whose connection has ended are found by one query',
  ],
  [
    'health/coverage',
    'reads',
    ['connections', 'historical_pulls', 'samples'],
    'what is there of a person is one list',
  ],
  [
    'ops/shards',
    'reads',
    ['data_versions', 'day_writes'],
    'people are switched to another shard when no write to them is under way',
  ],
  [
    'ops/shards',
    'reads',
    ['audit_history'],
    'its rows are copied as those of all tables, and alone may have no environment',
  ],
  ['health/day-cache', 'reads', ['samples'], 'a copy of a day has the samples that ClickHouse has'],
  [
    'health/timeseries',
    'reads',
    ['samples'],
    'ingestion writes samples, and time series are how they are read',
  ],
  [
    'health/imports',
    'writes',
    ['samples', ...SUMMARIES],
    'an import finds what earlier ones left, and renames its sources',
  ],
  [
    'lab/catalog',
    'reads',
    ['physicians'],
    'an import looks up only those of its physicians who are new',
  ],
  ['lab/orders', 'reads', ['lab_tests', 'labs'], LISTED_TOGETHER],
  ['lab/service-centers', 'reads', ['labs'], LISTED_TOGETHER],
  ['lab/results', 'reads', ['lab_test_markers', 'lab_tests', 'labs'], LISTED_TOGETHER],
  [
    'lab/results',
    'reads',
    ['order_events', 'orders'],
    'results of a person are found by their orders, and orders by the sample of a report',
  ],
  [
    'lab/inbox',
    'writes',
    ['lab_outgoing_messages'],
    'contents of both directions move by the same statements',
  ],
  ['lab/inbox', 'reads', ['orders'], 'contents move in the name of the person of the order'],
  [
    'lab/results',
    'writes',
    ['lab_messages'],
    'a message goes with the held results that it brought',
  ],
  [
    'lab/booking',
    'reads',
    ['appointments', 'orders'],
    'what is due first is found by one query, without what is of deleted people',
  ],
  [
    'lab/sandbox',
    'reads',
    ['appointments', 'lab_connections', 'lab_messages', 'orders'],
    'its steps wait for what happens to the order',
  ],
  [
    'lab/retention',
    'writes',
    [
      'insurance_policies',
      'lab_messages',
      'order_transactions',
      'orders',
      'sandbox_bookings',
      'unmatched_results',
    ],
    'an order goes as a whole, by one condition over all that is known of it',
  ],
  [
    'lab/retention',
    'reads',
    ['appointments', 'results'],
    'an order goes as a whole, by one condition over all that is known of it',
  ],
  [
    'lab/retention',
    'writes',
    ['idempotent_answers'],
    'answers that are kept to be given again name the order',
  ],
  ['lab/reports', 'reads', ['legal_holds'], 'files of people who are held stay, by one condition'],
  [
    'fhir/reading',
    'reads',
    [
      ...['orders', 'results', 'lab_tests', 'labs', 'insurance_policies', 'payors'],
      ...['appointments', 'devices', 'samples'],
    ],
    'each type of resource is one list of rows with names of other tables, in one order for all types',
  ],
  [
    'rights/erasure',
    'writes',
    ['sandbox_providers'],
    'emulated vendors know a person by the account alone',
  ],
  [
    'ops/store-copy',
    'reads',
    ['organizations', 'salus_moved_buckets'],
    'a move looks whether the other database is in use, and leaves out what a server has of itself',
  ],
  [
    'server/people',
    'reads',
    [
      ...['connections', 'resource_statistics', 'historical_pulls', 'import_jobs', 'tasks'],
      ...['orders', 'order_events', 'lab_tests', 'appointments', 'results'],
      ...['lab_report_jobs', 'person_notes', 'person_exports'],
    ],
    'everything about a person is one list in order of time, a page at a time',
  ],
  ['server/webhooks', 'writes', ['events', 'waiting_events'], RAISED],
  [
    'server/operation',
    'reads',
    ['management_keys', 'team_api_keys', 'worker_processes'],
    'the operator sees all of the installation',
  ],
]
