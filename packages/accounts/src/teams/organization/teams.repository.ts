import { conflict } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { EnvironmentKind, RowScope } from '@salus/kernel/scope'
import { type ColumnType, type Generated, type Insertable, type Selectable, sql } from 'kysely'
import pg from 'pg'
import { PAGE_SIZE, type Position } from './creation-order.ts'
import type { StoredSettings } from './environment-settings.schema.ts'
import type { Region } from './teams.schema.ts'

interface OrganizationsTable {
  id: string
  name: string
  created_at: Date
  /** Whether users who sign in with a password need a second factor. */
  second_factor_required: Generated<boolean>
}

export interface TeamsTable {
  id: string
  organization_id: string
  name: string
  region: Region
  integration_team_id: string | null
  created_at: Date
  deleted_at: Date | null
}

export interface TeamEnvironmentsTable {
  id: string
  team_id: string
  environment: EnvironmentKind
  /** JSON, written as text. */
  settings: ColumnType<StoredSettings, string, string>
  clock_offset_seconds: Generated<number>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    organizations: OrganizationsTable
    teams: TeamsTable
    team_environments: TeamEnvironmentsTable
  }
}

export type OrganizationRow = Selectable<OrganizationsTable>
export type TeamRow = TeamsTable
export type EnvironmentRow = Selectable<TeamEnvironmentsTable>

export function insertOrganization(db: Db, organization: Insertable<OrganizationsTable>) {
  return db.insertInto('organizations').values(organization).execute()
}

export function findOrganization(
  db: Db,
  organizationId: string,
): Promise<OrganizationRow | undefined> {
  return db
    .selectFrom('organizations')
    .selectAll()
    .where('id', '=', organizationId)
    .executeTakeFirst()
}

/** Returns the organization that the first start created. */
export function findFirstOrganization(db: Db): Promise<OrganizationRow | undefined> {
  return db
    .selectFrom('organizations')
    .selectAll()
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

/** Lets one process at a time look for the first organization and create it. */
export function lockBootstrap(db: Db) {
  return sql`select pg_advisory_xact_lock(hashtextextended('salus:bootstrap', 0))`.execute(db)
}

/** Makes changes to the keys of an organization wait for each other until the transaction ends. */
export function lockOrganization(db: Db, organizationId: string) {
  return db
    .selectFrom('organizations')
    .select('id')
    .where('id', '=', organizationId)
    .forUpdate()
    .execute()
}

export function updateOrganization(
  db: Db,
  organizationId: string,
  changes: { name?: string; second_factor_required?: boolean },
): Promise<OrganizationRow | undefined> {
  return db
    .updateTable('organizations')
    .set(changes)
    .where('id', '=', organizationId)
    .returningAll()
    .executeTakeFirst()
}

/** The unique index decides who owns an id; its error becomes the 409 of the contract. */
function asTeamConflict(error: unknown): never {
  const constraint = error instanceof pg.DatabaseError ? error.constraint : undefined
  if (constraint === 'teams_integration_team_id') {
    throw conflict('integration_team_id_taken', 'Another team has this integration_team_id.')
  }
  if (constraint === 'teams_pkey') throw conflict('team_id_taken', 'This team id is in use.')
  throw error
}

/** @throws AppError 409 when the id or the integration_team_id is in use */
export function insertTeam(db: Db, team: TeamRow): Promise<TeamRow> {
  return db
    .insertInto('teams')
    .values(team)
    .returningAll()
    .executeTakeFirstOrThrow()
    .catch(asTeamConflict)
}

interface TeamFilter {
  /** null means every team. */
  teamIds: string[] | null
  teamId?: string
  regions?: Region[]
  search?: string
  after?: Position
}

/** Returns one row more than a page, the oldest first, without deleted teams. */
export function listTeams(db: Db, organizationId: string, filter: TeamFilter): Promise<TeamRow[]> {
  const { teamIds, teamId, regions, search, after } = filter
  let query = db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
  if (teamIds !== null) query = query.where('id', '=', sql<string>`any(${teamIds}::uuid[])`)
  if (teamId !== undefined) query = query.where('id', '=', teamId)
  if (regions !== undefined) query = query.where('region', 'in', regions)
  if (search !== undefined) {
    query = query.where(
      sql<boolean>`(strpos(lower(name), lower(${search})) > 0
        or id::text = lower(${search}) or integration_team_id = ${search})`,
    )
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

export function findTeam(
  db: Db,
  organizationId: string,
  teamId: string,
): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** Returns the oldest live team of an organization. */
export function findFirstTeam(db: Db, organizationId: string): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .limit(1)
    .executeTakeFirst()
}

export function findTeamByIntegrationId(
  db: Db,
  organizationId: string,
  integrationTeamId: string,
): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('integration_team_id', '=', integrationTeamId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** @throws AppError 409 when the integration_team_id is in use */
export function updateTeam(
  db: Db,
  organizationId: string,
  teamId: string,
  changes: { name?: string; integration_team_id?: string | null; deleted_at?: Date },
): Promise<TeamRow | undefined> {
  return db
    .updateTable('teams')
    .set(changes)
    .where('organization_id', '=', organizationId)
    .where('id', '=', teamId)
    .where('deleted_at', 'is', null)
    .returningAll()
    .executeTakeFirst()
    .catch(asTeamConflict)
}

export function insertEnvironments(
  db: Db,
  teamId: string,
  environments: { id: string; environment: EnvironmentKind; settings: StoredSettings }[],
): Promise<EnvironmentRow[]> {
  const rows = environments.map(({ settings, ...environment }) => ({
    ...environment,
    team_id: teamId,
    settings: JSON.stringify(settings),
  }))
  return db.insertInto('team_environments').values(rows).returningAll().execute()
}

export function listEnvironments(db: Db, teamId: string): Promise<EnvironmentRow[]> {
  return db.selectFrom('team_environments').selectAll().where('team_id', '=', teamId).execute()
}

/**
 * Lists environments as listEnvironments does, in an order that cannot deadlock, locked until the
 * transaction ends.
 */
export function lockEnvironments(db: Db, teamId: string): Promise<EnvironmentRow[]> {
  return db
    .selectFrom('team_environments')
    .selectAll()
    .where('team_id', '=', teamId)
    .orderBy('id')
    .forUpdate()
    .execute()
}

export function updateSettings(db: Db, environmentId: string, settings: StoredSettings) {
  return db
    .updateTable('team_environments')
    .set({ settings: JSON.stringify(settings) })
    .where('id', '=', environmentId)
    .execute()
}

/**
 * Advances the clock of an environment; a negative number sets it back. Returns by how many seconds
 * it is ahead now.
 */
export async function advanceEnvironment(
  { db, environment }: RowScope,
  seconds: number,
): Promise<number> {
  const row = await db
    .updateTable('team_environments')
    .set({ clock_offset_seconds: sql<number>`clock_offset_seconds + ${seconds}::integer` })
    .where('id', '=', environment.id)
    .returning('clock_offset_seconds')
    .executeTakeFirstOrThrow()
  return row.clock_offset_seconds
}
