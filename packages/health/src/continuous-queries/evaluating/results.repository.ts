import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { ResultKey } from '../invalidation/invalidations.repository.ts'

/** A row of a result table to store. */
export interface ResultRow {
  key: string
  /** Local time in milliseconds, as if it were UTC. */
  bucket: number
  /** JSON array of the values. */
  json: string
}

/** Rows in one statement. */
const CHUNK = 5_000

/** Stores the rows that are new or changed; returns their keys. */
export async function upsertResultRows(
  { db, environment }: Scope,
  { user_id, query_id }: ResultKey,
  rows: readonly ResultRow[],
): Promise<Set<string>> {
  const changed = new Set<string>()
  for (let start = 0; start < rows.length; start += CHUNK) {
    const chunk = rows.slice(start, start + CHUNK)
    const { rows: written } = await sql<{ key: string }>`
      insert into continuous_query_rows as stored
        (environment_id, user_id, query_id, key, bucket, row)
      select ${environment.id}::uuid, ${user_id}::uuid, ${query_id}::uuid, new.key, new.bucket, new.row
      from unnest(
        ${chunk.map(({ key }) => key)}::text[],
        ${chunk.map(({ bucket }) => bucket)}::bigint[],
        ${chunk.map(({ json }) => json)}::jsonb[]
      ) as new (key, bucket, row)
      left join continuous_query_rows old
        on old.environment_id = ${environment.id} and old.user_id = ${user_id}
          and old.query_id = ${query_id} and old.key = new.key
      where old.row is distinct from new.row
      on conflict (environment_id, user_id, query_id, key)
      do update set bucket = excluded.bucket, row = excluded.row
      returning key`.execute(db)
    for (const { key } of written) changed.add(key)
  }
  return changed
}

/** Returns the keys of the stored rows whose buckets begin in a range; its end is exclusive. */
export async function listResultKeys(
  { db, environment }: Scope,
  { user_id, query_id }: ResultKey,
  range: { from: number; to: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('continuous_query_rows')
    .select('key')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .where('bucket', '>=', range.from)
    .where('bucket', '<', range.to)
    .execute()
  return rows.map(({ key }) => key)
}

export async function deleteResultRows(
  { db, environment }: Scope,
  { user_id, query_id }: ResultKey,
  keys: readonly string[],
): Promise<void> {
  if (keys.length === 0) return
  await db
    .deleteFrom('continuous_query_rows')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .where(sql<boolean>`key = any (${keys}::text[])`)
    .execute()
}

/** Returns all rows of a user, oldest bucket first. */
export async function listResultRows(
  { db, environment }: Scope,
  { user_id, query_id }: ResultKey,
): Promise<unknown[][]> {
  const rows = await db
    .selectFrom('continuous_query_rows')
    .select('row')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .orderBy('bucket')
    .orderBy('key')
    .execute()
  return rows.map(({ row }) => row)
}

/** Returns the basis of the last evaluation; undefined before the first one. */
export async function findBasis(
  { db, environment }: Scope,
  { user_id, query_id }: ResultKey,
): Promise<string | undefined> {
  const row = await db
    .selectFrom('continuous_query_evaluations')
    .select('basis')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', user_id)
    .where('query_id', '=', query_id)
    .executeTakeFirst()
  return row?.basis
}

export async function upsertEvaluation(
  { db, environment }: Scope,
  { user_id, query_id }: ResultKey,
  evaluation: { evaluated_at: Date; basis: string },
): Promise<void> {
  const { evaluated_at, basis } = evaluation
  await db
    .insertInto('continuous_query_evaluations')
    .values({ environment_id: environment.id, user_id, query_id, evaluated_at, basis })
    .onConflict((conflict) =>
      conflict
        .columns(['environment_id', 'user_id', 'query_id'])
        .doUpdateSet({ evaluated_at, basis }),
    )
    .execute()
}
