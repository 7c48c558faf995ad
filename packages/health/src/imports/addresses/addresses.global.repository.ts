import type { Db } from '@salus/kernel/postgres/database'
import type { AddressRow } from './addresses.repository.ts'

/** Returns the address of a secret in any environment; undefined for a revoked one. */
export function findAddressBySecret(
  db: Db,
  secretHash: Buffer,
): Promise<Pick<AddressRow, 'environment_id' | 'user_id' | 'id' | 'last_used_at'> | undefined> {
  return db
    .selectFrom('import_addresses')
    .select(['environment_id', 'user_id', 'id', 'last_used_at'])
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst()
}

/** Records the use of an address. */
export async function recordAddressUse(
  db: Db,
  { environment_id, id }: Pick<AddressRow, 'environment_id' | 'id'>,
  at: Date,
): Promise<void> {
  await db
    .updateTable('import_addresses')
    .set({ last_used_at: at })
    .where('environment_id', '=', environment_id)
    .where('id', '=', id)
    .execute()
}
