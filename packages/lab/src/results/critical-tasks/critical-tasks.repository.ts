import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { BiomarkerResult } from '../results.schema.ts'
import type { CriticalResultTasksTable } from '../results.tables.ts'
import { type CriticalTaskStatus, OPEN_STATUSES } from './critical-tasks.schema.ts'

/** A task with the data of its order. */
export type CriticalTaskRow = Selectable<CriticalResultTasksTable> & {
  user_id: string
  sample_id: string | null
}
/** A task of a list, with the results of its version; null after that was removed. */
export type ListedTaskRow = CriticalTaskRow & {
  position: string
  results: BiomarkerResult[] | null
}
type NewTask = Omit<Insertable<CriticalResultTasksTable>, 'environment_id'>
type TaskChanges = Omit<Updateable<CriticalResultTasksTable>, 'environment_id' | 'id'>

/** Inserts a task. */
export async function insertTask({ db, environment }: TransactionScope, task: NewTask) {
  await db
    .insertInto('critical_result_tasks')
    .values({ ...task, environment_id: environment.id })
    .execute()
}

/** Tasks of orders whose person is not deleted. */
function selectShown({ db, environment }: Scope) {
  return db
    .selectFrom('critical_result_tasks as task')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'task.environment_id')
        .onRef('orders.id', '=', 'task.order_id'),
    )
    .selectAll('task')
    .select(['orders.user_id', 'orders.sample_id'])
    .where('task.environment_id', '=', environment.id)
    .where('orders.is_hidden', '=', false)
}

/** Counts the tasks that wait for an acknowledgement. */
export async function countOpenTasks(scope: Scope): Promise<number> {
  const { total } = await selectShown(scope)
    .clearSelect()
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('task.status', 'in', [...OPEN_STATUSES])
    .executeTakeFirstOrThrow()
  return total
}

/** Returns a task, locked until the transaction ends; undefined for that of a deleted person. */
export function lockTask(tx: TransactionScope, id: string): Promise<CriticalTaskRow | undefined> {
  return selectShown(tx).where('task.id', '=', id).forUpdate('task').executeTakeFirst()
}

/** Changes columns of a task that is locked. */
export async function updateTask(
  { db, environment }: TransactionScope,
  id: string,
  changes: TaskChanges,
): Promise<void> {
  await db
    .updateTable('critical_result_tasks')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

export interface CriticalTaskFilter {
  id?: string
  statuses?: readonly CriticalTaskStatus[]
  userId?: string | undefined
  orderId?: string | undefined
}

/** Returns tasks after the given position with their results, newest first. */
export function listTasks(
  scope: Scope,
  { id, statuses, userId, orderId }: CriticalTaskFilter,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<ListedTaskRow[]> {
  let query = selectShown(scope)
    .leftJoin('results', (join) =>
      join
        .onRef('results.environment_id', '=', 'task.environment_id')
        .onRef('results.order_id', '=', 'task.order_id')
        .onRef('results.version', '=', 'task.result_version')
        .on('task.status', '<>', 'cancelled'),
    )
    .select([
      sql<string>`task.opened_at::text`.as('position'),
      sql<BiomarkerResult[] | null>`results.report -> 'evaluated' -> 'results'`.as('results'),
    ])
  if (id !== undefined) query = query.where('task.id', '=', id)
  if (statuses !== undefined) query = query.where('task.status', 'in', [...statuses])
  if (userId !== undefined) query = query.where('orders.user_id', '=', userId)
  if (orderId !== undefined) query = query.where('task.order_id', '=', orderId)
  if (page.after !== null) {
    const { createdAt, id: lastId } = page.after
    query = query.where(
      sql<boolean>`(task.opened_at, task.id) < (${createdAt}::timestamptz, ${lastId}::uuid)`,
    )
  }
  return query
    .orderBy('task.opened_at', 'desc')
    .orderBy('task.id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Returns the ids of open tasks of a version of an order's results. */
export async function listOpenOfVersion(
  { db, environment }: TransactionScope,
  orderId: string,
  version: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('critical_result_tasks')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('result_version', '=', version)
    .where('status', 'in', ['requested', 'received'])
    .execute()
  return rows.map(({ id }) => id)
}

/** Returns the ids of tasks whose escalation is due, the longest due first. */
export async function listDueTasks(scope: Scope, until: Date): Promise<string[]> {
  const rows = await selectShown(scope)
    .where('task.escalate_at', '<=', until)
    .orderBy('task.escalate_at')
    .execute()
  return rows.map(({ id }) => id)
}
