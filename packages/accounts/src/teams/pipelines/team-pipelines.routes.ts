import { EXAMPLE_IDS } from '@salus/contracts/examples'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { EnvironmentPathParams } from '../organization/environment-path.ts'
import { callerFor } from '../organization/management-access.ts'
import { DeletionReport } from '../organization/teams.schema.ts'
import type { ManagementDeps } from '../organization/teams.service.ts'
import * as schema from './team-pipelines.schema.ts'
import * as pipelines from './team-pipelines.service.ts'

const tags = ['Management']
const URL = '/v1/org/:org_id/team_etl_pipelines/:env/:region'

/**
 * What of a team's events is sent, and where
 * (docs/contract/08-webhooks-and-events.md#etl-pipelines).
 */
export function registerTeamPipelineRoutes(app: App, deps: ManagementDeps): void {
  app.get(
    URL,
    {
      schema: {
        operationId: 'listTeamPipelines',
        tags,
        summary: 'List the pipelines of teams; every team has one',
        description: 'Returns which data of a team Salus sends as events, and how.',
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
        summary: 'Change the pipelines of teams, all or none',
        description: 'The same change for every team that the body names.',
        params: EnvironmentPathParams,
        body: schema.PipelineUpdate,
        'x-body-example': { team_ids: [EXAMPLE_IDS.team], push_historical_data: true },
        response: { 200: Type.Array(schema.Pipeline) },
      },
    },
    ({ managementKey, params, body }) =>
      pipelines.updatePipelines(deps, callerFor(managementKey, params.org_id), params, body),
  )
  app.delete(
    URL,
    {
      schema: {
        operationId: 'resetTeamPipelines',
        tags,
        summary: 'Give the pipelines of teams their default options back',
        description: 'For every team that the query names.',
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
