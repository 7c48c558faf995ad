import { callerFor, DeletionReport, EnvironmentPathParams } from '@salus/accounts/teams'
import { Success, Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import * as pulls from './pull-preferences.schema.ts'
import * as preferences from './pull-preferences.service.ts'
import * as schema from './team-settings.schema.ts'
import * as settings from './team-settings.service.ts'

const tags = ['Management']

interface TeamSettingsOptions extends settings.TeamSettingsContext {
  config: { baseUrl: string | undefined }
}

/**
 * What a team settles about how its people are connected (docs/contract/01-conventions.md#team-settings). The scope
 * needs the hook that reads management keys.
 */
export function registerTeamSettingsRoutes(app: App, options: TeamSettingsOptions): void {
  registerScopeRequirementRoutes(app, options)
  registerCustomCredentialRoutes(app, options)
  registerPullPreferenceRoutes(app, options)
  app.post(
    '/v1/org/:org_id/prepare_team_custom_credentials/:env/:region',
    {
      config: { isRead: true },
      schema: {
        tags,
        summary: 'What an app of the team needs before it works',
        params: EnvironmentPathParams,
        body: schema.Preparation,
        response: { 200: schema.Preparations },
      },
    },
    (request) => {
      const { managementKey, params, body } = request
      const baseUrl = baseUrlOf(request, options.config.baseUrl)
      const caller = callerFor(managementKey, params.org_id)
      return settings.prepareCustomCredentials(options, caller, params, body, baseUrl)
    },
  )
}

function registerScopeRequirementRoutes(app: App, options: TeamSettingsOptions): void {
  const url = '/v1/org/:org_id/team/:team_id/scope_requirements'
  const params = Type.Object({ org_id: Uuid, team_id: Uuid })
  app.get(
    url,
    {
      schema: {
        tags,
        summary: 'Scopes that a team demands',
        params,
        querystring: schema.ScopeRequirementQuery,
        response: { 200: schema.ScopeRequirements },
      },
    },
    ({ managementKey, params, query }) =>
      settings.getScopeRequirements(
        options,
        callerFor(managementKey, params.org_id),
        params.team_id,
        query.provider,
      ),
  )
  app.post(
    url,
    {
      schema: {
        tags,
        summary: 'Change the scopes that a team demands',
        params,
        body: schema.ScopeRequirementUpdate,
        response: { 200: schema.ScopeRequirements },
      },
    },
    ({ managementKey, params, body }) =>
      settings.updateScopeRequirements(
        options,
        callerFor(managementKey, params.org_id),
        params.team_id,
        body,
      ),
  )
}

function registerCustomCredentialRoutes(app: App, options: TeamSettingsOptions): void {
  const url = '/v1/org/:org_id/team_custom_credentials/:env/:region'
  const params = EnvironmentPathParams
  app.get(
    url,
    {
      schema: {
        tags,
        summary: "List teams' own apps with providers",
        params,
        querystring: schema.CustomCredentialQuery,
        response: { 200: schema.CustomCredentialList },
      },
    },
    ({ managementKey: key, params, query }) =>
      settings.listCustomCredentials(options, callerFor(key, params.org_id), params, query),
  )
  app.post(
    url,
    {
      schema: {
        tags,
        summary: "Keep a team's own app with a provider",
        params,
        body: schema.CustomCredentialUpdate,
        response: { 200: schema.CustomCredential },
      },
    },
    ({ managementKey: key, params, body }) =>
      settings.putCustomCredential(options, callerFor(key, params.org_id), params, body),
  )
  app.delete(
    url,
    {
      schema: {
        tags,
        summary: "Forget teams' own apps",
        params,
        querystring: schema.CustomCredentialRemoval,
        response: { 200: DeletionReport },
      },
    },
    ({ managementKey, params, query }) =>
      settings.removeCustomCredentials(
        options,
        callerFor(managementKey, params.org_id),
        params,
        query.credential_id,
      ),
  )
}

function registerPullPreferenceRoutes(app: App, options: TeamSettingsOptions): void {
  const url = '/v1/org/:org_id/team_data_pull_preferences/:env/:region'
  const params = EnvironmentPathParams
  app.get(
    url,
    {
      schema: {
        tags,
        summary: 'List how much history teams want',
        params,
        querystring: pulls.PullPreferenceQuery,
        response: { 200: pulls.PullPreferenceList },
      },
    },
    ({ managementKey: key, params, query }) =>
      preferences.listDataPullPreferences(options, callerFor(key, params.org_id), params, query),
  )
  app.post(
    url,
    {
      schema: {
        tags,
        summary: 'Change how much history teams want',
        params,
        body: pulls.PullPreferenceUpdate,
        response: { 200: pulls.PullPreferenceList },
      },
    },
    ({ managementKey: key, params, body }) =>
      preferences.updateDataPullPreferences(options, callerFor(key, params.org_id), params, body),
  )
  app.delete(
    url,
    {
      schema: {
        tags,
        summary: 'Give teams the usual history back',
        params,
        querystring: pulls.PullPreferenceRemoval,
        response: { 200: Success },
      },
    },
    async ({ managementKey, params, query }) => {
      const caller = callerFor(managementKey, params.org_id)
      await preferences.resetDataPullPreferences(options, caller, params, query)
      return { success: true }
    },
  )
}
