import type { Db } from '@salus/kernel/postgres/database'
import type { SmartClientRow } from './smart-clients.repository.ts'

/** Clients and tokens of all environments: who signs in names only the client. */

export function findSmartClient(db: Db, id: string): Promise<SmartClientRow | undefined> {
  return db.selectFrom('smart_clients').selectAll().where('id', '=', id).executeTakeFirst()
}

/** Stores that an assertion was used. @returns false when it was used before */
export async function insertAssertion(
  db: Db,
  assertion: { client_id: string; jti_hash: Buffer; expires_at: Date },
): Promise<boolean> {
  const row = await db
    .insertInto('smart_assertions')
    .values(assertion)
    .onConflict((conflict) => conflict.doNothing())
    .returning('client_id')
    .executeTakeFirst()
  return row !== undefined
}

interface TokenRow {
  token_hash: Buffer
  environment_id: string
  client_id: string
  scopes: string[]
  expires_at: Date
}

export async function insertToken(db: Db, token: TokenRow): Promise<void> {
  await db.insertInto('smart_tokens').values(token).execute()
}

/** Returns a token that has not expired. */
export function findToken(db: Db, hash: Buffer, now: Date): Promise<TokenRow | undefined> {
  return db
    .selectFrom('smart_tokens')
    .selectAll()
    .where('token_hash', '=', hash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Removes tokens and assertions that have expired. */
export async function deleteEnded(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('smart_tokens').where('expires_at', '<=', now).execute()
  await db.deleteFrom('smart_assertions').where('expires_at', '<=', now).execute()
}
