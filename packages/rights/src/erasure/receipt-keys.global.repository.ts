import type { Db } from '@salus/kernel/postgres/database'

/** Key pairs of the deployment, which all environments share. */

interface ReceiptSigningKeysTable {
  id: string
  public_key: string
  created_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    receipt_signing_keys: ReceiptSigningKeysTable
  }
}

/** Returns public keys, the newest first. */
export function listPublicKeys(db: Db): Promise<ReceiptSigningKeysTable[]> {
  return db
    .selectFrom('receipt_signing_keys')
    .select(['id', 'public_key', 'created_at'])
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}
