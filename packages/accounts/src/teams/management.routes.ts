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
    { schema: { tags, summary: 'Get the organization', params: OrgParams, response } },
    ({ managementKey, params }) =>
      teams.getOrganization(db, callerFor(managementKey, params.org_id)),
  )
  app.patch(
    '/v1/org/:org_id',
    {
      schema: {
        tags,
        summary: 'Rename the organization',
        params: OrgParams,
        body: schema.OrganizationUpdate,
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
        tags,
        summary: 'List teams',
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
        tags,
        summary: 'Create a team with both environments',
        params: OrgParams,
        body: schema.TeamCreate,
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
        tags,
        summary: 'Find a team by its integration_team_id',
        params: OrgParams,
        body: schema.ResolveTeam,
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
        tags,
        summary: 'Get a team',
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
        tags,
        summary: 'Change a team or its settings',
        params: TeamParams,
        body: schema.TeamUpdate,
        response: { 200: schema.Team },
      },
    },
    ({ managementKey, params, body }) =>
      teams.updateTeam(deps, callerFor(managementKey, params.org_id), params.team_id, body),
  )
  app.delete(
    '/v1/org/:org_id/team/:team_id',
    {
      schema: { tags, summary: 'Delete a team', params: TeamParams, response: { 200: Success } },
    },
    ({ managementKey, params }) =>
      teams.deleteTeam(deps, callerFor(managementKey, params.org_id), params.team_id),
  )
}

function registerTeamKeyRoutes(app: App, deps: teams.ManagementDeps): void {
  const url = '/v1/org/:org_id/team_api_keys/:env/:region'
  app.get(
    url,
    {
      schema: {
        tags,
        summary: 'List team API keys, values masked',
        params: EnvironmentPathParams,
        querystring: Type.Object({ team_id: Type.Optional(Uuid), next_cursor: Cursor }),
        response: { 200: schema.TeamApiKeyList },
      },
    },
    ({ managementKey, params, query }) =>
      teamKeys.listTeamKeys(deps.db, callerFor(managementKey, params.org_id), params, query),
  )
  app.post(
    url,
    {
      schema: {
        tags,
        summary: 'Create a team API key; only this answer holds its value',
        params: EnvironmentPathParams,
        body: schema.TeamApiKeyCreate,
        response: { 200: schema.TeamApiKey },
      },
    },
    ({ managementKey, params, body }) =>
      teamKeys.createTeamKey(deps, callerFor(managementKey, params.org_id), params, body),
  )
  app.delete(
    url,
    {
      schema: {
        tags,
        summary: 'Revoke team API keys',
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
  for (const name of ['create_api_access_token', 'create_access_token']) {
    app.post(
      `/v1/org/:org_id/team/:team_id/${name}`,
      {
        schema: {
          tags,
          summary: 'Mint a team access token for ten minutes',
          params: TeamParams,
          body: schema.AccessTokenRequest,
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
