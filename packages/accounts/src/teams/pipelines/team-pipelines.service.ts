import { type AppError, badRequest, notFound } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import type { DeletionReport } from '../keys/keys.schema.ts'
import { cutPage, readPosition } from '../organization/creation-order.ts'
import { type EnvironmentPath, scopeOf } from '../organization/environment-path.ts'
import type { StoredSettings } from '../organization/environment-settings.schema.ts'
import { refuseUselessPrefixes } from '../organization/event-type-prefixes.ts'
import {
  type ManagementKeyIdentity,
  mayUseEnvironment,
  mayUseTeam,
} from '../organization/management-access.ts'
import { type EnvironmentRow, updateSettings } from '../organization/teams.repository.ts'
import { getTeamRow, type ManagementDeps, toSettings } from '../organization/teams.service.ts'
import * as repository from './team-pipelines.repository.ts'
import type {
  Pipeline,
  PipelineList,
  PipelineListQuery,
  PipelineUpdate,
} from './team-pipelines.schema.ts'

const DESTINATION_NOT_AVAILABLE = badRequest(
  'destination_not_available',
  'Webhooks (svix) are the only destination of events and cannot be disabled.',
)
const RAW_DATA_NOT_AVAILABLE = badRequest(
  'raw_data_not_available',
  'The raw data of providers cannot be sent.',
)

/** Returns the settings of a team about its events; webhooks are the only destination. */
function toPipeline(teamId: string, stored: StoredSettings): Pipeline {
  const { push_historical_data, event_type_prefixes } = toSettings(stored)
  return {
    team_id: teamId,
    push_historical_data,
    provider_raw_data: false,
    preferences: { preferred: 'svix', enabled: ['svix'] },
    cloud_pubsub: null,
    rabbitmq: null,
    svix: {},
    azure_amqp: null,
    event_type_prefixes,
  }
}

/** Returns a page of the pipelines of the teams that the caller may use, the oldest team first. */
export async function listPipelines(
  db: Db,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  query: PipelineListQuery,
): Promise<PipelineList> {
  const { organizationId } = caller
  const { team_id: teamId } = query
  if (teamId !== undefined && (await getTeamRow(db, caller, teamId)).region !== path.region) {
    throw notFound('Team')
  }
  const cursorScope = ['team_etl_pipelines', organizationId, path.env, path.region, teamId]
  const after = readPosition(cursorScope, query.next_cursor)
  const filter = { teamId, after }
  const rows = await repository.listTeamSettings(db, organizationId, scopeOf(caller, path), filter)
  const { page, nextCursor } = cutPage(cursorScope, rows)
  const pipelines = page.map(({ id, settings }) => toPipeline(id, settings))
  return { pipelines, next_cursor: nextCursor }
}

/** Returns the reason to refuse a change; a change that is not possible is never ignored. */
function findRefusal(changes: PipelineUpdate): AppError | undefined {
  const { preferences, svix, cloud_pubsub, rabbitmq, azure_amqp } = changes
  const named = preferences ? [preferences.preferred, ...preferences.enabled] : []
  const isElsewhere = [cloud_pubsub, rabbitmq, azure_amqp].some((settings) => settings)
  if (isElsewhere || svix === null || named.some((name) => name !== 'svix')) {
    return DESTINATION_NOT_AVAILABLE
  }
  return changes.provider_raw_data ? RAW_DATA_NOT_AVAILABLE : undefined
}

const withoutRepeats = (ids: string[]): string[] => [...new Set(ids.map((id) => id.toLowerCase()))]

/** Locks and returns the environments of those of the teams that the caller may use. */
function lockEnvironments(
  db: Db,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  teamIds: string[],
): Promise<EnvironmentRow[]> {
  const isOpen = mayUseEnvironment(caller, path.env)
  const allowed = teamIds.filter((teamId) => isOpen && mayUseTeam(caller, teamId))
  const scope = { ...scopeOf(caller, path), teamIds: allowed }
  return repository.lockEnvironmentsInScope(db, caller.organizationId, scope)
}

/**
 * Applies changes to all the teams or to none, and answers in their order.
 * @throws AppError 400 `destination_not_available`, `raw_data_not_available`; 404
 */
export async function updatePipelines(
  deps: ManagementDeps,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  changes: PipelineUpdate,
): Promise<Pipeline[]> {
  const refusal = findRefusal(changes)
  if (refusal !== undefined) throw refusal
  const { db, forgetCredentials } = deps
  const { push_historical_data, event_type_prefixes } = changes
  refuseUselessPrefixes(deps, event_type_prefixes)
  const options: StoredSettings = {
    ...(push_historical_data !== undefined && { push_historical_data }),
    ...(event_type_prefixes !== undefined && { event_type_prefixes }),
  }
  const teamIds = withoutRepeats(changes.team_ids)
  const settings = new Map<string, StoredSettings>()
  await db.transaction().execute(async (transaction) => {
    const environments = await lockEnvironments(transaction, caller, path, teamIds)
    if (environments.length < teamIds.length) throw notFound('Team')
    for (const row of environments) {
      const changed = { ...row.settings, ...options }
      settings.set(row.team_id, changed)
      await updateSettings(transaction, row.id, changed)
    }
  })
  forgetCredentials()
  return teamIds.map((teamId) => toPipeline(teamId, settings.get(teamId) ?? {}))
}

/** Restores the default options. One transaction does it, so none fails alone. */
export async function resetPipelines(
  { db, forgetCredentials }: ManagementDeps,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  teamIds: string[],
): Promise<DeletionReport> {
  const wanted = withoutRepeats(teamIds)
  const reset = await db.transaction().execute(async (transaction) => {
    const environments = await lockEnvironments(transaction, caller, path, wanted)
    for (const row of environments) {
      const { push_historical_data: _, event_type_prefixes: __, ...kept } = row.settings
      await updateSettings(transaction, row.id, kept)
    }
    return environments.map((row) => row.team_id)
  })
  forgetCredentials()
  const success = wanted.filter((id) => reset.includes(id))
  return { success, failure: [], not_found: wanted.filter((id) => !reset.includes(id)) }
}
