import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/**
 * Removes the data of emulated providers of sandboxes about a user, whom they know only by the
 * account at the provider. Their notifications expire after minutes by themselves.
 */
export async function deleteVendorCopies(db: Db, accounts: readonly string[]): Promise<void> {
  if (accounts.length === 0) return
  const words = accounts.map((account) => account.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')
  const isNamed = sql`~ ${`(^|[^[:alnum:]])(${words})([^[:alnum:]]|$)`}`
  await sql`delete from sandbox_providers where key ${isNamed} or value::text ${isNamed}`.execute(
    db,
  )
}
