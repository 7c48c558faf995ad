import { recordsOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { notifyAtCommit } from '@salus/kernel/postgres/notifications'
import { type ColumnType, type Selectable, sql } from 'kysely'
import type { Coverage, PullFailure } from './coverage-map.ts'

/** The rows that pullers of all processes work on, in all environments. */

/** Next work of a task: the newest records, or ranges of the past. */
export type PullKind = 'poll' | 'backfill'
export const PULL_KINDS: readonly PullKind[] = ['poll', 'backfill']

/** A record that a message of the vendor named. */
export interface ChangedRecord {
  readonly id: string
  readonly isDeleted: boolean
  /** Number of failed attempts. */
  readonly attempts?: number
  /** Earliest time of the next attempt, epoch milliseconds. */
  readonly nextAt?: number
}

interface PullTasksTable {
  environment_id: string
  user_id: string
  provider: string
  collection: string
  account_id: string | null
  coverage: ColumnType<Coverage, Coverage, Coverage>
  records: ColumnType<readonly ChangedRecord[], readonly ChangedRecord[], readonly ChangedRecord[]>
  polls_from: Date
  planned_at: Date
  kind: PullKind
  due_at: Date | null
  lease: string | null
  poll_at: Date
  wanted_at: Date | null
  failures: number
  attempted_at: Date | null
  succeeded_at: Date | null
  reason: PullFailure | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    pull_tasks: PullTasksTable
  }
}

export type PullTaskRow = Selectable<PullTasksTable>
export type PullTaskKey = Pick<
  PullTaskRow,
  'environment_id' | 'user_id' | 'provider' | 'collection'
>

/** Channel that is notified when tasks become due. */
export const PULLS_CHANNEL = 'salus_pulls'

const KEY = ['environment_id', 'user_id', 'provider', 'collection'] as const

/** Returns the key of a task as one text, for maps. */
export const keyOf = (row: PullTaskKey): string =>
  `${row.environment_id} ${row.user_id} ${row.provider} ${row.collection}`

/** Like keyOf, for all collections of one connection together. */
export const connectionOf = (row: Omit<PullTaskKey, 'collection'>): string =>
  `${row.environment_id} ${row.user_id} ${row.provider}`

/** Wakes the pullers when the transaction commits. */
export async function notifyPullers(db: Db): Promise<void> {
  await notifyAtCommit(db, PULLS_CHANNEL)
}

/** Claims due tasks of a kind, the longest waiting first, until the end of a lease. */
export async function claimTasks(
  db: Db,
  claim: { kind: PullKind; lease: string; now: Date; until: Date; limit: number },
): Promise<PullTaskRow[]> {
  const { rows } = await sql<PullTaskRow>`
    update pull_tasks as task set lease = ${claim.lease}::uuid, due_at = ${claim.until}
    from (
      select ${sql.join(KEY.map((column) => sql.ref(column)))} from pull_tasks
      where kind = ${claim.kind} and due_at <= ${claim.now}
      order by due_at
      limit ${claim.limit}
      for update skip locked
    ) as due
    where task.environment_id = due.environment_id and task.user_id = due.user_id
      and task.provider = due.provider and task.collection = due.collection
    returning task.*`.execute(db)
  return rows
}

/** Extends the leases of a live puller. */
export async function extendLeases(db: Db, lease: string, until: Date): Promise<void> {
  await db
    .updateTable('pull_tasks')
    .set({ due_at: until })
    .where('lease', '=', lease)
    .where('due_at', 'is not', null)
    .execute()
}

/** Releases the tasks of a stopping puller; null releases those of all pullers. */
export async function releaseLeases(db: Db, lease: string | null, now: Date): Promise<void> {
  const all = db.updateTable('pull_tasks').set({ lease: null, due_at: now })
  const taken = lease === null ? all.where('lease', 'is not', null) : all.where('lease', '=', lease)
  await taken.where('due_at', 'is not', null).execute()
  await notifyPullers(db)
}

/** Connection of a task. */
export interface TaskSubject {
  environment_id: string
  user_id: string
  provider: string
  status: string
  granted_scopes: string[] | null
  region: string | null
  connection_updated_at: Date
  client_user_id: string
  ingestion_start: string | null
  ingestion_end: string | null
}

/** Loads connections in one statement; deleted users and removed connections are left out. */
export async function loadSubjects(
  db: Db,
  connections: readonly Omit<PullTaskKey, 'collection'>[],
): Promise<TaskSubject[]> {
  const { rows } = await sql<TaskSubject>`
    select connection.environment_id, connection.user_id, connection.provider, connection.status,
      connection.granted_scopes, connection.region, connection.updated_at as connection_updated_at,
      users.client_user_id, users.ingestion_start, users.ingestion_end
    from ${namedConnections(connections)} as named
    join connections as connection using (environment_id, user_id, provider)
    join users on users.environment_id = connection.environment_id
      and users.id = connection.user_id and users.deleted_at is null`.execute(db)
  return rows
}

const namedConnections = (connections: readonly Omit<PullTaskKey, 'collection'>[]) =>
  sql`(
    select distinct * from json_to_recordset(${JSON.stringify(
      connections.map(({ environment_id, user_id, provider }) => ({
        environment_id,
        user_id,
        provider,
      })),
    )}::json) as names (environment_id uuid, user_id uuid, provider text)
  )`

/**
 * Locks tasks, and all tasks of some connections, in one order for all processes.
 * @returns them, by `keyOf`
 */
export async function lockTasks(
  db: Db,
  tasks: readonly PullTaskKey[],
  connections: readonly Omit<PullTaskKey, 'collection'>[] = [],
): Promise<Map<string, PullTaskRow>> {
  const names = tasks.map(({ environment_id, user_id, provider, collection }) => ({
    environment_id,
    user_id,
    provider,
    collection,
  }))
  const { rows } = await sql<PullTaskRow>`
    select task.* from pull_tasks as task
    where (environment_id, user_id, provider, collection) in (
      select environment_id, user_id, provider, collection
      from json_to_recordset(${JSON.stringify(names)}::json)
        as named (environment_id uuid, user_id uuid, provider text, collection text)
      union
      select environment_id, user_id, provider, task_of.collection
      from ${namedConnections(connections)} as of_all
      join pull_tasks as task_of using (environment_id, user_id, provider)
    )
    order by ${sql.join(KEY.map((column) => sql.ref(column)))}
    for update`.execute(db)
  return new Map(rows.map((row) => [keyOf(row), row]))
}

/** Stores tasks unchanged. */
export async function saveTasks(db: Db, rows: readonly PullTaskRow[]): Promise<void> {
  if (rows.length === 0) return
  const sorted = rows.toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  const { columns, records } = recordsOf('pull_tasks', sorted)
  const changed = columns.filter((column) => !KEY.includes(column as (typeof KEY)[number]))
  await db
    .insertInto('pull_tasks')
    .columns(columns)
    .expression(records)
    .onConflict((conflict) =>
      conflict
        .columns([...KEY])
        .doUpdateSet(
          Object.fromEntries(changed.map((column) => [column, sql.ref(`excluded.${column}`)])),
        ),
    )
    .execute()
}

/** Returns the number of due tasks, and the due time of the oldest, by kind. */
export async function measureQueue(
  db: Db,
  now: Date,
): Promise<{ kind: PullKind; depth: number; oldest: Date }[]> {
  const { rows } = await sql<{ kind: PullKind; depth: number; oldest: Date }>`
    select kind, count(*) as depth, min(due_at) as oldest from pull_tasks
    where due_at <= ${now} group by kind`.execute(db)
  return rows
}

/** Finds the connections of a vendor's account in some environments. */
export async function findConnectionsByAccount(
  db: Db,
  provider: string,
  accountIds: readonly string[],
  environmentIds: readonly string[],
): Promise<
  { environment_id: string; user_id: string; external_user_id: string; client_user_id: string }[]
> {
  const { rows } = await sql<{
    environment_id: string
    user_id: string
    external_user_id: string
    client_user_id: string
  }>`
    select connection.environment_id, user_id, external_user_id, client_user_id
    from connections as connection
    join users on users.environment_id = connection.environment_id and users.id = user_id
    where provider = ${provider} and external_user_id = any(${[...accountIds]})
      and status = 'connected' and connection.environment_id = any(${[...environmentIds]}::uuid[])
  `.execute(db)
  return rows
}
