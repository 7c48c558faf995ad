import type { RowScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { ContinuousQueryTasksTable } from '../continuous-queries.tables.ts'
import type { ResultKey } from '../invalidation/invalidations.repository.ts'

export type TaskRow = Selectable<ContinuousQueryTasksTable>

/**
 * Marks a waiting or interrupted task as started. Returns false when the claim has ended, and the
 * invalidation is gone or was claimed again.
 */
export async function startTask(
  { db, environment }: RowScope,
  { user_id, query_id, due_at }: ResultKey & { due_at: Date },
  at: Date,
): Promise<boolean> {
  const { numAffectedRows } = await sql`
    insert into continuous_query_tasks
      (environment_id, user_id, query_id, status, scheduled_at, started_at)
    select environment_id, user_id, query_id, 'started', ${at}, ${at}
    from continuous_query_invalidations
    where environment_id = ${environment.id} and user_id = ${user_id} and query_id = ${query_id}
      and due_at = ${due_at}
    on conflict (environment_id, user_id, query_id) where status in ('scheduled', 'started')
    do update set status = 'started', started_at = excluded.started_at`.execute(db)
  return numAffectedRows === 1n
}

/** Stores the outcome of a waiting or started task. */
export async function endTask(
  { db, environment }: RowScope,
  { user_id, query_id }: ResultKey,
  end: { status: 'completed' | 'error' | 'skipped'; at: Date; errorDetails?: string },
): Promise<void> {
  await db
    .updateTable('continuous_query_tasks')
    .set({ status: end.status, ended_at: end.at, error_details: end.errorDetails ?? null })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .where('status', 'in', ['scheduled', 'started'])
    .execute()
}

/** Like endTask, for all users whose task of a query still waits. */
export async function skipScheduledTasks(
  { db, environment }: RowScope,
  queryId: string,
  at: Date,
): Promise<void> {
  await sql`
    update continuous_query_tasks task set status = 'skipped', ended_at = ${at}
    from continuous_query_invalidations invalidation
    where task.environment_id = ${environment.id} and task.query_id = ${queryId}
      and task.status = 'scheduled'
      and invalidation.environment_id = task.environment_id and invalidation.user_id = task.user_id
      and invalidation.query_id = task.query_id`.execute(db)
}

export async function insertScheduledTask(
  { db, environment }: RowScope,
  { user_id, query_id }: ResultKey,
  at: Date,
): Promise<void> {
  await db
    .insertInto('continuous_query_tasks')
    .values({
      environment_id: environment.id,
      user_id,
      query_id,
      status: 'scheduled',
      scheduled_at: at,
      started_at: null,
      ended_at: null,
      error_details: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

/** Returns tasks newest first, from before a sequence number on. */
export function listTasks(
  { db, environment }: RowScope,
  { user_id, query_id }: ResultKey,
  { before, limit }: { before: number | null; limit: number },
): Promise<TaskRow[]> {
  let query = db
    .selectFrom('continuous_query_tasks')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
  if (before !== null) query = query.where('sequence', '<', before)
  return query.orderBy('sequence', 'desc').limit(limit).execute()
}
