import { Uuid } from '@salus/contracts/schema-types'
import { SERIES } from '@salus/contracts/series'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { answerUnchanged, hasEnd } from '../../day-cache/index.ts'
import { Chart, ChartList, ChartQuery } from './chart.schema.ts'
import { listCharts, readChart, readCharts } from './chart.service.ts'
import { hasChart } from './chart-lines.ts'
import { ChartAnswers, SeveralCharts } from './several-charts.schema.ts'

const tags = ['Time series']
const ByUserId = Type.Object({ user_id: Uuid })

/** Registers a chart for each numeric series, and the list of a user's charts. */
export function registerChartRoutes(app: App): void {
  const ofChart = answerUnchanged({
    isByPriority: true,
    findParts: (request) => hasEnd(request) && [],
  })
  app.get(
    '/v2/timeseries/:user_id/charts',
    {
      config: { appAccess: 'path', hasTag: true },
      schema: {
        operationId: 'listCharts',
        tags,
        summary: 'List the charts of a user',
        description:
          'Returns the numeric series of which the user has samples, with the times of the first and the last sample.',
        params: ByUserId,
        response: { 200: ChartList },
      },
      preHandler: answerUnchanged({ findParts: () => [] }),
    },
    ({ scope, params }) => listCharts(scope, params.user_id),
  )
  registerSeveralCharts(app)
  for (const series of SERIES) {
    if (!hasChart(series)) continue
    app.get(
      `/v2/timeseries/:user_id/${series.name}/chart`,
      {
        config: { appAccess: 'path', hasTag: true },
        schema: {
          tags,
          summary: `Get a chart of ${series.name}`,
          description: `Returns any time range in as many buckets as a screen shows. ${series.meaning}`,
          params: ByUserId,
          querystring: ChartQuery,
          response: { 200: Chart },
        },
        preHandler: ofChart,
      },
      ({ scope, params, query }) => readChart(scope, params.user_id, series, query),
    )
  }
}

/** One request for what a page shows, where each of many would wait for a connection. */
function registerSeveralCharts(app: App): void {
  app.post(
    '/v2/timeseries/:user_id/charts',
    {
      config: { appAccess: 'path', isRead: true },
      schema: {
        operationId: 'readCharts',
        tags,
        summary: 'Get several charts of a user',
        description:
          'Returns the charts that the body lists, in the same order. Each is what the request for its series returns.',
        params: ByUserId,
        body: SeveralCharts,
        'x-body-example': {
          charts: [
            { resource: 'heartrate', start_date: '2026-02-01', points: 500 },
            { resource: 'steps', start_date: '2026-02-01', points: 60 },
          ],
        },
        response: { 200: ChartAnswers },
      },
    },
    ({ scope, params, body }) => readCharts(scope, params.user_id, body),
  )
}
