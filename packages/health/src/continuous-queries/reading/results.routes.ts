import type { App } from '@salus/kernel/http/app-types'
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import Type from 'typebox'
import * as schema from '../continuous-queries.schema.ts'
import { readResultParquet, readResultTable, readTaskHistory } from './result-table.service.ts'

const tags = ['Continuous queries']
const JSON_TYPE = 'application/json'
const PARQUET_TYPE = 'application/vnd.apache.parquet'
const TABLE_TYPES = [JSON_TYPE, PARQUET_TYPE]
const TABLE_RESPONSE = {
  200: {
    description: 'Result table. Before the first evaluation it has no value columns.',
    content: {
      [JSON_TYPE]: { schema: schema.ResultTable },
      [PARQUET_TYPE]: { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
    },
  },
}
const BASE = '/aggregate/v1/user/:user_id/continuous_query/:query_id_or_slug'

/**
 * Routes of the results of continuous queries and of their evaluations
 * (docs/contract/09-aggregate.md#continuous-queries).
 */
export function registerContinuousQueryRoutes(app: App): void {
  const params = schema.OfUserAndQuery
  app.get(
    `${BASE}/result_table`,
    {
      config: { produces: TABLE_TYPES },
      schema: {
        operationId: 'getContinuousQueryResultTable',
        tags,
        summary: 'Get the result table of a user',
        description: `Returns the result table as JSON, or as one Parquet file (${PARQUET_TYPE}).`,
        params,
        response: TABLE_RESPONSE,
      },
    },
    async (request, reply) => {
      if (!wantsParquet(request)) return readResultTable(request.scope, request.params)
      const { file, sourceRule } = await readResultParquet(request.scope, request.params)
      return reply.header('x-source-rule', sourceRule).type(PARQUET_TYPE).send(file)
    },
  )
  app.get(
    `${BASE}/task_history`,
    {
      schema: {
        operationId: 'listContinuousQueryTasks',
        tags,
        summary: 'List the evaluations of a user',
        description:
          'Returns when the query was evaluated for the user, and the outcome of each evaluation, newest first.',
        params,
        querystring: schema.ListQuery,
        response: { 200: schema.TaskHistory },
      },
    },
    (request) => readTaskHistory(request.scope, request.params, request.query),
  )
}

const wantsParquet = (request: FastifyRequest): boolean =>
  new Negotiator(request.raw).mediaType(TABLE_TYPES) === PARQUET_TYPE
