import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { QueryRow } from '../managing/queries.repository.ts'

/** New queries and old tasks of all environments: one job works on them. */

/**
 * Locks the oldest active query of any environment that was created before a time and has not
 * begun.
 */
export function lockQueryToBegin(db: Db, createdBefore: Date): Promise<QueryRow | undefined> {
  return db
    .selectFrom('continuous_queries')
    .selectAll()
    .where('status', '=', 'active')
    .where('begun_at', 'is', null)
    .where('created_at', '<=', createdBefore)
    .orderBy('created_at')
    .limit(1)
    .forUpdate()
    .skipLocked()
    .executeTakeFirst()
}

/** Deletes tasks of all environments that ended before a time. Returns their number. */
export async function removeOldTasks(db: Db, endedBefore: Date, limit: number): Promise<number> {
  const { numAffectedRows } = await sql`
    delete from continuous_query_tasks where ctid = any (array(
      select ctid from continuous_query_tasks where ended_at < ${endedBefore} limit ${limit}
    ))`.execute(db)
  return Number(numAffectedRows ?? 0)
}
