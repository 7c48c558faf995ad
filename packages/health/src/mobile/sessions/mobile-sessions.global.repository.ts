import type { Db } from '@salus/kernel/postgres/database'
import type { Updateable } from 'kysely'

/**
 * Sessions of all environments: a refresh token has only its own secret and does not name its
 * environment.
 */

interface MobileSessionsTable {
  environment_id: string
  user_id: string
  id: string
  sign_in_id: string
  family_hash: Buffer
  token_hash: Buffer
  previous_hash: Buffer | null
  previous_until: Date | null
  salt: Buffer | null
  created_at: Date
  expires_at: Date
  ended_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    mobile_sessions: MobileSessionsTable
  }
}

export type MobileSessionRow = MobileSessionsTable

/**
 * Returns the session of a family of refresh tokens; other refreshes of it wait until the
 * transaction ends.
 */
export function lockMobileSession(
  db: Db,
  familyHash: Buffer,
): Promise<MobileSessionRow | undefined> {
  return db
    .selectFrom('mobile_sessions')
    .selectAll()
    .where('family_hash', '=', familyHash)
    .forUpdate()
    .executeTakeFirst()
}

export async function updateMobileSession(
  db: Db,
  { environment_id, id }: MobileSessionRow,
  change: Updateable<MobileSessionsTable>,
): Promise<void> {
  await db
    .updateTable('mobile_sessions')
    .set(change)
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .execute()
}

/**
 * Removes sessions that can never be used again, and whose sign-in tokens have expired long ago.
 */
export async function deleteMobileSessionsEndedBefore(db: Db, before: Date): Promise<void> {
  await db
    .deleteFrom('mobile_sessions')
    .where((where) => where.or([where('expires_at', '<', before), where('ended_at', '<', before)]))
    .execute()
}
