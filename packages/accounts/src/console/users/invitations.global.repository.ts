import type { Db } from '@salus/kernel/postgres/database'

/** Invitations are found by their code, before the organization is known. */

interface OrganizationInvitationsTable {
  code_hash: Buffer
  organization_user_id: string
  created_at: Date
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    organization_invitations: OrganizationInvitationsTable
  }
}

/** Stores the invitation of a user in place of an earlier one, whose code ends. */
export async function putInvitation(db: Db, invitation: OrganizationInvitationsTable) {
  const { organization_user_id: _, ...content } = invitation
  await db
    .insertInto('organization_invitations')
    .values(invitation)
    .onConflict((conflict) => conflict.column('organization_user_id').doUpdateSet(content))
    .execute()
}

/** Deletes the invitation of a user; false when there is none. */
export async function deleteInvitation(db: Db, userId: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('organization_invitations')
    .where('organization_user_id', '=', userId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Returns whom a code invites; undefined when it is unknown, was used or has expired. */
export function findInvited(db: Db, codeHash: Buffer, now: Date) {
  return db
    .selectFrom('organization_invitations as invitation')
    .innerJoin('organization_users as member', 'member.id', 'invitation.organization_user_id')
    .innerJoin('management_keys as key', 'key.id', 'member.management_key_id')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .select([
      'member.id',
      'member.organization_id',
      'member.management_key_id',
      'member.email',
      'member.status',
      'key.label as name',
      'organization.name as organization_name',
      'invitation.expires_at',
    ])
    .where('invitation.code_hash', '=', codeHash)
    .where('invitation.expires_at', '>', now)
    .where('member.status', '<>', 'suspended')
    .executeTakeFirst()
}

export type InvitedRow = NonNullable<Awaited<ReturnType<typeof findInvited>>>

/** Uses a code; false when another request was first. */
export async function takeInvitation(db: Db, codeHash: Buffer): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('organization_invitations')
    .where('code_hash', '=', codeHash)
    .executeTakeFirst()
  return numDeletedRows === 1n
}
