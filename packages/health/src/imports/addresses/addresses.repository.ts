import type { Scope } from '@salus/kernel/scope'
import type { Selectable } from 'kysely'

interface ImportAddressesTable {
  environment_id: string
  user_id: string
  id: string
  secret_hash: Buffer
  label: string
  masked_value: string
  created_at: Date
  last_used_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    import_addresses: ImportAddressesTable
  }
}

export type AddressRow = Selectable<ImportAddressesTable>

export function insertAddress(
  { db, environment }: Scope,
  address: Omit<AddressRow, 'environment_id' | 'last_used_at'>,
): Promise<AddressRow> {
  return db
    .insertInto('import_addresses')
    .values({ ...address, environment_id: environment.id, last_used_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the addresses of a user, the newest first. */
export function listAddresses({ db, environment }: Scope, userId: string): Promise<AddressRow[]> {
  return db
    .selectFrom('import_addresses')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute()
}

export async function deleteAddress(
  { db, environment }: Scope,
  userId: string,
  id: string,
): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('import_addresses')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
