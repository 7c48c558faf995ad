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
        operationId: 'listPersonResults',
        tags,
        summary: 'Results of a person',
        description:
          'Of orders and of reports that were read, newest first; the newest version of each order.',
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
        operationId: 'getResultTrend',
        tags,
        summary: 'One analyte of a person over time',
        description:
          'All results that measure the same as the code does, by whatever method, from orders and reports, in one unit. Mass and amount of substance become each other where laboratories agree on the weight: phosphate as phosphorus, urea nitrogen as nitrogen, hemoglobin as its subunits.',
        params,
        querystring: TrendQuery,
        response: { 200: ResultTrend },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => showTrend(scope, userId, query),
  )
}
