import { sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'

/** The key pairs of the deployment, which all environments share. */

interface SigningKeysTable {
  id: string
  sealed: Buffer
  created_at: Date
}

declare module '../../../platform/postgres/database.ts' {
  interface Database {
    mobile_signing_keys: SigningKeysTable
  }
}

export type SigningKeyRow = SigningKeysTable

/** Newest first. */
export function listSigningKeys(db: Db): Promise<SigningKeyRow[]> {
  return db
    .selectFrom('mobile_signing_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Has other processes wait until the transaction ends, so that one of them makes a key. */
export async function lockSigningKeys(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('mobile_signing_keys', 1))`.execute(db)
}

export async function insertSigningKey(db: Db, key: SigningKeyRow): Promise<void> {
  await db.insertInto('mobile_signing_keys').values(key).execute()
}

export async function deleteSigningKeysBefore(db: Db, createdBefore: Date): Promise<void> {
  await db.deleteFrom('mobile_signing_keys').where('created_at', '<', createdBefore).execute()
}
