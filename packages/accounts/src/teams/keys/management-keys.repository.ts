import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { type ColumnType, type Selectable, sql } from 'kysely'
import { PAGE_SIZE, type Position } from '../organization/creation-order.ts'
import type { Role } from '../organization/roles.registry.ts'

export type TeamRoleBinding = { team_id: string }

interface ManagementKeysTable {
  id: string
  organization_id: string
  label: string
  role: Role
  /** JSON, written as text. */
  team_role_bindings: ColumnType<TeamRoleBinding[] | null, string | null, string | null>
  /** Null means both. */
  environments: EnvironmentKind[] | null
  creator: ColumnType<{ type: string; id?: string }, string, never>
  key_hash: Buffer
  created_at: Date
  deleted_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    management_keys: ManagementKeysTable
  }
}

export type ManagementKeyRow = Selectable<ManagementKeysTable>

/**
 * Kind of creator of keys of users who sign in by the OpenID Connect of the server: such a key has
 * no known secret.
 */
export const OPENID_CREATOR = 'openid_connect'
/** Kind of creator of the keys as which users of the organization act; they have no secret. */
export const USER_CREATOR = 'user'

/** Users of the organization are listed and changed as such, and not by their keys. */
const IS_NO_USER = sql<boolean>`creator ->> 'type' <> ${USER_CREATOR}`

type NewManagementKeyRow = Omit<ManagementKeyRow, 'organization_id' | 'deleted_at'>

function toJson(bindings: TeamRoleBinding[] | null): string | null {
  return bindings === null ? null : JSON.stringify(bindings)
}

export function insertManagementKey(
  db: Db,
  organizationId: string,
  key: NewManagementKeyRow,
): Promise<ManagementKeyRow> {
  return db
    .insertInto('management_keys')
    .values({
      ...key,
      organization_id: organizationId,
      team_role_bindings: toJson(key.team_role_bindings),
      creator: JSON.stringify(key.creator),
      deleted_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns a key by its hash, deleted or not. */
export function findManagementKeyByHash(
  db: Db,
  keyHash: Buffer,
): Promise<ManagementKeyRow | undefined> {
  return db
    .selectFrom('management_keys')
    .selectAll()
    .where('key_hash', '=', keyHash)
    .executeTakeFirst()
}

/** Returns a key of the organization that was not deleted, unless it is that of a user. */
export function findManagementKey(
  db: Db,
  organizationId: string,
  keyId: string,
): Promise<ManagementKeyRow | undefined> {
  return db
    .selectFrom('management_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .where('deleted_at', 'is', null)
    .where(IS_NO_USER)
    .executeTakeFirst()
}

/** Makes requests of one management key wait for each other until the transaction ends. */
export function lockManagementKey(db: Db, organizationId: string, keyId: string) {
  return db
    .selectFrom('management_keys')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .forUpdate()
    .execute()
}

interface ManagementKeyFilter {
  role?: Role
  /** Returns only keys whose bindings name this team. */
  teamId?: string
  /** Returns only keys of these roles. */
  withinRoles?: readonly Role[]
  /** Returns only keys that are bound to these teams alone. */
  withinTeamIds?: string[]
  /** Returns only keys that are limited to these environments. */
  withinEnvironments?: EnvironmentKind[]
  after?: Position
}

function bindingsOf(teamIds: string[]): string {
  return JSON.stringify(teamIds.map((teamId) => ({ team_id: teamId })))
}

/** Returns one row more than a page, the oldest first. */
export function listManagementKeys(
  db: Db,
  organizationId: string,
  filter: ManagementKeyFilter,
): Promise<ManagementKeyRow[]> {
  const { role, teamId, withinRoles, withinTeamIds, withinEnvironments, after } = filter
  let query = db
    .selectFrom('management_keys')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .where(IS_NO_USER)
  if (role !== undefined) query = query.where('role', '=', role)
  if (teamId !== undefined) {
    query = query.where(sql<boolean>`team_role_bindings @> ${bindingsOf([teamId])}::jsonb`)
  }
  if (withinRoles !== undefined) query = query.where('role', 'in', withinRoles)
  if (withinTeamIds !== undefined) {
    query = query.where(sql<boolean>`team_role_bindings <@ ${bindingsOf(withinTeamIds)}::jsonb`)
  }
  if (withinEnvironments !== undefined) {
    query = query.where(sql<boolean>`environments <@ ${withinEnvironments}::text[]`)
  }
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute()
}

/** Counts the org_admins: keys that have a secret, and active users of the organization. */
export async function countOrgAdmins(db: Db, organizationId: string): Promise<number> {
  const { count } = await db
    .selectFrom('management_keys as key')
    .leftJoin('organization_users as member', 'member.management_key_id', 'key.id')
    .select(sql<number>`count(*)::int`.as('count'))
    .where('key.organization_id', '=', organizationId)
    .where('key.role', '=', 'org_admin')
    .where('key.deleted_at', 'is', null)
    .where(
      sql<boolean>`coalesce(member.status = 'active',
        key.creator ->> 'type' not in (${OPENID_CREATOR}, ${USER_CREATOR}))`,
    )
    .executeTakeFirstOrThrow()
  return count
}

export function updateManagementKey(
  db: Db,
  organizationId: string,
  keyId: string,
  changes: {
    label: string
    team_role_bindings: TeamRoleBinding[] | null
    environments: EnvironmentKind[] | null
    role?: Role
  },
): Promise<ManagementKeyRow> {
  return db
    .updateTable('management_keys')
    .set({ ...changes, team_role_bindings: toJson(changes.team_role_bindings) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Marks a key as deleted; its row stays. */
export function deleteManagementKey(
  db: Db,
  organizationId: string,
  keyId: string,
  deletedAt: Date,
) {
  return db
    .updateTable('management_keys')
    .set({ deleted_at: deletedAt })
    .where('organization_id', '=', organizationId)
    .where('id', '=', keyId)
    .execute()
}
