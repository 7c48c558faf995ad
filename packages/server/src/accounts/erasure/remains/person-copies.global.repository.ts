import { sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
import { escapeLike } from '../../../platform/postgres/like-pattern.ts'

/**
 * Removes what emulated vendors of sandboxes and news of vendors hold of somebody, which know them only by the
 * account at the vendor.
 */
export async function deleteVendorCopies(db: Db, accounts: readonly string[]): Promise<void> {
  if (accounts.length === 0) return
  const patterns = accounts.map((account) => `%${escapeLike(account)}%`)
  await sql`delete from sandbox_providers
    where key like any(${patterns}::text[]) or value::text like any(${patterns}::text[])`.execute(
    db,
  )
  await sql`delete from vendor_messages where exists (
    select from unnest(${[...accounts]}::text[]) as account
    where position(convert_to(account, 'UTF8') in body) > 0)`.execute(db)
}
