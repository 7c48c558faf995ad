import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/** Query and user of a result. */
export interface ResultKey {
  user_id: string
  query_id: string
}

/** Joins the ranges of a result that is already invalidated. */
export const WIDEN = sql`
  on conflict (environment_id, user_id, query_id) do update set
    range = range_merge(invalidation.range, excluded.range),
    invalidated_at = greatest(invalidation.invalidated_at, excluded.invalidated_at)`

/** Schedules a task for each new invalidation. */
export const scheduleNew = (now: Date) => sql`
  insert into continuous_query_tasks (environment_id, user_id, query_id, status, scheduled_at)
  select environment_id, user_id, query_id, 'scheduled', ${now} from invalidated where is_new
  on conflict do nothing`

/**
 * Invalidates everything for the next users of an environment, deleted ones included, in order of
 * their ids, as if it had changed at `changedAt`.
 * @returns the last user; undefined when there are no more
 */
export async function invalidateNextUsers(
  { db, environment }: RowScope,
  options: { queryId: string; after: string | null; limit: number; changedAt: Date; now: Date },
): Promise<string | undefined> {
  const { queryId, after, limit, changedAt, now } = options
  const { rows } = await sql<{ last: string | null }>`
    with next as (
      select id from users
      where environment_id = ${environment.id} and (${after}::uuid is null or id > ${after}::uuid)
      order by id limit ${limit}
    ), invalidated as (
      insert into continuous_query_invalidations as invalidation
        (environment_id, user_id, query_id, range, invalidated_at, due_at)
      select ${environment.id}::uuid, id, ${queryId}::uuid, '(,)', ${changedAt}::timestamptz,
        ${now}::timestamptz
      from next order by id
      ${WIDEN}, due_at = least(invalidation.due_at, excluded.due_at)
      returning environment_id, user_id, query_id, xmax = 0 as is_new
    ), scheduled as (${scheduleNew(now)})
    select max(id::text) as last from next`.execute(db)
  return rows[0]?.last ?? undefined
}

/** A claimed invalidation, with the range to evaluate. */
export interface ClaimedInvalidation extends ResultKey {
  environment_id: string
  /** Time of the latest change before the claim. */
  invalidated_at: Date
  /** End of the claim, which also identifies it. */
  due_at: Date
  failures: number
  /** The instants that may have changed, both included; null for everything. */
  from: Date | null
  to: Date | null
  /** Range, as PostgreSQL writes it, that was noted since the previous claim. */
  fresh: string
}

/** Locks a claimed invalidation; returns undefined when it is gone or was claimed again. */
export async function lockClaimedInvalidation(
  { db, environment }: RowScope,
  claim: ResultKey & { due_at: Date },
): Promise<{ hasChanged: boolean } | undefined> {
  const row = await db
    .selectFrom('continuous_query_invalidations')
    .select(sql<boolean>`not isempty(range)`.as('has_changed'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', claim.user_id)
    .where('query_id', '=', claim.query_id)
    .where('due_at', '=', claim.due_at)
    .forUpdate()
    .executeTakeFirst()
  return row && { hasChanged: row.has_changed }
}

/**
 * Deletes an invalidation. Lock it first (lockClaimedInvalidation), or what was noted meanwhile is
 * lost.
 */
export async function deleteInvalidation(
  { db, environment }: RowScope,
  invalidation: ResultKey,
): Promise<void> {
  await db
    .deleteFrom('continuous_query_invalidations')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', invalidation.user_id)
    .where('query_id', '=', invalidation.query_id)
    .execute()
}

/**
 * Postpones an invalidation after an evaluation that did not complete it; `claimed` is the
 * remaining range.
 */
export async function postponeInvalidation(
  { db, environment }: RowScope,
  { user_id, query_id }: ResultKey,
  { due_at, failures, claimed }: { due_at: Date; failures: number; claimed?: string },
): Promise<void> {
  await db
    .updateTable('continuous_query_invalidations')
    .set({ due_at, failures, ...(claimed !== undefined && { claimed }) })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .execute()
}

/** Deletes all invalidations of a query. */
export async function deleteInvalidationsOfQuery(
  { db, environment }: RowScope,
  queryId: string,
): Promise<void> {
  await db
    .deleteFrom('continuous_query_invalidations')
    .where('environment_id', '=', environment.id)
    .where('query_id', '=', queryId)
    .execute()
}
