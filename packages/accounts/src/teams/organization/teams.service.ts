import { invalidInput, notFound } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import type { Db } from '@salus/kernel/postgres/database'
import { ENVIRONMENTS, type EnvironmentKind } from '@salus/kernel/scope'
import type { Clock } from '@salus/kernel/time/clock'
import { formatInstant } from '@salus/kernel/time/instants'
import { cutPage, readPosition } from './creation-order.ts'
import {
  DEFAULT_SETTINGS,
  type StoredSettings,
  type TeamEnvironment,
} from './environment-settings.schema.ts'
import { refuseUselessPrefixes } from './event-type-prefixes.ts'
import { refuseBadOrigins } from './link-origins.ts'
import {
  type ManagementKeyIdentity,
  mayUseEnvironment,
  mayUseTeam,
  refuseOtherEnvironments,
  requireOrgAdmin,
} from './management-access.ts'
import type { EnvironmentRow, OrganizationRow, TeamRow } from './teams.repository.ts'
import * as repository from './teams.repository.ts'
import type {
  Organization,
  OrganizationUpdate,
  Team,
  TeamCreate,
  TeamList,
  TeamListQuery,
  TeamUpdate,
} from './teams.schema.ts'

/** Dependencies of the rules of the management API. */
export interface ManagementDeps {
  db: Db
  clock: Clock
  /** Clears cached credentials; called after every commit that could change the access of one. */
  forgetCredentials: () => void
  /** Every event type that a team can receive. */
  eventTypes: readonly string[]
}

/** Returns stored settings with the defaults for those never set. */
export function toSettings(stored: StoredSettings): TeamEnvironment {
  const { patient_experience: _, ...settings } = stored
  return { ...DEFAULT_SETTINGS, ...settings }
}

function toOrganization({ second_factor_required, ...row }: OrganizationRow): Organization {
  return { id: row.id, name: row.name, expires_at: null, second_factor_required }
}

/** Returns the organization of the calling key. @throws AppError 404 when it no longer exists */
export async function getOrganization(
  db: Db,
  caller: ManagementKeyIdentity,
): Promise<Organization> {
  const row = await repository.findOrganization(db, caller.organizationId)
  if (row === undefined) throw notFound('Organization')
  return toOrganization(row)
}

/** Changes the name of the organization, or what its users need. @throws AppError 403, 404 */
export async function updateOrganization(
  db: Db,
  caller: ManagementKeyIdentity,
  { name, second_factor_required }: OrganizationUpdate,
): Promise<Organization> {
  requireOrgAdmin(caller)
  const changes = {
    ...(name !== undefined && { name }),
    ...(second_factor_required !== undefined && { second_factor_required }),
  }
  const row = await repository.updateOrganization(db, caller.organizationId, changes)
  if (row === undefined) throw notFound('Organization')
  return toOrganization(row)
}

/** Returns a page of the teams that the caller may use, the oldest first. */
export async function listTeams(
  db: Db,
  caller: ManagementKeyIdentity,
  query: TeamListQuery,
): Promise<TeamList> {
  const { team_id: teamId, region: regions, search_query: search } = query
  const scope = ['teams', caller.organizationId, teamId, regions, search]
  const { teamIds } = caller
  const after = readPosition(scope, query.next_cursor)
  const filter = { teamIds, teamId, regions, search, after }
  const rows = await repository.listTeams(db, caller.organizationId, filter)
  const { page, nextCursor } = cutPage(scope, rows)
  return { teams: page.map(toListedTeam), next_cursor: nextCursor }
}

function toListedTeam(row: TeamRow) {
  const { id, name, region, integration_team_id } = row
  return { id, name, created_on: formatInstant(row.created_at), region, integration_team_id }
}

function toTeam(
  row: TeamRow,
  environments: EnvironmentRow[],
  include: readonly EnvironmentKind[] = ENVIRONMENTS,
): Team {
  const settingsOf = (environment: EnvironmentKind): TeamEnvironment | null => {
    const found = environments.find((candidate) => candidate.environment === environment)
    return found && include.includes(environment) ? toSettings(found.settings) : null
  }
  return {
    ...toListedTeam(row),
    environments: ENVIRONMENTS.filter((name) => environments.some((e) => e.environment === name)),
    sandbox: settingsOf('sandbox'),
    production: settingsOf('production'),
  }
}

/**
 * Returns a live team that the caller may use.
 * @throws AppError 404 for an unknown or deleted team, one of another organization, and one that
 *   the key is not bound to
 */
export async function getTeamRow(
  db: Db,
  caller: ManagementKeyIdentity,
  teamId: string,
): Promise<TeamRow> {
  const row = mayUseTeam(caller, teamId)
    ? await repository.findTeam(db, caller.organizationId, teamId)
    : undefined
  if (row === undefined) throw notFound('Team')
  return row
}

/** Returns a team; settings of environments that are not included are null. */
export async function getTeam(
  db: Db,
  caller: ManagementKeyIdentity,
  teamId: string,
  include?: EnvironmentKind[],
): Promise<Team> {
  const row = await getTeamRow(db, caller, teamId)
  return toTeam(row, await listEnvironments(db, caller, row), include)
}

/** Returns the environments of a team that the caller may use. */
async function listEnvironments(db: Db, caller: ManagementKeyIdentity, { id }: TeamRow) {
  const environments = await repository.listEnvironments(db, id)
  return environments.filter(({ environment }) => mayUseEnvironment(caller, environment))
}

/** Returns the team and the id of one environment of it, under the same rules as getTeamRow. */
export async function getTeamEnvironment(
  db: Db,
  caller: ManagementKeyIdentity,
  teamId: string,
  environment: EnvironmentKind,
): Promise<{ team: TeamRow; environmentId: string }> {
  const team = await getTeamRow(db, caller, teamId)
  const environments = await listEnvironments(db, caller, team)
  const found = environments.find((candidate) => candidate.environment === environment)
  if (found === undefined) throw notFound('Environment')
  return { team, environmentId: found.id }
}

/** Returns the team with this id in the customer's own system. */
export async function resolveTeam(
  db: Db,
  caller: ManagementKeyIdentity,
  integrationTeamId: string,
): Promise<Team> {
  const { organizationId } = caller
  const row = await repository.findTeamByIntegrationId(db, organizationId, integrationTeamId)
  if (row === undefined || !mayUseTeam(caller, row.id)) throw notFound('Team')
  return toTeam(row, await listEnvironments(db, caller, row))
}

/**
 * Requires a logo: patients see the brand with its logo, so a company name without one is refused.
 */
function requireLogo(settings: StoredSettings, path: string[]): void {
  if (settings.brand_information && !settings.logo_url) {
    const message = 'Field required when brand_information has a company_name'
    throw invalidInput(['body', ...path, 'logo_url'], message, 'missing')
  }
}

interface NewTeam {
  id: string
  organizationId: string
  name: string
  region: TeamCreate['region']
  integrationTeamId: string | null
  createdAt: Date
  settings: StoredSettings
}

/** Stores a team with both environments. Call it in a transaction. */
export async function storeTeam(db: Db, team: NewTeam) {
  const row = await repository.insertTeam(db, {
    id: team.id,
    organization_id: team.organizationId,
    name: team.name,
    region: team.region,
    integration_team_id: team.integrationTeamId,
    created_at: team.createdAt,
    deleted_at: null,
  })
  const { settings } = team
  const wanted = ENVIRONMENTS.map((environment) => ({ id: newId(), environment, settings }))
  return { row, environments: await repository.insertEnvironments(db, row.id, wanted) }
}

/** Creates a team with both environments. @throws AppError 403, 409, 422 */
export async function createTeam(
  deps: ManagementDeps,
  caller: ManagementKeyIdentity,
  input: TeamCreate,
): Promise<Team> {
  const { db, clock } = deps
  requireOrgAdmin(caller)
  const { id, name, region, integration_team_id, ...settings } = input
  requireLogo(settings, [])
  refuseUselessPrefixes(deps, settings.event_type_prefixes)
  refuseBadOrigins(settings.link_origins)
  const team: NewTeam = {
    id: id ?? newId(),
    organizationId: caller.organizationId,
    name,
    region,
    integrationTeamId: integration_team_id ?? null,
    createdAt: clock.now(),
    settings,
  }
  const stored = await db.transaction().execute((transaction) => storeTeam(transaction, team))
  return toTeam(stored.row, stored.environments)
}

/**
 * Changes the fields that are given and keeps the rest, also inside the settings.
 * @throws AppError 404, 409, 422
 */
export async function updateTeam(
  deps: ManagementDeps,
  caller: ManagementKeyIdentity,
  teamId: string,
  changes: TeamUpdate,
): Promise<Team> {
  const { db, forgetCredentials } = deps
  for (const environment of ENVIRONMENTS) {
    refuseUselessPrefixes(deps, changes[environment]?.event_type_prefixes, [environment])
    refuseBadOrigins(changes[environment]?.link_origins, [environment])
  }
  const { name, integration_team_id } = changes
  const team = await db.transaction().execute(async (transaction) => {
    let row = await getTeamRow(transaction, caller, teamId)
    refuseOtherEnvironments(caller, changes)
    if (name !== undefined || integration_team_id !== undefined) {
      const columns = { name, integration_team_id }
      const updated = await repository.updateTeam(transaction, row.organization_id, row.id, columns)
      if (updated === undefined) throw notFound('Team')
      row = updated
    }
    const environments = await mergeSettings(transaction, row.id, changes)
    return toTeam(row, environments, caller.environments ?? undefined)
  })
  forgetCredentials()
  return team
}

async function mergeSettings(db: Db, teamId: string, changes: TeamUpdate) {
  const environments = await repository.lockEnvironments(db, teamId)
  for (const row of environments) {
    const change = changes[row.environment]
    if (!change) continue
    row.settings = { ...row.settings, ...change }
    requireLogo(row.settings, [row.environment])
    await repository.updateSettings(db, row.id, row.settings)
  }
  return environments
}

/** Deletes a team softly. Its keys and tokens stop at once, because each lookup checks the team. */
export async function deleteTeam(
  { db, clock, forgetCredentials }: ManagementDeps,
  caller: ManagementKeyIdentity,
  teamId: string,
): Promise<{ success: boolean }> {
  requireOrgAdmin(caller)
  const changes = { deleted_at: clock.now() }
  const row = await repository.updateTeam(db, caller.organizationId, teamId, changes)
  if (row === undefined) throw notFound('Team')
  forgetCredentials()
  return { success: true }
}
