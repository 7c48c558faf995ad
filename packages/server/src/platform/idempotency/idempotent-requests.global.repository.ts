import type { Db } from '../postgres/database.ts'
import './idempotent-requests.repository.ts'

/** Removes answers that no key is asked for any more. Returns how many. */
export async function removeOldResponses(db: Db, before: Date): Promise<number> {
  const { numDeletedRows } = await db
    .deleteFrom('idempotent_answers')
    .where('created_at', '<', before)
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
