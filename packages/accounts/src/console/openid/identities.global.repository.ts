import type { Db } from '@salus/kernel/postgres/database'
import type { ManagementKeyRow } from '../../teams/index.ts'

/** People of an identity provider, and the management key that says what each may do. */
interface ConsoleIdentitiesTable {
  issuer: string
  subject: string
  management_key_id: string
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    console_identities: ConsoleIdentitiesTable
  }
}

export type Identity = Pick<ConsoleIdentitiesTable, 'issuer' | 'subject'>

/**
 * The key of a person, unless it was revoked. Others who sign in as the person wait until the
 * transaction ends.
 */
export function lockKeyOfIdentity(
  db: Db,
  { issuer, subject }: Identity,
): Promise<ManagementKeyRow | undefined> {
  return db
    .selectFrom('console_identities as identity')
    .innerJoin('management_keys as key', 'key.id', 'identity.management_key_id')
    .selectAll('key')
    .where('identity.issuer', '=', issuer)
    .where('identity.subject', '=', subject)
    .where('key.deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst()
}

export async function setKeyOfIdentity(
  db: Db,
  identity: Identity,
  managementKeyId: string,
): Promise<void> {
  await db
    .insertInto('console_identities')
    .values({ ...identity, management_key_id: managementKeyId })
    .onConflict((conflict) =>
      conflict.columns(['issuer', 'subject']).doUpdateSet({ management_key_id: managementKeyId }),
    )
    .execute()
}
