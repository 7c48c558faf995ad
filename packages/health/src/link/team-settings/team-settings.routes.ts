import { callerFor, DeletionReport, EnvironmentPathParams } from '@salus/accounts/teams'
import { EXAMPLE_IDS } from '@salus/contracts/examples'
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
 * What a team settles about how its people are connected
 * (docs/contract/01-conventions.md#team-settings). The scope needs the hook that reads management
 * keys.
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
        operationId: 'prepareTeamCustomCredentials',
        tags,
        summary: 'What an app of the team needs before it works',
        description: 'What to enter in the form of the provider.',
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
        operationId: 'getScopeRequirements',
        tags,
        summary: 'Scopes that a team demands',
        description:
          'Scopes of providers without which the team wants no connection, and those it asks for besides.',
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
        operationId: 'updateScopeRequirements',
        tags,
        summary: 'Change the scopes that a team demands',
        description: 'Replaces those of the providers that the body names; null takes them away.',
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

const CUSTOM_CREDENTIALS = '/v1/org/:org_id/team_custom_credentials/:env/:region'

function registerCustomCredentialRoutes(app: App, options: TeamSettingsOptions): void {
  app.get(
    CUSTOM_CREDENTIALS,
    {
      schema: {
        operationId: 'listTeamCustomCredentials',
        tags,
        summary: "List teams' own apps with providers",
        description: 'Oldest first. Secrets are never shown, but their hashes are.',
        params: EnvironmentPathParams,
        querystring: schema.CustomCredentialQuery,
        response: { 200: schema.CustomCredentialList },
      },
    },
    ({ managementKey: key, params, query }) =>
      settings.listCustomCredentials(options, callerFor(key, params.org_id), params, query),
  )
  app.post(
    CUSTOM_CREDENTIALS,
    {
      schema: {
        operationId: 'putTeamCustomCredentials',
        tags,
        summary: "Keep a team's own app with a provider",
        description:
          'People of the team sign in with this app from now on. What is not named stays as it was.',
        params: EnvironmentPathParams,
        body: schema.CustomCredentialUpdate,
        response: { 200: schema.CustomCredential },
      },
    },
    ({ managementKey: key, params, body }) =>
      settings.putCustomCredential(options, callerFor(key, params.org_id), params, body),
  )
  registerCustomCredentialDeletion(app, options)
}

function registerCustomCredentialDeletion(app: App, options: TeamSettingsOptions): void {
  app.delete(
    CUSTOM_CREDENTIALS,
    {
      schema: {
        operationId: 'deleteTeamCustomCredentials',
        tags,
        summary: "Forget teams' own apps",
        description: 'Connections that were made with the app cannot be kept fresh without it.',
        params: EnvironmentPathParams,
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

const PULL_PREFERENCES = '/v1/org/:org_id/team_data_pull_preferences/:env/:region'

function registerPullPreferenceRoutes(app: App, options: TeamSettingsOptions): void {
  app.get(
    PULL_PREFERENCES,
    {
      schema: {
        operationId: 'listDataPullPreferences',
        tags,
        summary: 'List how much history teams want',
        description:
          'Days of history that are pulled of a new connection, of each provider and team.',
        params: EnvironmentPathParams,
        querystring: pulls.PullPreferenceQuery,
        response: { 200: pulls.PullPreferenceList },
      },
    },
    ({ managementKey: key, params, query }) =>
      preferences.listDataPullPreferences(options, callerFor(key, params.org_id), params, query),
  )
  app.post(
    PULL_PREFERENCES,
    {
      schema: {
        operationId: 'updateDataPullPreferences',
        tags,
        summary: 'Change how much history teams want',
        description:
          'The same change for every team that the body names; connections that exist stay as they are.',
        params: EnvironmentPathParams,
        body: pulls.PullPreferenceUpdate,
        'x-body-example': {
          team_ids: [EXAMPLE_IDS.team],
          providers: { oura: { default: { historical_days_to_pull: 30 } } },
        },
        response: { 200: pulls.PullPreferenceList },
      },
    },
    ({ managementKey: key, params, body }) =>
      preferences.updateDataPullPreferences(options, callerFor(key, params.org_id), params, body),
  )
  registerPullPreferenceReset(app, options)
}

function registerPullPreferenceReset(app: App, options: TeamSettingsOptions): void {
  app.delete(
    PULL_PREFERENCES,
    {
      schema: {
        operationId: 'resetDataPullPreferences',
        tags,
        summary: 'Give teams the usual history back',
        description: 'For every team that the query names, of all providers unless it names some.',
        params: EnvironmentPathParams,
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
