import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import { type ManagementKeyRow, PAGE_SIZE, type Position, type Role } from '../../teams/index.ts'
import type { UserStatus } from './organization-users.schema.ts'

/** Users belong to organizations, and not to environments. */

interface OrganizationUsersTable {
  id: string
  organization_id: string
  management_key_id: string
  /** In lower case. */
  email: string
  status: UserStatus
  password_hash: string | null
  /** Sealed; it counts from `totp_confirmed_at` on. */
  totp_secret: Buffer | null
  totp_confirmed_at: Date | null
  /** Step of the last code that was used. */
  totp_last_step: string | null
  created_at: Date
  last_sign_in_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    organization_users: OrganizationUsersTable
  }
}

export type OrganizationUserRow = Selectable<OrganizationUsersTable>

/** A user with name and rights, which are those of the key, and what they sign in with. */
export interface ListedUserRow extends OrganizationUserRow {
  name: string
  role: Role
  team_role_bindings: { team_id: string }[] | null
  environments: EnvironmentKind[] | null
  organization_name: string
  /** Whether the organization requires a second factor. */
  second_factor_required: boolean
  invitation_expires_at: Date | null
  /** Number of passkeys. */
  passkeys: number
}

/** Users with the names and rights of their keys, their invitations, and counts of passkeys. */
function usersWithKeys(db: Db) {
  return db
    .selectFrom('organization_users as member')
    .innerJoin('management_keys as key', 'key.id', 'member.management_key_id')
    .innerJoin('organizations as organization', 'organization.id', 'member.organization_id')
    .leftJoin(
      'organization_invitations as invitation',
      'invitation.organization_user_id',
      'member.id',
    )
    .selectAll('member')
    .select([
      'key.label as name',
      'key.role',
      'key.team_role_bindings',
      'key.environments',
      'organization.name as organization_name',
      'organization.second_factor_required',
      'invitation.expires_at as invitation_expires_at',
    ])
    .select(
      sql<number>`(select count(*)::int from console_passkeys as passkey
        where passkey.organization_user_id = member.id)`.as('passkeys'),
    )
}

interface UserFilter {
  email?: string
  /** Returns only users of these roles. */
  withinRoles: readonly Role[]
  /** Returns only users that are bound to these teams alone. */
  withinTeamIds?: string[]
  /** Returns only users that are limited to these environments. */
  withinEnvironments?: EnvironmentKind[]
  after?: Position
}

/** Returns one row more than a page, the oldest first. */
export function listUsers(
  db: Db,
  organizationId: string,
  { email, withinRoles, withinTeamIds, withinEnvironments, after }: UserFilter,
): Promise<ListedUserRow[]> {
  let query = usersWithKeys(db)
    .where('member.organization_id', '=', organizationId)
    .where('key.role', 'in', withinRoles)
  if (email !== undefined) query = query.where('member.email', '=', email)
  if (withinTeamIds !== undefined) {
    const bindings = JSON.stringify(withinTeamIds.map((team_id) => ({ team_id })))
    query = query.where(sql<boolean>`key.team_role_bindings <@ ${bindings}::jsonb`)
  }
  if (withinEnvironments !== undefined) {
    query = query.where(sql<boolean>`key.environments <@ ${withinEnvironments}::text[]`)
  }
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(member.created_at, member.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('member.created_at')
    .orderBy('member.id')
    .limit(PAGE_SIZE + 1)
    .execute()
}

export function findUser(
  db: Db,
  organizationId: string,
  userId: string,
): Promise<ListedUserRow | undefined> {
  return usersWithKeys(db)
    .where('member.organization_id', '=', organizationId)
    .where('member.id', '=', userId)
    .executeTakeFirst()
}

/** Returns the user who acts as a key; undefined for a key of a program. */
export function findUserByKey(db: Db, managementKeyId: string): Promise<ListedUserRow | undefined> {
  return usersWithKeys(db)
    .where('member.management_key_id', '=', managementKeyId)
    .executeTakeFirst()
}

/** Maximum number of organizations in which one e-mail address is looked for. */
const MOST_ORGANIZATIONS = 5

/** Returns the users with an e-mail address, at most one of each organization. */
export function listUsersByEmail(
  db: Db,
  email: string,
  organizationId: string | undefined,
): Promise<ListedUserRow[]> {
  let query = usersWithKeys(db).where('member.email', '=', email)
  if (organizationId !== undefined) {
    query = query.where('member.organization_id', '=', organizationId)
  }
  return query.orderBy('member.created_at').limit(MOST_ORGANIZATIONS).execute()
}

/** Whether an organization has a user who can sign in. */
export async function hasActiveUsers(db: Db): Promise<boolean> {
  const found = await db
    .selectFrom('organization_users')
    .select('id')
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Returns the key as which a user acts. */
export function getKeyOfUser(db: Db, managementKeyId: string): Promise<ManagementKeyRow> {
  return db
    .selectFrom('management_keys')
    .selectAll()
    .where('id', '=', managementKeyId)
    .executeTakeFirstOrThrow()
}

/** Inserts a user; undefined when the organization has one with the e-mail address. */
export async function insertUser(
  db: Db,
  user: Pick<
    OrganizationUserRow,
    'id' | 'organization_id' | 'management_key_id' | 'email' | 'status' | 'created_at'
  >,
): Promise<{ id: string } | undefined> {
  return db
    .insertInto('organization_users')
    .values({
      ...user,
      password_hash: null,
      totp_secret: null,
      totp_confirmed_at: null,
      totp_last_step: null,
      last_sign_in_at: null,
    })
    .onConflict((conflict) => conflict.columns(['organization_id', 'email']).doNothing())
    .returning('id')
    .executeTakeFirst()
}

type UserChanges = Partial<
  Pick<
    OrganizationUserRow,
    | 'status'
    | 'password_hash'
    | 'totp_secret'
    | 'totp_confirmed_at'
    | 'totp_last_step'
    | 'last_sign_in_at'
  >
>

export async function updateUser(db: Db, userId: string, changes: UserChanges): Promise<void> {
  await db.updateTable('organization_users').set(changes).where('id', '=', userId).execute()
}

/**
 * Uses the codes up to a step of time; false when one of that step or a later one was used before.
 */
export async function useTotpStep(db: Db, userId: string, step: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organization_users')
    .set({ totp_last_step: String(step) })
    .where('id', '=', userId)
    .where((where) =>
      where.or([where('totp_last_step', 'is', null), where('totp_last_step', '<', String(step))]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Deletes a user with invitations and factors. */
export async function deleteUser(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('organization_users').where('id', '=', userId).execute()
}
