import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/** People of all environments: one job ends their ingestion, another erases the deleted ones. */

/**
 * Pauses the live connections of people whose ingestion ended on or before the day.
 * @param only One person, in place of everybody.
 */
export async function pauseConnectionsEndedBy(
  db: Db,
  lastDay: string,
  at: Date,
  only?: { environmentId: string; userId: string },
): Promise<number> {
  let query = db
    .updateTable('connections')
    .from('users')
    .set({ status: 'paused', updated_at: at })
    .whereRef('users.environment_id', '=', 'connections.environment_id')
    .whereRef('users.id', '=', 'connections.user_id')
    .where(sql<boolean>`users.ingestion_end <= ${lastDay}::date`)
    .where('connections.status', 'in', ['connected', 'error'])
  if (only !== undefined) {
    query = query
      .where('connections.environment_id', '=', only.environmentId)
      .where('connections.user_id', '=', only.userId)
  }
  const { numUpdatedRows } = await query.executeTakeFirst()
  return Number(numUpdatedRows)
}

/** Users deleted before the date, or whose erasure is due, without those who are held. */
export function listErasableUsers(
  db: Db,
  deletedBefore: Date,
  now: Date,
): Promise<{ environment_id: string; id: string }[]> {
  const isDue = sql<boolean>`(deleted_at < ${deletedBefore} or exists (
    select from erasures where erasures.environment_id = users.environment_id
      and erasures.user_id = users.id and erasures.due_at <= ${now}
  ))`
  const isFree = sql<boolean>`not exists (
    select from legal_holds where legal_holds.environment_id = users.environment_id
      and legal_holds.user_id = users.id and released_at is null
  )`
  return db
    .selectFrom('users')
    .select(['environment_id', 'id'])
    .where('deleted_at', 'is not', null)
    .where(isDue)
    .where(isFree)
    .orderBy('deleted_at')
    .orderBy('id')
    .limit(1000)
    .execute()
}
