import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/**
 * Returns the rows of ClickHouse that count: not those about deleted users, and not those of events
 * that PostgreSQL has too, because they are being sent again.
 */
export async function dropHidden<Row extends { id: string; user_id: string }>(
  { db, environment }: RowScope,
  rows: readonly Row[],
): Promise<Row[]> {
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  const deleted = await findDeletedUsers({ db, environment }, rows)
  const { rows: present } = await sql<{ id: string }>`select id from events
    where environment_id = ${environment.id} and id = any(${ids}::text[])`.execute(db)
  const known = new Set(present.map(({ id }) => id))
  return rows.filter(({ id, user_id: userId }) => !known.has(id) && !deleted.has(userId))
}

/** Returns the users of rows who are deleted and not erased yet. */
export async function findDeletedUsers(
  { db, environment }: RowScope,
  rows: readonly { user_id: string }[],
): Promise<Set<string>> {
  const userIds = [...new Set(rows.map(({ user_id: userId }) => userId))]
  const { rows: deleted } = await sql<{ id: string }>`select id from users
    where environment_id = ${environment.id} and id = any(${userIds}::uuid[])
      and deleted_at is not null`.execute(db)
  return new Set(deleted.map(({ id }) => id))
}
