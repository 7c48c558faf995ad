import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/** Codes of all environments: a code alone identifies its user. */

interface LinkCodesTable {
  environment_id: string
  user_id: string
  id: string
  code_hash: Buffer
  created_at: Date
  expires_at: Date
}

interface LinkCodeFailuresTable {
  kind: string
  minute: Date
  failures: number
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    link_codes: LinkCodesTable
    link_code_failures: LinkCodeFailuresTable
  }
}

export type LinkCodeRow = LinkCodesTable

/** Returns undefined for an unknown, used or expired code, and for a deleted user. */
export function findLinkCode(
  db: Db,
  codeHash: Buffer,
  now: Date,
): Promise<(LinkCodeRow & { sign_in_generation: number }) | undefined> {
  return db
    .selectFrom('link_codes')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'link_codes.environment_id')
        .onRef('users.id', '=', 'link_codes.user_id')
        .on('users.deleted_at', 'is', null),
    )
    .selectAll('link_codes')
    .select('users.sign_in_generation')
    .where('code_hash', '=', codeHash)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Consumes a code; returns false when another request was first. */
export async function consumeLinkCode(db: Db, { code_hash }: LinkCodeRow): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('link_codes')
    .where('code_hash', '=', code_hash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}

export async function countWrongCodes(db: Db, kind: string, minute: Date): Promise<number> {
  const row = await db
    .selectFrom('link_code_failures')
    .select('failures')
    .where('kind', '=', kind)
    .where('minute', '=', minute)
    .executeTakeFirst()
  return row?.failures ?? 0
}

/** Counts a wrong code of a kind in a minute; concurrent ones are all counted. */
export async function addWrongCode(db: Db, kind: string, minute: Date): Promise<void> {
  await db
    .insertInto('link_code_failures')
    .values({ kind, minute, failures: 1 })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'minute'])
        .doUpdateSet({ failures: sql`link_code_failures.failures + 1` }),
    )
    .execute()
}

/** Removes expired codes, and counts of earlier minutes. */
export async function deleteLinkCodesBefore(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('link_codes').where('expires_at', '<', before).execute()
  await db.deleteFrom('link_code_failures').where('minute', '<', before).execute()
}
