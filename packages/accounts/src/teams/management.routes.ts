import { EXAMPLE_IDS } from '@salus/contracts/examples'
import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
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
 * Organization, teams, team keys, access tokens, management keys and pipelines
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
        description: 'The organization of the calling key.',
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
        summary: 'Rename the organization',
        description: 'Needs the role org_admin.',
        params: OrgParams,
        body: schema.OrganizationUpdate,
        'x-body-example': { name: 'Example Clinics' },
        response,
      },
    },
    ({ managementKey, params, body }) =>
      teams.renameOrganization(db, callerFor(managementKey, params.org_id), body),
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
        description: 'Those that the calling key may use, in pages.',
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
        description: 'Settings in the body count for both environments. Needs the role org_admin.',
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
        description: 'For operators who know teams by the ids of another system.',
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
        description: 'With the settings of the environments that are asked for.',
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
        description: 'Changes what the body names.',
        params: TeamParams,
        body: schema.TeamUpdate,
        'x-body-example': { name: 'Example Clinic', sandbox: { minor_ordering_enabled: true } },
        response: { 200: schema.Team },
      },
    },
    ({ managementKey, params, body }) =>
      teams.updateTeam(deps, callerFor(managementKey, params.org_id), params.team_id, body),
  )
  app.delete(
    '/v1/org/:org_id/team/:team_id',
    {
      schema: {
        operationId: 'deleteTeam',
        tags,
        summary: 'Delete a team',
        description: 'Its keys end at once. Needs the role org_admin.',
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
        summary: 'List team API keys, values masked',
        description: 'Returns the keys of one environment with masked values.',
        params: EnvironmentPathParams,
        querystring: Type.Object({ team_id: Type.Optional(Uuid), next_cursor: Cursor }),
        response: { 200: schema.TeamApiKeyList },
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
        summary: 'Create a team API key; only this answer holds its value',
        description:
          'Salus keeps only a hash of the value. To rotate a key, create one and then revoke the other.',
        params: EnvironmentPathParams,
        body: schema.TeamApiKeyCreate,
        'x-body-example': { label: 'Server', team_id: EXAMPLE_IDS.team },
        response: { 200: schema.TeamApiKey },
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
        description: 'Says of each id whether it was revoked, failed, or was not found.',
        params: EnvironmentPathParams,
        querystring: Type.Object({ api_key_id: Type.Array(Uuid, { minItems: 1, maxItems: 100 }) }),
        response: { 200: schema.DeletionReport },
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
  // The schema and the docs of the public interface write the path differently; both are accepted.
  const names = {
    create_api_access_token: {
      operationId: 'createTeamAccessToken',
      description:
        'A bearer token that works like a key of the team, or for one person, or only for reading.',
    },
    create_access_token: {
      operationId: 'createTeamAccessTokenAlias',
      description: 'The same as `createTeamAccessToken`, under a name that guides also use.',
    },
  }
  for (const [name, words] of Object.entries(names)) {
    app.post(
      `/v1/org/:org_id/team/:team_id/${name}`,
      {
        schema: {
          ...words,
          tags,
          summary: 'Mint a team access token for ten minutes',
          params: TeamParams,
          body: schema.AccessTokenRequest,
          'x-body-example': { env: 'sandbox' },
          response: { 200: schema.AccessToken },
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
