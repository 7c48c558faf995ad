import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { MobileSessionRow } from './mobile-sessions.global.repository.ts'

type NewMobileSession = Pick<
  MobileSessionRow,
  'id' | 'user_id' | 'sign_in_id' | 'family_hash' | 'token_hash' | 'created_at' | 'expires_at'
>

/** Inserts a session; returns false when its sign-in token was used before. */
export async function insertMobileSession(
  { db, environment }: Scope,
  session: NewMobileSession,
): Promise<boolean> {
  const inserted = await db
    .insertInto('mobile_sessions')
    .values({ ...session, environment_id: environment.id })
    .onConflict((conflict) => conflict.column('sign_in_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}

/**
 * Whether a session is live and its user not deleted: one index look-up for each request of an app.
 */
export async function isMobileSessionLive(
  { db, environment }: RowScope,
  userId: string,
  sessionId: string,
): Promise<boolean> {
  const { rows } = await sql`select from mobile_sessions as session
      join users on users.environment_id = session.environment_id and users.id = session.user_id
    where session.environment_id = ${environment.id} and session.user_id = ${userId}
      and session.id = ${sessionId} and session.ended_at is null
      and users.deleted_at is null`.execute(db)
  return rows.length > 0
}

/**
 * Ends the live sessions of a user and removes the codes that could start others. Returns the ids.
 */
export async function endLiveMobileSessions(
  { db, environment }: TransactionScope,
  userId: string,
  at: Date,
): Promise<string[]> {
  await db
    .deleteFrom('link_codes')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .execute()
  const rows = await db
    .updateTable('mobile_sessions')
    .set({ ended_at: at })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', at)
    .returning('id')
    .execute()
  return rows.map(({ id }) => id)
}
