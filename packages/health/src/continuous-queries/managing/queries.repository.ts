import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { ContinuousQueriesTable } from '../continuous-queries.tables.ts'

export type QueryRow = Selectable<ContinuousQueriesTable>

/** Inserts the query; returns undefined when the environment already uses its slug. */
export function insertQuery(
  { db, environment }: Scope,
  query: Omit<Insertable<ContinuousQueriesTable>, 'environment_id'>,
): Promise<QueryRow | undefined> {
  return db
    .insertInto('continuous_queries')
    .values({ ...query, environment_id: environment.id })
    .onConflict((conflict) => conflict.columns(['environment_id', 'slug']).doNothing())
    .returningAll()
    .executeTakeFirst()
}

/** Returns queries oldest first, archived ones included, from a position on. */
export function listQueries(
  { db, environment }: Scope,
  after: { createdAt: Date; id: string } | null,
  limit: number,
): Promise<QueryRow[]> {
  let query = db
    .selectFrom('continuous_queries')
    .selectAll()
    .where('environment_id', '=', environment.id)
  if (after !== null) {
    query = query.where(
      sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query.orderBy('created_at').orderBy('id').limit(limit).execute()
}

/** Returns a stored query of any status. */
export function findQuery(
  { db, environment }: Scope,
  queryId: string,
): Promise<QueryRow | undefined> {
  return db
    .selectFrom('continuous_queries')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', queryId)
    .executeTakeFirst()
}

/** Returns a query by its slug, which may look like an id. */
export function findQueryBySlug(
  { db, environment }: Scope,
  slug: string,
): Promise<QueryRow | undefined> {
  return db
    .selectFrom('continuous_queries')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('slug', '=', slug)
    .executeTakeFirst()
}

/** Changes the given fields. Returns undefined when there is no such query. */
export function updateQuery(
  { db, environment }: Scope,
  queryId: string,
  change: { title?: string; minimum_gap_seconds?: number | null; status?: 'archived' },
): Promise<QueryRow | undefined> {
  return db
    .updateTable('continuous_queries')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', queryId)
    .returningAll()
    .executeTakeFirst()
}

/** Stores the last user who was invalidated for a new query; `begunAt` once all are. */
export async function updateInvalidationProgress(
  { db, environment }: RowScope,
  queryId: string,
  { begunThrough, begunAt }: { begunThrough: string | null; begunAt: Date | null },
): Promise<void> {
  await db
    .updateTable('continuous_queries')
    .set({ begun_through: begunThrough, begun_at: begunAt })
    .where('environment_id', '=', environment.id)
    .where('id', '=', queryId)
    .execute()
}

/** Returns the active queries of an environment. */
export function listActiveQueries({ db, environment }: RowScope): Promise<QueryRow[]> {
  return db
    .selectFrom('continuous_queries')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('status', '=', 'active')
    .execute()
}

/** Has queries evaluated for every user, as if they were new. */
export async function restartQueries(
  { db, environment }: RowScope,
  queryIds: readonly string[],
): Promise<void> {
  if (queryIds.length === 0) return
  await db
    .updateTable('continuous_queries')
    .set({ begun_at: null, begun_through: null })
    .where('environment_id', '=', environment.id)
    .where('id', '=', anyOf(queryIds))
    .execute()
}
