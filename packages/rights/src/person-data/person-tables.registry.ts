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

const WORK = 'work that is under way and tells of nothing that other tables do not hold'
const LIVE_SECRET = 'a secret that opens something, and nothing else'
const itself = { erased: 'itself' } as const

/** Where rows are removed one by one, rows by which others are found come after them. */
const POSTGRESQL: readonly Row[] = [
  ['webhook_attempts', 'event_id', 'An attempt to deliver an event, and the answer.', itself],
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
    'What the team was told of.',
    { ...itself, without: ['transaction_id', 'subject_ids', 'trace_parent'] },
  ],
  [
    'lab_messages',
    'lab_message',
    'A message of a laboratory, as it came.',
    { ...itself, without: ['attempts'] },
  ],
  ['unmatched_results', 'held_result', 'A result that was held for review.', itself],
  [
    'sandbox_bookings',
    'appointment_id',
    'The seat of a made-up appointment of a sandbox.',
    { ...itself, unexported: WORK },
  ],
  [
    'pending_publications',
    'user_id',
    'Stored data whose events are not written yet.',
    { ...itself, unexported: WORK },
  ],
  [
    'pending_audit_rows',
    'user_id',
    'A row on its way into the audit log.',
    { unexported: WORK, erased: { kept: 'becomes a row of the audit log' } },
  ],
  [
    'audit_log',
    'user_id',
    'Who did what with the data, and who read them.',
    {
      without: ['previous_hash', 'hash'],
      erased: { kept: 'proof of who did what, by an id that leads to nobody any more' },
    },
  ],
  ['users', 'id', 'The person, as the team made them.', itself],
  ['user_demographics', 'user_id', 'Name, address and demographics.', { without: ['search_text'] }],
  ['connections', 'user_id', 'A connection to a provider.'],
  [
    'credentials',
    'user_id',
    'That a credential of a provider is kept; never the credential.',
    { without: ['sealed'] },
  ],
  ['demo_connections', 'user_id', 'A made-up connection.'],
  ['devices', 'user_id', 'A device or app that measured.', { without: ['identity'] }],
  ['historical_pulls', 'user_id', 'How far the past was asked for.'],
  ['pull_tasks', 'user_id', 'What a provider is asked for next.', { without: ['lease'] }],
  ['user_refreshes', 'user_id', 'When a refresh was asked for.'],
  ['sdk_sync_reports', 'user_id', 'What an app told of its synchronization.'],
  ['resource_statistics', 'user_id', 'How much of a resource came, and when.'],
  ['user_source_priorities', 'user_id', 'Which source counts first.'],
  ['import_jobs', 'user_id', 'An import of a file.'],
  ['continuous_query_rows', 'user_id', 'A result of a continuous query.'],
  ['continuous_query_evaluations', 'user_id', 'When a continuous query was evaluated last.'],
  ['continuous_query_tasks', 'user_id', 'An evaluation of a continuous query.'],
  [
    'continuous_query_invalidations',
    'user_id',
    'What of a continuous query is to be evaluated again.',
    { unexported: WORK },
  ],
  [
    'link_sessions',
    'user_id',
    'A sign-in to a provider.',
    { without: ['sealed', 'redirect_url', 'on_error', 'on_close'] },
  ],
  ['link_codes', 'user_id', 'A code that an app signs in with.', { unexported: LIVE_SECRET }],
  [
    'mobile_sessions',
    'user_id',
    'An app that was signed in.',
    { without: ['family_hash', 'token_hash', 'previous_hash', 'salt'] },
  ],
  [
    'team_api_keys',
    'user_id',
    'A key of the team that reaches this person only.',
    { without: ['key_hash', 'masked_value'] },
  ],
  [
    'team_access_tokens',
    'user_id',
    'A token of minutes that reaches this person only.',
    { unexported: LIVE_SECRET },
  ],
  ['bulk_operation_items', 'user_id', 'A part in a bulk operation.', { without: ['sealed'] }],
  [
    'idempotent_answers',
    'user_id',
    'The answer to a request that may be sent again.',
    { unexported: 'copies of a day of what other tables hold' },
  ],
  ['insurance_policies', 'user_id', 'A policy of the person.'],
  ['orders', 'user_id', 'An order of laboratory tests.'],
  ['order_events', 'order_id', 'A step in the life of an order.'],
  ['order_transactions', 'transaction_id', 'What orders that follow each other share.', itself],
  [
    'order_insurance_images',
    'user_id',
    'Pictures of an insurance card; the export has them as files.',
    { without: ['sealed'] },
  ],
  ['shipments', 'order_id', 'A parcel of a test kit.'],
  ['results', 'order_id', 'A version of the results of an order.', { without: ['pdf_file'] }],
  ['sandbox_steps', 'order_id', 'What a sandbox will do with an order.', { unexported: WORK }],
  ['appointments', 'user_id', 'An appointment.'],
  ['appointment_events', 'appointment_id', 'A step in the life of an appointment.'],
  ['booking_attempts', 'order_id', 'An appointment that is being booked.', { unexported: WORK }],
  [
    'lab_report_jobs',
    'user_id',
    'An uploaded report, and what was read.',
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
  ['lab_report_corrections', 'report_job_id', 'What a reviewer corrected in a report.'],
  [
    'legal_holds',
    'user_id',
    'That erasing was suspended, and when.',
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
    'The erasure that was asked for, and its receipt.',
    { erased: { kept: 'the receipt, by an id that leads to nobody any more' } },
  ],
]

const NEVER = ['environment_id', 'user_id', 'version', 'content_hash']

const CLICKHOUSE: readonly [name: string, meaning: string, without: readonly string[]][] = [
  ['samples', 'A sample of a series.', ['environment_id', 'user_id', 'version']],
  ['activity_summaries', 'A day of activity.', NEVER],
  ['sleep_summaries', 'A night or a nap.', NEVER],
  ['workout_summaries', 'A workout.', NEVER],
  ['body_summaries', 'A measurement of the body.', NEVER],
  ['meal_summaries', 'A meal.', NEVER],
  ['menstrual_cycle_summaries', 'A menstrual cycle.', NEVER],
  ['profile_summaries', 'What a provider knows of the person.', NEVER],
  ['electrocardiogram_summaries', 'An electrocardiogram.', NEVER],
  [
    'workout_streams',
    'What was recorded during a workout.',
    ['environment_id', 'user_id', 'version'],
  ],
  [
    'quarantined_items',
    'An item that came and could not be stored, with the reason.',
    ['environment_id', 'user_id'],
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
    ([name, meaning, without]): PersonTable => ({
      store: 'clickhouse',
      name,
      meaning,
      without,
      by: 'user_id',
      erased: 'itself',
    }),
  ),
]
