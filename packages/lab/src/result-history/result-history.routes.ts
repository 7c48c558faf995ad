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

/**
 * Registers the routes for results of a person (docs/contract/13-results.md#results-of-a-person).
 */
export function registerResultHistoryRoutes(app: App): void {
  app.get(
    '/v3/user/:user_id/result',
    {
      config: { hasBodyTag: true },
      schema: {
        operationId: 'listPersonResults',
        tags,
        summary: 'List the results of a person',
        description:
          'Returns the results of orders and lab reports, newest first. Each order contributes its newest version.',
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
      config: { hasBodyTag: true },
      schema: {
        operationId: 'getResultTrend',
        tags,
        summary: 'Read the trend of an analyte of a person',
        description:
          'Returns the results of orders and lab reports that measure the same analyte as the code, by any method, in one unit. Mass and amount of substance are converted where laboratories agree on the molar mass: phosphate as phosphorus, urea nitrogen as nitrogen, hemoglobin as its subunits.',
        params,
        querystring: TrendQuery,
        response: { 200: ResultTrend },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => showTrend(scope, userId, query),
  )
}
