import { EXAMPLE_IDS } from '@salus/contracts/examples'
import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import * as keys from './keys/keys.schema.ts'
import { registerManagementKeyRoutes } from './keys/management-keys.routes.ts'
import * as teamKeys from './keys/team-keys.service.ts'
import { EnvironmentPathParams } from './organization/environment-path.ts'
import { callerFor } from './organization/management-access.ts'
import * as schema from './organization/teams.schema.ts'
import * as teams from './organization/teams.service.ts'
import { registerTeamPipelineRoutes } from './pipelines/team-pipelines.routes.ts'

const tags = ['Management']
const OrgParams = Type.Object({ org_id: Uuid })
const TeamParams = Type.Object({ org_id: Uuid, team_id: Uuid })
const Cursor = Type.Optional(Type.String())

/**
 * Registers organization, teams, team keys, access tokens, management keys and pipelines
 * (docs/contract/01-conventions.md#management-api). The scope needs the hook of
 * createManagementAuthentication.
 */
export function registerManagementRoutes(app: App, deps: teams.ManagementDeps): void {
  registerOrganizationRoutes(app, deps)
  registerTeamCollectionRoutes(app, deps)
  registerSingleTeamRoutes(app, deps)
  registerTeamKeyRoutes(app, deps)
  registerAccessTokenRoutes(app, deps)
  registerManagementKeyRoutes(app, deps)
  registerTeamPipelineRoutes(app, deps)
}

function registerOrganizationRoutes(app: App, { db }: teams.ManagementDeps): void {
  const response = { 200: schema.Organization }
  app.get(
    '/v1/org/:org_id',
    {
      schema: {
        operationId: 'getOrganization',
        tags,
        summary: 'Get the organization',
        description: 'Returns the organization of the calling key.',
        params: OrgParams,
        response,
      },
    },
    ({ managementKey, params }) =>
      teams.getOrganization(db, callerFor(managementKey, params.org_id)),
  )
  app.patch(
    '/v1/org/:org_id',
    {
      schema: {
        operationId: 'updateOrganization',
        tags,
        summary: 'Change the organization',
        description: 'Changes the fields that the body contains. The role org_admin is required.',
        params: OrgParams,
        body: schema.OrganizationUpdate,
        'x-body-example': { name: 'Example Clinics' },
        response,
      },
    },
    ({ managementKey, params, body }) =>
      teams.updateOrganization(db, callerFor(managementKey, params.org_id), body),
  )
}

function registerTeamCollectionRoutes(app: App, deps: teams.ManagementDeps): void {
  app.get(
    '/v1/org/:org_id/team',
    {
      schema: {
        operationId: 'listTeams',
        tags,
        summary: 'List teams',
        description: 'Returns the teams that the calling key may use, in pages.',
        params: OrgParams,
        querystring: schema.TeamListQuery,
        response: { 200: schema.TeamList },
      },
    },
    ({ managementKey, params, query }) =>
      teams.listTeams(deps.db, callerFor(managementKey, params.org_id), query),
  )
  app.post(
    '/v1/org/:org_id/team',
    {
      schema: {
        operationId: 'createTeam',
        tags,
        summary: 'Create a team with both environments',
        description:
          'Creates a team. Settings in the body apply to both environments. The role org_admin is required.',
        params: OrgParams,
        body: schema.TeamCreate,
        'x-body-example': { name: 'Example Clinic', region: 'us' },
        response: { 200: schema.Team },
      },
    },
    ({ managementKey, params, body }) =>
      teams.createTeam(deps, callerFor(managementKey, params.org_id), body),
  )
  app.post(
    '/v1/org/:org_id/resolve_team',
    {
      schema: {
        operationId: 'resolveTeam',
        tags,
        summary: 'Find a team by its integration_team_id',
        description: 'Returns the team that has this id of another system.',
        params: OrgParams,
        body: schema.ResolveTeam,
        'x-body-example': { integration_team_id: 'clinic-7' },
        response: { 200: schema.Team },
      },
    },
    ({ managementKey, params, body }) =>
      teams.resolveTeam(deps.db, callerFor(managementKey, params.org_id), body.integration_team_id),
  )
}

function registerSingleTeamRoutes(app: App, deps: teams.ManagementDeps): void {
  app.get(
    '/v1/org/:org_id/team/:team_id',
    {
      schema: {
        operationId: 'getTeam',
        tags,
        summary: 'Get a team',
        description: 'Returns the team with the settings of the environments that the query names.',
        params: TeamParams,
        querystring: schema.TeamQuery,
        response: { 200: schema.Team },
      },
    },
    ({ managementKey, params, query }) =>
      teams.getTeam(
        deps.db,
        callerFor(managementKey, params.org_id),
        params.team_id,
        query.include_environment,
      ),
  )
  app.patch(
    '/v1/org/:org_id/team/:team_id',
    {
      schema: {
        operationId: 'updateTeam',
        tags,
        summary: 'Change a team or its settings',
        description: 'Changes the fields that the body contains.',
        params: TeamParams,
        body: schema.TeamUpdate,
        'x-body-example': { name: 'Example Clinic', sandbox: { minor_ordering_enabled: true } },
        response: { 200: schema.Team },
      },
    },
    ({ managementKey, params, body }) =>
      teams.updateTeam(deps, callerFor(managementKey, params.org_id), params.team_id, body),
  )
  registerTeamDeletionRoute(app, deps)
}

function registerTeamDeletionRoute(app: App, deps: teams.ManagementDeps): void {
  app.delete(
    '/v1/org/:org_id/team/:team_id',
    {
      schema: {
        operationId: 'deleteTeam',
        tags,
        summary: 'Delete a team',
        description:
          'Deletes the team and revokes its keys with immediate effect. The role org_admin is required.',
        params: TeamParams,
        response: { 200: Success },
      },
    },
    ({ managementKey, params }) =>
      teams.deleteTeam(deps, callerFor(managementKey, params.org_id), params.team_id),
  )
}

const TEAM_KEYS = '/v1/org/:org_id/team_api_keys/:env/:region'

function registerTeamKeyRoutes(app: App, deps: teams.ManagementDeps): void {
  app.get(
    TEAM_KEYS,
    {
      schema: {
        operationId: 'listTeamApiKeys',
        tags,
        summary: 'List team API keys',
        description: 'Returns the keys of one environment with masked values.',
        params: EnvironmentPathParams,
        querystring: Type.Object({ team_id: Type.Optional(Uuid), next_cursor: Cursor }),
        response: { 200: keys.TeamApiKeyList },
      },
    },
    ({ managementKey, params, query }) =>
      teamKeys.listTeamKeys(deps.db, callerFor(managementKey, params.org_id), params, query),
  )
  app.post(
    TEAM_KEYS,
    {
      schema: {
        operationId: 'createTeamApiKey',
        tags,
        summary: 'Create a team API key',
        description:
          'Creates a key. Only this answer contains its value, because Salus stores only a hash of it. To rotate a key, create a new one and then revoke the old one.',
        params: EnvironmentPathParams,
        body: keys.TeamApiKeyCreate,
        'x-body-example': { label: 'Server', team_id: EXAMPLE_IDS.team },
        response: { 200: keys.TeamApiKey },
      },
    },
    ({ managementKey, params, body }) =>
      teamKeys.createTeamKey(deps, callerFor(managementKey, params.org_id), params, body),
  )
  registerTeamKeyDeletion(app, deps)
}

function registerTeamKeyDeletion(app: App, deps: teams.ManagementDeps): void {
  app.delete(
    TEAM_KEYS,
    {
      schema: {
        operationId: 'revokeTeamApiKeys',
        tags,
        summary: 'Revoke team API keys',
        description:
          'Revokes the keys, and returns for each id whether it was revoked, failed, or was not found.',
        params: EnvironmentPathParams,
        querystring: Type.Object({ api_key_id: Type.Array(Uuid, { minItems: 1, maxItems: 100 }) }),
        response: { 200: keys.DeletionReport },
      },
    },
    ({ managementKey, params, query }) =>
      teamKeys.deleteTeamKeys(
        deps,
        callerFor(managementKey, params.org_id),
        params,
        query.api_key_id,
      ),
  )
}

function registerAccessTokenRoutes(app: App, deps: teams.ManagementDeps): void {
  // The schema and the docs of the public interface have different paths; both are accepted.
  const names = {
    create_api_access_token: {
      operationId: 'createTeamAccessToken',
      description:
        'Creates a bearer token that is valid for ten minutes. It works like a key of the team, and can be limited to one user or to reading.',
    },
    create_access_token: {
      operationId: 'createTeamAccessTokenAlias',
      description:
        'Creates a bearer token, as `createTeamAccessToken` does, under a path that guides also use.',
    },
  }
  for (const [name, words] of Object.entries(names)) {
    app.post(
      `/v1/org/:org_id/team/:team_id/${name}`,
      {
        schema: {
          ...words,
          tags,
          summary: 'Create a team access token',
          params: TeamParams,
          body: keys.AccessTokenRequest,
          'x-body-example': { env: 'sandbox' },
          response: { 200: keys.AccessToken },
        },
      },
      ({ managementKey, params, body }) =>
        teamKeys.createAccessToken(
          deps,
          callerFor(managementKey, params.org_id),
          params.team_id,
          body,
        ),
    )
  }
}
