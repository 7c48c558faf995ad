import type { Scope } from '../../../platform/scope.ts'
import type { MobileSessionRow } from './mobile-sessions.global.repository.ts'

type NewSession = Pick<
  MobileSessionRow,
  'id' | 'user_id' | 'sign_in_id' | 'family_hash' | 'token_hash' | 'created_at' | 'expires_at'
>

/** Begins a session; false when its sign-in token began one before. */
export async function insertSession(
  { db, environment }: Scope,
  session: NewSession,
): Promise<boolean> {
  const inserted = await db
    .insertInto('mobile_sessions')
    .values({ ...session, environment_id: environment.id })
    .onConflict((conflict) => conflict.column('sign_in_id').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}
