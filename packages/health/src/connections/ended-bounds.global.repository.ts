import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/**
 * Pauses the live connections of users whose ingestion ended on or before the day.
 * @param only Restricts it to one user.
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
