import type { TaskRow } from '@salus/accounts/tasks'
import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { BiomarkerResult, ResultStatus } from '../results.schema.ts'
import type { CriticalTaskStatus } from './critical-tasks.schema.ts'

/** The task of a critical result, which has its order, version and user. */
export type CriticalTaskRow = Omit<TaskRow, 'status'> & {
  user_id: string
  result_version: number
  result_status: ResultStatus
  status: CriticalTaskStatus
}
/** A task of a list, with its results; null after their version was removed. */
export type ListedTaskRow = CriticalTaskRow & {
  sample_id: string | null
  position: string
  results: BiomarkerResult[] | null
}

export interface CriticalTaskFilter {
  id?: string
  statuses?: readonly CriticalTaskStatus[]
  userId?: string | undefined
  orderId?: string | undefined
}

/**
 * Returns tasks of critical results after the given position, newest first; none of orders whose
 * person is deleted.
 */
export function listCriticalRows(
  { db, environment }: Scope,
  { id, statuses, userId, orderId }: CriticalTaskFilter,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<ListedTaskRow[]> {
  let query = db
    .selectFrom('tasks as task')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'task.environment_id')
        .onRef('orders.id', '=', 'task.order_id'),
    )
    .leftJoin('results', (join) =>
      join
        .onRef('results.environment_id', '=', 'task.environment_id')
        .onRef('results.order_id', '=', 'task.order_id')
        .onRef('results.version', '=', 'task.result_version')
        .on('task.status', '<>', 'cancelled'),
    )
    .selectAll('task')
    .select([
      'orders.sample_id',
      sql<string>`task.opened_at::text`.as('position'),
      sql<BiomarkerResult[] | null>`results.report -> 'evaluated' -> 'results'`.as('results'),
    ])
    .where('task.environment_id', '=', environment.id)
    .where('task.kind', '=', 'critical_result')
    .where('orders.is_hidden', '=', false)
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
    .$castTo<ListedTaskRow>()
    .execute()
}

/** Returns the ids of open tasks of a version of an order's results. */
export async function listOpenOfVersion(
  { db, environment }: Scope,
  orderId: string,
  version: number,
): Promise<string[]> {
  const rows = await db
    .selectFrom('tasks')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('result_version', '=', version)
    .where('status', 'in', ['requested', 'received'])
    .execute()
  return rows.map(({ id }) => id)
}
