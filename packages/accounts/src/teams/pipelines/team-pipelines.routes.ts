import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { DeletionReport } from '../keys/keys.schema.ts'
import { EnvironmentPathParams } from '../organization/environment-path.ts'
import { callerFor } from '../organization/management-access.ts'
import type { ManagementDeps } from '../organization/teams.service.ts'
import * as schema from './team-pipelines.schema.ts'
import * as pipelines from './team-pipelines.service.ts'

const tags = ['Management']
const URL = '/v1/org/:org_id/team_etl_pipelines/:env/:region'

/**
 * Registers the pipelines, which decide the events of a team that are sent, and their destination
 * (docs/contract/08-webhooks-and-events.md#etl-pipelines).
 */
export function registerTeamPipelineRoutes(app: App, deps: ManagementDeps): void {
  app.get(
    URL,
    {
      schema: {
        operationId: 'listTeamPipelines',
        tags,
        summary: 'List the pipelines of teams',
        description:
          'Returns the pipeline of each team: the data that Salus sends as events, and the destination. Every team has exactly one.',
        params: EnvironmentPathParams,
        querystring: schema.PipelineListQuery,
        response: { 200: schema.PipelineList },
      },
    },
    ({ managementKey, params, query }) =>
      pipelines.listPipelines(deps.db, callerFor(managementKey, params.org_id), params, query),
  )
  app.post(
    URL,
    {
      schema: {
        operationId: 'updateTeamPipelines',
        tags,
        summary: 'Change the pipelines of teams',
        description: 'Applies the same change to every team that the body names, to all or none.',
        params: EnvironmentPathParams,
        body: schema.PipelineUpdate,
        'x-body-example': { team_ids: [EXAMPLE_IDS.team], push_historical_data: true },
        response: { 200: Type.Array(schema.Pipeline) },
      },
    },
    ({ managementKey, params, body }) =>
      pipelines.updatePipelines(deps, callerFor(managementKey, params.org_id), params, body),
  )
  registerPipelineReset(app, deps)
}

function registerPipelineReset(app: App, deps: ManagementDeps): void {
  app.delete(
    URL,
    {
      schema: {
        operationId: 'resetTeamPipelines',
        tags,
        summary: 'Reset the pipelines of teams',
        description:
          'Restores the default options of the pipeline of every team that the query names.',
        params: EnvironmentPathParams,
        querystring: schema.PipelineReset,
        response: { 200: DeletionReport },
      },
    },
    ({ managementKey, params, query }) =>
      pipelines.resetPipelines(
        deps,
        callerFor(managementKey, params.org_id),
        params,
        query.team_id,
      ),
  )
}
