import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import {
  PersonResultQuery,
  PersonResults,
  ResultTrend,
  TrendQuery,
} from './result-history.schema.ts'
import { listPersonResults, showTrend } from './result-history.service.ts'

const tags = ['Results']
const params = Type.Object({ user_id: Uuid })

/** Results of a person over time (docs/contract/13-results.md#results-of-a-person). */
export function registerResultHistoryRoutes(app: App): void {
  app.get(
    '/v3/user/:user_id/result',
    {
      schema: {
        tags,
        summary: 'Results of a person',
        params,
        querystring: PersonResultQuery,
        response: { 200: PersonResults },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => listPersonResults(scope, userId, query),
  )

  app.get(
    '/v3/user/:user_id/result/trend',
    {
      schema: {
        tags,
        summary: 'One analyte of a person over time',
        params,
        querystring: TrendQuery,
        response: { 200: ResultTrend },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => showTrend(scope, userId, query),
  )
}
