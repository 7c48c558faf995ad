import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { TaskKind, TaskStatus } from './tasks.registry.ts'
import type { TasksTable } from './tasks.tables.ts'

export type TaskRow = Selectable<TasksTable>
/** A task with its user's own id. */
export type ShownTaskRow = TaskRow & { client_user_id: string | null }
type NewTaskRow = Omit<Insertable<TasksTable>, 'environment_id'>
export type TaskChanges = Omit<Updateable<TasksTable>, 'environment_id' | 'id'>

/** As the partial indexes have it, so that they are used. */
const isOpen = sql<boolean>`tasks.status in ('requested', 'received', 'accepted')`

/** Inserts a task; returns undefined when its reason already has an open one. */
export function insertTask(
  { db, environment }: TransactionScope,
  task: NewTaskRow,
): Promise<TaskRow | undefined> {
  return db
    .insertInto('tasks')
    .values({ ...task, environment_id: environment.id })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Tasks except those of deleted people. */
function selectShown({ db, environment }: RowScope) {
  return db
    .selectFrom('tasks')
    .leftJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'tasks.environment_id')
        .onRef('users.id', '=', 'tasks.user_id'),
    )
    .where('tasks.environment_id', '=', environment.id)
    .where('users.deleted_at', 'is', null)
}

const withUser = (scope: RowScope) =>
  selectShown(scope).selectAll('tasks').select('users.client_user_id')

export function findTask(scope: Scope, id: string): Promise<ShownTaskRow | undefined> {
  return withUser(scope).where('tasks.id', '=', id).executeTakeFirst()
}

/** Returns a task, locked until the transaction ends; undefined for that of a deleted person. */
export function lockTask(tx: TransactionScope, id: string): Promise<ShownTaskRow | undefined> {
  return withUser(tx).where('tasks.id', '=', id).forUpdate('tasks').executeTakeFirst()
}

/** Returns the open task of a record; undefined without one. */
export function findOpenTask(
  { db, environment }: Scope,
  kind: TaskKind,
  focusId: string,
): Promise<Pick<TaskRow, 'id' | 'opened_at'> | undefined> {
  return db
    .selectFrom('tasks')
    .select(['id', 'opened_at'])
    .where('environment_id', '=', environment.id)
    .where('kind', '=', kind)
    .where('focus_id', '=', focusId)
    .where(isOpen)
    .executeTakeFirst()
}

/** Changes columns of a task that is locked, and returns them all. */
export function updateTask(
  { db, environment }: TransactionScope,
  id: string,
  changes: TaskChanges,
): Promise<TaskRow> {
  return db
    .updateTable('tasks')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Ends the open tasks of records, and returns them. */
export function endOpenTasks(
  { db, environment }: TransactionScope,
  kinds: readonly TaskKind[],
  focusIds: readonly string[],
  changes: TaskChanges,
): Promise<TaskRow[]> {
  return db
    .updateTable('tasks')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('kind', 'in', [...kinds])
    .where('focus_id', '=', anyOf(focusIds))
    .where(isOpen)
    .returningAll()
    .execute()
}

/** Deletes the tasks of records that are deleted. */
export async function deleteTasksOf(
  { db, environment }: RowScope,
  focusIds: readonly string[],
): Promise<void> {
  if (focusIds.length === 0) return
  await db
    .deleteFrom('tasks')
    .where('environment_id', '=', environment.id)
    .where('focus_id', '=', anyOf(focusIds))
    .execute()
}

export interface TaskFilter {
  /** Null means all that are open. */
  status: TaskStatus | null
  kind?: TaskKind | undefined
  userId?: string | undefined
  focusId?: string | undefined
  owner?: string | undefined
  isAssigned?: boolean | undefined
  isEscalated?: boolean | undefined
}

function matches(filter: TaskFilter) {
  const { status, kind, userId, focusId, owner, isAssigned, isEscalated } = filter
  const conditions = [
    status === null ? isOpen : sql<boolean>`tasks.status = ${status}`,
    kind !== undefined && sql<boolean>`tasks.kind = ${kind}`,
    userId !== undefined && sql<boolean>`tasks.user_id = ${userId}::uuid`,
    focusId !== undefined && sql<boolean>`tasks.focus_id = ${focusId}::uuid`,
    owner !== undefined && sql<boolean>`tasks.owner ->> 'name' = ${owner}`,
    isAssigned !== undefined && sql<boolean>`(tasks.owner is not null) = ${isAssigned}`,
    isEscalated !== undefined && sql<boolean>`(tasks.escalations > 0) = ${isEscalated}`,
  ].filter((condition) => condition !== false)
  return sql<boolean>`${sql.join(conditions, sql` and `)}`
}

/** Counts the tasks that match, up to `most`. */
export async function countMatchingTasks(
  scope: Scope,
  filter: TaskFilter,
  most: number,
): Promise<number> {
  const found = selectShown(scope).where(matches(filter)).select('tasks.id').limit(most)
  const { rows } = await sql<{ total: number }>`
    select count(*)::int as total from (${found}) found`.execute(scope.db)
  return rows[0]?.total ?? 0
}

interface TaskPosition {
  priority: number
  openedAt: string
  id: string
}

/** Returns tasks after the given position, by the order of the page. */
export function listTasks(
  scope: Scope,
  filter: TaskFilter,
  page: { isByPriority: boolean; after: TaskPosition | null; limit: number },
): Promise<(ShownTaskRow & { position: string })[]> {
  let query = withUser(scope)
    .select(sql<string>`tasks.opened_at::text`.as('position'))
    .where(matches(filter))
  const { after, isByPriority, limit } = page
  if (after !== null) {
    const { priority, openedAt, id } = after
    const last = sql`${openedAt}::timestamptz, ${id}::uuid`
    query = query.where(
      isByPriority
        ? sql<boolean>`(tasks.priority, tasks.opened_at, tasks.id) > (${priority}::smallint, ${last})`
        : sql<boolean>`(tasks.opened_at, tasks.id) < (${last})`,
    )
  }
  if (isByPriority) query = query.orderBy('tasks.priority')
  const direction = isByPriority ? 'asc' : 'desc'
  return query
    .orderBy('tasks.opened_at', direction)
    .orderBy('tasks.id', direction)
    .limit(limit)
    .execute()
}

/** Counts open tasks by kind. */
export function countTasks(
  scope: Scope,
): Promise<{ kind: TaskKind; open: number; unacknowledged: number; escalated: number }[]> {
  return selectShown(scope)
    .where(isOpen)
    .select([
      'tasks.kind',
      sql<number>`count(*)::int`.as('open'),
      sql<number>`count(*) filter (where tasks.acknowledged_at is null)::int`.as('unacknowledged'),
      sql<number>`count(*) filter (where tasks.escalations > 0)::int`.as('escalated'),
    ])
    .groupBy('tasks.kind')
    .execute()
}

/** Returns the ids of tasks whose escalation is due, the longest due first. */
export async function listDueTasks(scope: Scope, until: Date): Promise<string[]> {
  const rows = await selectShown(scope)
    .select('tasks.id')
    .where('tasks.escalate_at', '<=', until)
    .orderBy('tasks.escalate_at')
    .execute()
  return rows.map(({ id }) => id)
}
