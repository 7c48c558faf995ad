import type { Permission } from '@salus/kernel/http/permissions'
import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { EnvironmentKind } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { PAGE_SIZE, type Position } from '../organization/creation-order.ts'
import type { EnvironmentScope } from '../organization/environment-path.ts'
import type { StoredSettings } from '../organization/environment-settings.schema.ts'
import type { Role } from '../organization/roles.registry.ts'
import type { Region } from '../organization/teams.schema.ts'
import type { CredentialAccess } from './keys.schema.ts'

/** Limits of a credential. */
export interface LimitColumns {
  /** Id of the only user to whom it gives access. */
  user_id: string | null
  /** Whether it only reads. */
  access: CredentialAccess
  /** Null means all. */
  scopes: Permission[] | null
}

interface TeamApiKeysTable extends LimitColumns {
  id: string
  environment_id: string
  label: string
  key_hash: Buffer
  masked_value: string
  created_at: Date
  /** Time from which the key is not valid; null means never. */
  expires_at: Date | null
  /** Exact to the minute. */
  last_used_at: Date | null
  deleted_at: Date | null
}

export interface TeamAccessTokensTable extends LimitColumns {
  token_hash: Buffer
  environment_id: string
  management_key_id: string
  created_at: Date
  expires_at: Date
  /** Id of the session for which it was created; the token ends with it. */
  console_session_id: string | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    team_api_keys: TeamApiKeysTable
    team_access_tokens: TeamAccessTokensTable
  }
}

export type TeamKeyRow = TeamApiKeysTable
type NewTeamKey = Omit<TeamKeyRow, 'environment_id' | 'last_used_at' | 'deleted_at'>

/** A key of a list, with its team. */
export interface ListedTeamKey extends LimitColumns {
  id: string
  label: string
  masked_value: string
  team_id: string
  created_at: Date
  expires_at: Date | null
  last_used_at: Date | null
}

/** The environment of a credential. */
export interface EnvironmentRow {
  organization_id: string
  team_id: string
  environment_id: string
  environment: EnvironmentKind
  region: Region
  settings: StoredSettings
  clock_offset_seconds: number
}

export function insertTeamKey(db: Db, environmentId: string, key: NewTeamKey): Promise<TeamKeyRow> {
  return db
    .insertInto('team_api_keys')
    .values({ ...key, environment_id: environmentId, last_used_at: null, deleted_at: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the state of a key that was ever stored, deleted or not. */
export function findTeamKeyState(
  db: Db,
  keyHash: Buffer,
): Promise<{ key_deleted_at: Date | null; team_deleted_at: Date | null } | undefined> {
  return db
    .selectFrom('team_api_keys as key')
    .innerJoin('team_environments as environment', 'environment.id', 'key.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select(['key.deleted_at as key_deleted_at', 'team.deleted_at as team_deleted_at'])
    .where('key.key_hash', '=', keyHash)
    .executeTakeFirst()
}

/** Environments with their teams, without those of deleted teams. */
function liveEnvironments(db: Db) {
  return db
    .selectFrom('team_environments as environment')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .where('team.deleted_at', 'is', null)
}

const ENVIRONMENT_COLUMNS = [
  'team.organization_id',
  'team.id as team_id',
  'environment.id as environment_id',
  'environment.environment',
  'team.region',
  'environment.settings',
  'environment.clock_offset_seconds',
] as const

/**
 * Returns the environment of a key, with the limits of the key; undefined when key or team was
 * deleted, or it expired.
 */
export function findEnvironmentByKey(
  db: Db,
  keyHash: Buffer,
  now: Date,
): Promise<
  (EnvironmentRow & LimitColumns & { key_id: string; expires_at: Date | null }) | undefined
> {
  return liveEnvironments(db)
    .innerJoin('team_api_keys as key', 'key.environment_id', 'environment.id')
    .select([...ENVIRONMENT_COLUMNS, 'key.id as key_id', 'key.user_id', 'key.access'])
    .select(['key.scopes', 'key.expires_at'])
    .where('key.key_hash', '=', keyHash)
    .where('key.deleted_at', 'is', null)
    .where((where) =>
      where.or([where('key.expires_at', 'is', null), where('key.expires_at', '>', now)]),
    )
    .executeTakeFirst()
}

/** Stores the use of a key, unless a process stored one since `before`. */
export async function touchTeamKey(db: Db, keyId: string, at: Date, before: Date): Promise<void> {
  await db
    .updateTable('team_api_keys')
    .set({ last_used_at: at })
    .where('id', '=', keyId)
    .where((where) =>
      where.or([where('last_used_at', 'is', null), where('last_used_at', '<=', before)]),
    )
    .execute()
}

/** Returns an environment for work without a credential, such as a job. */
export function findEnvironmentById(
  db: Db,
  environmentId: string,
): Promise<EnvironmentRow | undefined> {
  return liveEnvironments(prepared(db))
    .select(ENVIRONMENT_COLUMNS)
    .where('environment.id', '=', environmentId)
    .executeTakeFirst()
}

type TokenRow = EnvironmentRow &
  LimitColumns & { expires_at: Date; management_key_id: string; role: Role }

/**
 * Returns the environment of a token, with the present role of the management key that created it.
 * A token ends after ten minutes, with its team, and with that key: when it is deleted, or no
 * longer bound to the team or the environment.
 */
export function findEnvironmentByToken(
  db: Db,
  tokenHash: Buffer,
  now: Date,
): Promise<TokenRow | undefined> {
  return liveEnvironments(db)
    .innerJoin('team_access_tokens as token', 'token.environment_id', 'environment.id')
    .innerJoin('management_keys as key', 'key.id', 'token.management_key_id')
    .select([
      ...ENVIRONMENT_COLUMNS,
      ...([
        'token.expires_at',
        'token.management_key_id',
        'token.user_id',
        'token.access',
        'token.scopes',
        'key.role',
      ] as const),
    ])
    .where('token.token_hash', '=', tokenHash)
    .where('token.expires_at', '>', now)
    .where('key.deleted_at', 'is', null)
    .where(
      sql<boolean>`(key.team_role_bindings is null or key.team_role_bindings
        @> jsonb_build_array(jsonb_build_object('team_id', team.id::text)))`,
    )
    .where(
      sql<boolean>`(key.environments is null or environment.environment = any(key.environments))`,
    )
    .executeTakeFirst()
}

/** Live environments of a scope, each with its team. */
export function environmentsInScope(db: Db, organizationId: string, scope: EnvironmentScope) {
  const { environment, region, teamIds } = scope
  const query = liveEnvironments(db)
    .where('team.organization_id', '=', organizationId)
    .where('team.region', '=', region)
    .where('environment.environment', '=', environment)
  return teamIds === null
    ? query
    : query.where('team.id', '=', sql<string>`any(${teamIds}::uuid[])`)
}

/** Returns one row more than a page, the oldest first. */
export function listTeamKeys(
  db: Db,
  organizationId: string,
  scope: EnvironmentScope,
  filter: { teamId?: string; after?: Position },
): Promise<ListedTeamKey[]> {
  let query = environmentsInScope(db, organizationId, scope)
    .innerJoin('team_api_keys as key', 'key.environment_id', 'environment.id')
    .select(['key.id', 'key.label', 'key.masked_value', 'team.id as team_id', 'key.created_at'])
    .select(['key.user_id', 'key.access', 'key.scopes', 'key.expires_at', 'key.last_used_at'])
    .where('key.deleted_at', 'is', null)
  if (filter.teamId !== undefined) query = query.where('team.id', '=', filter.teamId)
  const { after } = filter
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(key.created_at, key.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('key.created_at')
    .orderBy('key.id')
    .limit(PAGE_SIZE + 1)
    .execute()
}

/** Deletes those of the keys that are in scope and live, and returns their ids. */
export async function deleteTeamKeys(
  db: Db,
  organizationId: string,
  scope: EnvironmentScope,
  keyIds: string[],
  deletedAt: Date,
): Promise<string[]> {
  const environments = environmentsInScope(db, organizationId, scope).select('environment.id')
  const rows = await db
    .updateTable('team_api_keys')
    .set({ deleted_at: deletedAt })
    .where('id', '=', sql<string>`any(${keyIds}::uuid[])`)
    .where('deleted_at', 'is', null)
    .where('environment_id', 'in', environments)
    .returning('id')
    .execute()
  return rows.map((row) => row.id)
}

/** Whether the environment has the user, who was not deleted. */
export async function hasUser(db: Db, environmentId: string, userId: string): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('environment_id', '=', environmentId)
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  return row !== undefined
}
