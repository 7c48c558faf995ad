import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { selectReference, type UserReference } from './users.repository.ts'

/**
 * Holds the reference as holdUserReference does; the generation is that of sign-in tokens that may
 * start a session.
 */
export function holdSignIn(
  scope: Scope,
  userId: string,
): Promise<{ sign_in_generation: number } | undefined> {
  return selectReference(scope, userId).select('sign_in_generation').forShare().executeTakeFirst()
}

/** Invalidates all sign-in tokens of the user. A session that is just starting is waited for. */
export function endSignIns(
  { db, environment }: TransactionScope,
  userId: string,
): Promise<UserReference | undefined> {
  return db
    .updateTable('users')
    .set((row) => ({ sign_in_generation: row('sign_in_generation', '+', 1) }))
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .returning(['id', 'client_user_id'])
    .executeTakeFirst()
}
