import type { Db } from '@salus/kernel/postgres/database'
import type { LinkSessionRow } from './link-sessions.repository.ts'

/** Finds the session of a token, which also determines the environment. */
export function findLinkSession(db: Db, id: string): Promise<LinkSessionRow | undefined> {
  return db.selectFrom('link_sessions').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Removes sessions that ended before; @returns their number */
export async function removeLinkSessions(db: Db, endedBefore: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('link_sessions')
    .where('expires_at', '<', endedBefore)
    .executeTakeFirst()
  return Number(numDeletedRows)
}
