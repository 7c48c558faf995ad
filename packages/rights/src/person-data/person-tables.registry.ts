import { isPerhapsOfAnother } from '@salus/lab/reports'

type ReportJob = Parameters<typeof isPerhapsOfAnother>[0]

/**
 * Ways in which rows of a table of PostgreSQL belong to a user: by a column with their id, or with
 * the id of one of their objects.
 */
export type Belonging =
  | 'id'
  | 'user_id'
  | 'order_id'
  | 'transaction_id'
  | 'appointment_id'
  | 'report_job_id'
  | 'event_id'
  | 'held_result'
  | 'lab_message'

/** A table with rows of users: what an export shows of it, and how an erasure empties it. */
export interface PersonTable {
  store: 'postgresql' | 'clickhouse'
  name: string
  /** Meaning of a row, for readers of an export or a receipt. */
  meaning: string
  by: Belonging
  /** Columns that no export shows: secrets, and columns that only stores need. */
  without?: readonly string[]
  /** Columns that are null in exports where a row is, or may be, about another person. */
  concealed?: {
    columns: readonly string[]
    where: (row: Readonly<Record<string, unknown>>) => boolean
  }
  /** Reason for which no export shows the table at all. */
  unexported?: string
  /**
   * `with_person`: a foreign key removes the rows. `itself`: the erasure removes them. Otherwise
   * the reason to keep them.
   */
  erased: 'with_person' | 'itself' | { kept: string }
}

type Row = readonly [
  name: string,
  by: Belonging,
  meaning: string,
  more?: Partial<Pick<PersonTable, 'without' | 'concealed' | 'unexported' | 'erased'>>,
]

const WORK = 'work in progress, with no data that other tables lack'
const PROOF = 'proof of actions, by an id that no longer identifies a person'
const LIVE_SECRET = 'only a secret that gives access'
const itself = { erased: 'itself' } as const

/** Where rows are removed one by one, rows by which others are found come after them. */
const POSTGRESQL: readonly Row[] = [
  ['webhook_attempts', 'event_id', 'An attempt to deliver an event, with the answer.', itself],
  ['webhook_deliveries', 'event_id', 'The delivery of an event to an endpoint.', itself],
  [
    'waiting_events',
    'event_id',
    'An event that waits to be delivered.',
    { ...itself, unexported: WORK },
  ],
  [
    'events',
    'user_id',
    'An event about the person, as the team received it.',
    { ...itself, without: ['transaction_id', 'subject_ids', 'trace_parent'] },
  ],
  [
    'lab_messages',
    'lab_message',
    'A message of a laboratory, as it arrived.',
    { ...itself, without: ['attempts', 'content_hash', 'moved_bytes'] },
  ],
  [
    'lab_outgoing_messages',
    'order_id',
    'A message to a laboratory about an order, with its answer.',
    { without: ['attempts', 'problem', 'moved_bytes'] },
  ],
  ['unmatched_results', 'held_result', 'A result that was held for review.', itself],
  [
    'sandbox_bookings',
    'appointment_id',
    'A seat of a simulated appointment of a sandbox.',
    { ...itself, unexported: WORK },
  ],
  [
    'pending_publications',
    'user_id',
    'Stored data whose events are not written yet.',
    { ...itself, unexported: WORK },
  ],
  [
    'cached_days',
    'user_id',
    'A copy of the samples of a day.',
    { ...itself, unexported: 'copies of stored samples, for faster reads' },
  ],
  [
    'day_writes',
    'user_id',
    'Days of a series that are being stored.',
    { ...itself, unexported: WORK },
  ],
  [
    'data_versions',
    'user_id',
    'The version of samples and summaries.',
    { ...itself, unexported: WORK },
  ],
  [
    'pending_audit_rows',
    'user_id',
    'A row on its way into the audit log.',
    { unexported: WORK, erased: { kept: 'becomes a row of the audit log' } },
  ],
  [
    'audit_rows',
    'user_id',
    'A recent change or read of the data, with its actor.',
    { without: ['slot', 'hash'], erased: { kept: PROOF } },
  ],
  [
    'audit_log',
    'user_id',
    'A change or a read of the data, as earlier versions recorded it.',
    { without: ['previous_hash', 'hash'], erased: { kept: PROOF } },
  ],
  ['users', 'id', 'The user, as the team created them.', itself],
  ['user_demographics', 'user_id', 'Name, address and demographics.', { without: ['search_text'] }],
  [
    'listed_users',
    'user_id',
    'What lists of people show: name, newest data, and numbers of what is open.',
    { without: ['is_shown'] },
  ],
  ['person_notes', 'user_id', 'A version of a note about the person, with its author.'],
  ['connections', 'user_id', 'A connection to a provider.'],
  [
    'credentials',
    'user_id',
    'The fact that a credential of a provider is stored; never the credential.',
    { without: ['sealed'] },
  ],
  ['demo_connections', 'user_id', 'A demo connection.'],
  ['devices', 'user_id', 'A device or app that measured.', { without: ['identity'] }],
  ['historical_pulls', 'user_id', 'A historical pull, and its state.'],
  ['pull_tasks', 'user_id', 'A scheduled request to a provider.', { without: ['lease'] }],
  ['user_refreshes', 'user_id', 'The time of a requested refresh.'],
  ['sdk_sync_reports', 'user_id', 'A report of an app about its synchronization.'],
  [
    'resource_statistics',
    'user_id',
    'The number of received items of a resource, and their times.',
  ],
  ['user_source_priorities', 'user_id', 'A source priority.'],
  ['import_jobs', 'user_id', 'An import of a file.'],
  [
    'import_uploads',
    'user_id',
    'An unfinished upload of a file.',
    { without: ['writer', 'writer_until'] },
  ],
  [
    'import_addresses',
    'user_id',
    'An address to which an app posts data.',
    { without: ['secret_hash'] },
  ],
  ['continuous_query_rows', 'user_id', 'A result of a continuous query.'],
  [
    'continuous_query_evaluations',
    'user_id',
    'The time of the last evaluation of a continuous query.',
  ],
  ['continuous_query_tasks', 'user_id', 'An evaluation of a continuous query.'],
  [
    'continuous_query_invalidations',
    'user_id',
    'A part of a continuous query that has to be evaluated again.',
    { unexported: WORK },
  ],
  ['rule_people', 'user_id', 'A rule that the team made for the person.'],
  ['rule_episodes', 'user_id', 'A time in which the condition of a rule held.'],
  [
    'rule_last_data',
    'user_id',
    'The time of the newest data, for rules on missing data.',
    { unexported: WORK },
  ],
  ['rule_checks', 'user_id', 'A person whose rules have to be judged.', { unexported: WORK }],
  [
    'link_sessions',
    'user_id',
    'A sign-in to a provider.',
    { without: ['sealed', 'redirect_url', 'on_error', 'on_close'] },
  ],
  ['link_codes', 'user_id', 'A code that an app signs in with.', { unexported: LIVE_SECRET }],
  [
    'portal_sessions',
    'user_id',
    'A link to the page of the person, or a browser that shows it.',
    { without: ['code_hash', 'token_hash'] },
  ],
  [
    'portal_shares',
    'user_id',
    'A link by which the person shares data.',
    { without: ['secret_hash'] },
  ],
  [
    'mobile_sessions',
    'user_id',
    'An app that was signed in.',
    { without: ['family_hash', 'token_hash', 'previous_hash', 'salt'] },
  ],
  [
    'team_api_keys',
    'user_id',
    'A key of the team that is limited to this person.',
    { without: ['key_hash', 'masked_value'] },
  ],
  [
    'team_access_tokens',
    'user_id',
    'A short-lived token that is limited to this person.',
    { unexported: LIVE_SECRET },
  ],
  ['bulk_operation_items', 'user_id', 'An item of a bulk operation.', { without: ['sealed'] }],
  [
    'idempotent_answers',
    'user_id',
    'The answer to a request that may be sent again.',
    { unexported: 'copies, kept for a day, of data in other tables' },
  ],
  ['insurance_policies', 'user_id', 'A policy of the person.'],
  ['orders', 'user_id', 'An order of laboratory tests.'],
  ['order_events', 'order_id', 'A change of the status of an order.'],
  ['lab_order_numbers', 'order_id', 'A number of an order or its test at a laboratory.'],
  ['order_transactions', 'transaction_id', 'The data that successive orders share.', itself],
  [
    'order_insurance_images',
    'user_id',
    'Pictures of an insurance card; the export has them as files.',
    { without: ['sealed'] },
  ],
  ['fhir_order_identifiers', 'order_id', 'An identifier that a system of the team gave an order.'],
  ['shipments', 'order_id', 'A parcel of a test kit.'],
  [
    'results',
    'order_id',
    'A version of the results of an order.',
    { without: ['pdf_file', 'document_files'] },
  ],
  ['tasks', 'user_id', 'A task about the person, and who has done it.'],
  [
    'sandbox_steps',
    'order_id',
    'A scheduled step of the simulation of an order.',
    { unexported: WORK },
  ],
  ['appointments', 'user_id', 'An appointment.'],
  ['appointment_events', 'appointment_id', 'A change of the status of an appointment.'],
  ['booking_attempts', 'order_id', 'An appointment that is being booked.', { unexported: WORK }],
  [
    'lab_report_jobs',
    'user_id',
    'An uploaded report, and the data read from it.',
    {
      without: ['sealed_file_key'],
      concealed: {
        columns: ['report'],
        where: (row) => isPerhapsOfAnother(row as unknown as ReportJob),
      },
    },
  ],
  ['lab_report_results', 'user_id', 'A result that was read in a report.'],
  ['lab_report_reviews', 'report_job_id', 'The decision of a reviewer on a report.'],
  ['lab_report_corrections', 'report_job_id', 'A correction of a reviewer in a report.'],
  [
    'legal_holds',
    'user_id',
    'The fact that erasure was suspended, and its times.',
    { without: ['reason', 'placed_by', 'released_by'] },
  ],
  [
    'person_exports',
    'user_id',
    'An export such as this one.',
    { without: ['sealed_file_key', 'link_hash'] },
  ],
  [
    'erasures',
    'user_id',
    'The requested erasure, and its receipt.',
    { erased: { kept: 'the receipt, by an id that no longer identifies a person' } },
  ],
]

const NEVER = ['environment_id', 'user_id', 'version', 'content_hash']

const CLICKHOUSE: readonly [
  name: string,
  meaning: string,
  without: readonly string[],
  more?: Pick<PersonTable, 'unexported'> | Pick<PersonTable, 'erased'>,
][] = [
  ['samples', 'A sample of a series.', ['environment_id', 'user_id', 'version']],
  ['activity_summaries', 'A day of activity.', NEVER],
  ['sleep_summaries', 'A night or a nap.', NEVER],
  ['workout_summaries', 'A workout.', NEVER],
  ['body_summaries', 'A measurement of the body.', NEVER],
  ['meal_summaries', 'A meal.', NEVER],
  ['menstrual_cycle_summaries', 'A menstrual cycle.', NEVER],
  ['profile_summaries', 'The profile of the person at a provider.', NEVER],
  ['electrocardiogram_summaries', 'An electrocardiogram.', NEVER],
  ['workout_streams', 'The recording of a workout.', ['environment_id', 'user_id', 'version']],
  [
    'quarantined_items',
    'An item that could not be stored, with the reason.',
    ['environment_id', 'user_id'],
  ],
  [
    'audit_history',
    'A change or a read of the data, with its actor.',
    ['environment_id', 'has_user', 'previous_hash', 'hash', 'segment', 'opened_on'],
    { erased: { kept: PROOF } },
  ],
  [
    'event_history',
    'An older event about the person, as the team received it.',
    [
      'environment_id',
      'user_id',
      'transaction_id',
      'trace_parent',
      'subject_ids',
      // The same in a form for the service itself.
      'deliveries',
      'move',
    ],
  ],
  [
    'webhook_attempt_history',
    'An attempt to deliver an older event, with the answer.',
    ['environment_id', 'user_id', 'event_created_at', 'move'],
  ],
  [
    'lab_message_contents',
    'The content of an older message from or to a laboratory.',
    [],
    { unexported: 'the tables of the messages have it in exports' },
  ],
]

/** Every table with data of users. A test compares it with the tables of the database. */
export const PERSON_TABLES: readonly PersonTable[] = [
  ...POSTGRESQL.map(
    ([name, by, meaning, more]): PersonTable => ({
      store: 'postgresql',
      name,
      by,
      meaning,
      erased: 'with_person',
      ...more,
    }),
  ),
  ...CLICKHOUSE.map(
    ([name, meaning, without, more]): PersonTable => ({
      store: 'clickhouse',
      name,
      meaning,
      without,
      by: 'user_id',
      erased: 'itself',
      ...more,
    }),
  ),
]
