import type { Db } from '@salus/kernel/postgres/database'
import type { ManagementKeyRow } from '../teams/index.ts'

/** Codes are found by their secret, without an environment. */

interface ConsoleSignInCodesTable {
  code_hash: Buffer
  management_key_id: string
  created_at: Date
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    console_sign_in_codes: ConsoleSignInCodesTable
  }
}

/**
 * Returns the first key of an organization that has all rights and is not that of a user.
 */
export function findFirstOrgAdminKey(
  db: Db,
  organizationId: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('management_keys as key')
    .leftJoin('console_identities as identity', 'identity.management_key_id', 'key.id')
    .leftJoin('organization_users as member', 'member.management_key_id', 'key.id')
    .select('key.id')
    .where('key.organization_id', '=', organizationId)
    .where('key.role', '=', 'org_admin')
    .where('key.deleted_at', 'is', null)
    .where('identity.management_key_id', 'is', null)
    .where('member.id', 'is', null)
    .orderBy('key.created_at')
    .orderBy('key.id')
    .limit(1)
    .executeTakeFirst()
}

export async function insertSignInCode(db: Db, code: ConsoleSignInCodesTable): Promise<void> {
  await db.insertInto('console_sign_in_codes').values(code).execute()
}

/**
 * Uses a code; undefined when it is unknown, was used, has expired, or belongs to a revoked key.
 */
export async function takeSignInCode(
  db: Db,
  codeHash: Buffer,
  now: Date,
): Promise<ManagementKeyRow | undefined> {
  const taken = await db
    .deleteFrom('console_sign_in_codes')
    .where('code_hash', '=', codeHash)
    .returning(['management_key_id', 'expires_at'])
    .executeTakeFirst()
  if (taken === undefined || taken.expires_at <= now) return undefined
  return db
    .selectFrom('management_keys')
    .selectAll()
    .where('id', '=', taken.management_key_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function deleteExpiredCodes(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('console_sign_in_codes').where('expires_at', '<=', now).execute()
}
