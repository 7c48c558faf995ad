import type { Db } from '@salus/kernel/postgres/database'
import type { ManagementKeyRow } from '../../teams/index.ts'

/** Users of an identity provider, each with the management key that holds their rights. */
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
 * Returns the key of a user, unless it was revoked. Other sign-ins of the same user wait until the
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
