import { escapeLike } from '@salus/kernel/postgres/like-pattern'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { TimelineKind } from './timeline.schema.ts'

export interface TimelineRow {
  kind: TimelineKind
  action: string
  at: Date
  key: string
  record_id: string | null
  subject: string | null
  text: string | null
  person: string | null
}

/** Where a page begins: after this item, or after all others of its millisecond. */
export interface TimelinePosition {
  at: Date
  key: string
}

export interface TimelineFilter {
  kinds: readonly TimelineKind[]
  words: readonly string[]
  /** Epoch milliseconds, both included. */
  since: number | undefined
  until: number | undefined
}

type Owner = RawBuilder<unknown>
/** Selects action, at, key, record_id, subject, text and person of the items of a user. */
type Branch = (owner: (table: string) => Owner) => RawBuilder<unknown>

const COLUMNS = (kind: string, key: string, columns: RawBuilder<unknown>) =>
  sql`${sql.lit(kind)} as kind, concat(${sql.lit(`${kind} `)}, ${sql.raw(key)}) as key, ${columns}`

/**
 * Items by kind. What is kept only as a present state, such as the last synchronization, is one
 * item with the time of that state.
 */
const BRANCHES: Readonly<Record<Exclude<TimelineKind, 'webhook_failure'>, readonly Branch[]>> = {
  connection: [
    (owner) => sql`select ${COLUMNS(
      'connection',
      "id, ' created'",
      sql`'created' as action,
        created_at as at, null::uuid as record_id, provider as subject, null::text as text,
        null::text as person`,
    )}
      from connections where ${owner('connections')}`,
    (owner) => sql`select ${COLUMNS(
      'connection',
      "id, ' ', status",
      sql`status as action,
        coalesce((error_details ->> 'errored_at')::timestamptz, updated_at) as at, null::uuid,
        provider, error_details ->> 'error_message', null::text`,
    )}
      from connections where ${owner('connections')} and status <> 'connected'`,
  ],
  sync: [
    (owner) => sql`select ${COLUMNS(
      'sync',
      "provider, ' ', last_attempt_status",
      sql`
        last_attempt_status as action, max(last_attempt_at) as at, null::uuid as record_id,
        provider as subject, string_agg(resource, ', ' order by resource) as text,
        null::text as person`,
    )}
      from resource_statistics where ${owner('resource_statistics')}
      group by provider, last_attempt_status`,
  ],
  historical_pull: [
    (owner) => sql`select ${COLUMNS(
      'historical_pull',
      "provider, ' ', status",
      sql`
        status as action, max(coalesce(ended_at, started_at, scheduled_at)) as at,
        null::uuid as record_id, provider as subject,
        string_agg(concat_ws(': ', resource, error_details), ', ' order by resource) as text,
        null::text as person`,
    )}
      from historical_pulls where ${owner('historical_pulls')} group by provider, status`,
  ],
  import: [
    (owner) => sql`select ${COLUMNS(
      'import',
      'id',
      sql`status as action,
        coalesce(finished_at, started_at, created_at) as at, id as record_id, source as subject,
        error ->> 'error_message' as text, null::text as person`,
    )}
      from import_jobs where ${owner('import_jobs')}`,
  ],
  order: [
    (owner) => sql`select ${COLUMNS(
      'order',
      'order_events.id',
      sql`
        order_events.status as action, order_events.created_at as at,
        order_events.order_id as record_id, lab_tests.name as subject,
        order_events.status_detail as text, null::text as person`,
    )}
      ${OF_ORDERS('order_events')} where ${owner('orders')} and not orders.is_hidden`,
  ],
  appointment: [
    (owner) => sql`select ${COLUMNS(
      'appointment',
      'appointment_events.id',
      sql`
        appointment_events.status as action, appointment_events.created_at as at,
        appointments.order_id as record_id, appointments.provider as subject,
        null::text as text, null::text as person`,
    )}
      from appointments join appointment_events
        on appointment_events.environment_id = appointments.environment_id
        and appointment_events.appointment_id = appointments.id
      where ${owner('appointments')}`,
  ],
  result: [
    (owner) => sql`select ${COLUMNS(
      'result',
      "results.order_id, ' ', results.version",
      sql`
        results.status as action, results.created_at as at, results.order_id as record_id,
        lab_tests.name as subject, results.interpretation as text, null::text as person`,
    )}
      ${OF_ORDERS('results')} where ${owner('orders')} and not orders.is_hidden`,
  ],
  lab_report: [
    (owner) => sql`select ${COLUMNS(
      'lab_report',
      'id',
      sql`status as action, updated_at as at,
        id as record_id, null::text as subject, failure_reason as text, null::text as person`,
    )}
      from lab_report_jobs where ${owner('lab_report_jobs')}`,
  ],
  task: [
    (owner) => sql`select ${COLUMNS(
      'task',
      "id, ' opened'",
      sql`'opened' as action,
        opened_at as at, id as record_id, kind as subject, null::text as text,
        null::text as person`,
    )}
      from tasks where ${owner('tasks')}`,
    (owner) => sql`select ${COLUMNS(
      'task',
      "id, ' acknowledged'",
      sql`'acknowledged' as action,
        acknowledged_at as at, id, kind, note, acknowledged_by ->> 'name'`,
    )}
      from tasks where ${owner('tasks')} and acknowledged_at is not null`,
    (owner) => sql`select ${COLUMNS(
      'task',
      "id, ' ', status",
      sql`status as action,
        ended_at as at, id, kind, note, ended_by ->> 'name'`,
    )}
      from tasks where ${owner('tasks')} and ended_at is not null`,
  ],
  note: [
    (owner) => sql`select ${COLUMNS(
      'note',
      'id',
      sql`
        case version when 1 then 'written' else 'changed' end as action, created_at as at,
        id as record_id, null::text as subject, person_notes.text as text,
        author ->> 'name' as person`,
    )}
      from person_notes where ${owner('person_notes')} and is_current and status = 'active'`,
  ],
  export: [
    (owner) => sql`select ${COLUMNS(
      'export',
      'id',
      sql`status as action,
        coalesce(completed_at, created_at) as at, id as record_id, format as subject,
        null::text as text, null::text as person`,
    )}
      from person_exports where ${owner('person_exports')}`,
  ],
}

const OF_ORDERS = (table: string) => sql`from orders
  join ${sql.table(table)} on ${sql.ref(`${table}.environment_id`)} = orders.environment_id
    and ${sql.ref(`${table}.order_id`)} = orders.id
  left join lab_tests on lab_tests.environment_id = orders.environment_id
    and lab_tests.id = orders.lab_test_id`

/** Returns items of PostgreSQL after a position, newest first. */
export async function listItems(
  { db, environment }: Scope,
  userId: string,
  { kinds, words, since, until }: TimelineFilter,
  page: { after: TimelinePosition | null; limit: number },
): Promise<TimelineRow[]> {
  const owner = (table: string): Owner =>
    sql`${sql.ref(`${table}.environment_id`)} = ${environment.id}::uuid
      and ${sql.ref(`${table}.user_id`)} = ${userId}::uuid`
  const branches = Object.entries(BRANCHES)
    .filter(([kind]) => kinds.includes(kind as TimelineKind))
    .flatMap(([, ofKind]) => ofKind.map((branch) => branch(owner)))
  if (branches.length === 0) return []
  const said = sql`concat_ws(' ', replace(kind, '_', ' '), replace(action, '_', ' '),
    subject, replace(subject, '_', ' '), text, person)`
  const conditions = [
    sql`true`,
    ...words.map((word) => sql`${said} ilike ${`%${escapeLike(word)}%`}`),
    ...(since === undefined ? [] : [sql`at >= ${new Date(since)}`]),
    ...(until === undefined ? [] : [sql`at <= ${new Date(until)}`]),
    ...(page.after === null
      ? []
      : [sql`(at, key collate "C") < (${page.after.at}::timestamptz, ${page.after.key})`]),
  ]
  const { rows } = await sql<TimelineRow>`
    select kind, action, at, key, record_id::text, subject, text, person from (
      select kind, key, action, date_trunc('milliseconds', at) as at, record_id, subject, text, person
      from (${sql.join(branches, sql` union all `)})
        as item (kind, key, action, at, record_id, subject, text, person)
    ) as listed
    where ${sql.join(conditions, sql` and `)}
    order by at desc, key collate "C" desc limit ${page.limit}`.execute(db)
  return rows
}
