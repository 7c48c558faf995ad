import type { Db } from '../postgres/database.ts'
import './idempotent-requests.repository.ts'

/** Removes answers whose keys can no longer be used. Returns how many. */
export async function removeExpiredResponses(db: Db, now: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotent_answers')
    .where('expires_at', '<', now)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
