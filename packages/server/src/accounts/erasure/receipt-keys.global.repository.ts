import { sql } from 'kysely'
import type { Db } from '../../platform/postgres/database.ts'

/** The key pairs of the deployment, which all environments share. */

interface ReceiptSigningKeysTable {
  id: string
  public_key: string
  sealed: Buffer
  created_at: Date
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    receipt_signing_keys: ReceiptSigningKeysTable
  }
}

export type ReceiptKeyRow = ReceiptSigningKeysTable

/** Newest first. */
export function listReceiptKeys(db: Db): Promise<ReceiptKeyRow[]> {
  return db
    .selectFrom('receipt_signing_keys')
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Has other processes wait until the transaction ends, so that one of them makes a key. */
export async function lockReceiptKeys(db: Db): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended('receipt_signing_keys', 1))`.execute(db)
}

export async function insertReceiptKey(db: Db, key: ReceiptKeyRow): Promise<void> {
  await db.insertInto('receipt_signing_keys').values(key).execute()
}
