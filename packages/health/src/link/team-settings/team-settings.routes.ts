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
 * Registers the settings of a team for connections (docs/contract/01-conventions.md#team-settings).
 * They need the hook that reads management keys.
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
        summary: "Get the setup values of a team's OAuth app",
        description: 'Returns the values to enter in the developer console of the provider.',
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
        summary: 'Get the required scopes of a team',
        description:
          'Returns the scopes that a user must grant to be connected and the optional scopes that are requested, by provider.',
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
        summary: 'Update the required scopes of a team',
        description: 'Replaces the scopes of the providers in the body. A null removes them.',
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
        summary: 'List the provider apps of teams',
        description:
          'Returns the OAuth apps that teams registered with providers, oldest first. A secret is represented by its hash.',
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
        summary: 'Store the provider app of a team',
        description:
          'Stores the OAuth app of a team. New sign-ins use this app. Omitted fields keep their values.',
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
        summary: 'Delete provider apps of teams',
        description:
          'Deletes the apps. Connections that were made with a deleted app cannot be refreshed.',
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
        summary: 'List the history preferences of teams',
        description:
          'Returns the number of days of history that are pulled for a new connection, by team and provider.',
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
        summary: 'Update the history preferences of teams',
        description:
          'Applies the same change to every team in the body. Existing connections are not affected.',
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
        summary: 'Reset the history preferences of teams',
        description:
          'Resets the preferences of the teams in the query for all providers, or for the providers that the query names.',
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
