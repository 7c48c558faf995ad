import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/**
 * Returns users who were deleted before the date, or whose erasure is due, without those under a
 * hold.
 */
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
