import type { Scope } from '@salus/kernel/scope'
import type { LinkCodeRow } from './link-codes.global.repository.ts'

/** Inserts a code; returns false when another user has the same one. */
export async function insertLinkCode(
  { db, environment }: Scope,
  code: Omit<LinkCodeRow, 'environment_id'>,
): Promise<boolean> {
  const inserted = await db
    .insertInto('link_codes')
    .values({ ...code, environment_id: environment.id })
    .onConflict((conflict) => conflict.column('code_hash').doNothing())
    .returning('id')
    .executeTakeFirst()
  return inserted !== undefined
}
