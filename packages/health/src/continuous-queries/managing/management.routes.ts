import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import * as schema from '../continuous-queries.schema.ts'
import * as queries from './queries.service.ts'

const DAILY_STEPS = {
  select: [{ group_key: '*' }, { func: 'sum', arg: { timeseries: 'steps', field: 'value' } }],
  group_by: [{ date_trunc: { value: 1, unit: 'day' }, arg: { index: 'timeseries' } }],
}
const CONTINUOUS_QUERY = { slug: 'daily-steps', title: 'Daily steps', query: DAILY_STEPS }

const tags = ['Continuous queries']
const LIST = `${ENVIRONMENT_PATH}/continuous_query`
const ONE = `${LIST}/:query_id`

/**
 * Routes of continuous queries (docs/contract/09-aggregate.md#continuous-queries) in managed
 * environments.
 */
export function registerContinuousQueryManagementRoutes(app: App): void {
  registerCollection(app)
  registerValidation(app)
  registerSingle(app)
}

function registerCollection(app: App): void {
  const params = schema.InEnvironment
  app.get(
    LIST,
    {
      schema: {
        operationId: 'listContinuousQueries',
        tags,
        summary: 'List continuous queries',
        description:
          'Returns the continuous queries of an environment in pages, archived queries included.',
        params,
        querystring: schema.ListQuery,
        response: { 200: schema.ContinuousQueryList },
      },
    },
    async (request) => queries.listQueries(request.scope, request.query),
  )
  app.post(
    LIST,
    {
      schema: {
        operationId: 'createContinuousQuery',
        tags,
        summary: 'Create a continuous query',
        description:
          'Creates a continuous query. It is evaluated for every user a minute later, and then for each user whose data change.',
        params,
        querystring: schema.CreateQuery,
        body: schema.ContinuousQueryCreate,
        'x-body-example': CONTINUOUS_QUERY,
        response: { 200: schema.ContinuousQuery },
      },
    },
    async (request) => queries.createQuery(request.scope, request.query.query_type, request.body),
  )
}

function registerValidation(app: App): void {
  app.post(
    `${ENVIRONMENT_PATH}/validate_continuous_query`,
    {
      config: { isRead: true },
      schema: {
        operationId: 'validateContinuousQuery',
        tags,
        summary: 'Validate a continuous query',
        description:
          'Validates a query without creating it. Returns the columns of its results, or the errors of the query.',
        params: schema.InEnvironment,
        body: schema.ContinuousQueryCreate,
        'x-body-example': CONTINUOUS_QUERY,
        response: { 200: schema.QueryValidation },
      },
    },
    async (request) => {
      request.scope
      return queries.validateQuery(request.body)
    },
  )
}

function registerSingle(app: App): void {
  const params = schema.OfQuery
  app.patch(
    ONE,
    {
      schema: {
        operationId: 'updateContinuousQuery',
        tags,
        summary: 'Update a continuous query',
        description:
          'Changes the title or the schedule. The query itself cannot be changed; create another one instead.',
        params,
        body: schema.ContinuousQueryUpdate,
        'x-body-example': { title: 'Steps of each day' },
        response: { 200: schema.ContinuousQuery },
      },
    },
    async (request) => queries.updateQuery(request.scope, request.params.query_id, request.body),
  )
  app.delete(
    ONE,
    {
      schema: {
        operationId: 'archiveContinuousQuery',
        tags,
        summary: 'Archive a continuous query',
        description: 'Stops the evaluations of the query. Its results stay readable.',
        params,
        response: { 200: schema.ContinuousQuery },
      },
    },
    async (request) => queries.archiveQuery(request.scope, request.params.query_id),
  )
}
