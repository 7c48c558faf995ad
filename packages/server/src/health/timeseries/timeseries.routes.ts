import type { FastifyReply, FastifyRequest } from 'fastify'
import Type from 'typebox'
import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../platform/http/app-types.ts'
import { baseUrlOf } from '../../platform/http/base-url.ts'
import { Uuid } from '../../platform/http/schema-types.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { Clock } from '../../platform/time/clock.ts'
import { SERIES, type Series, sampleSchema } from '../series/index.ts'
import { FlatQuery, GroupedQuery, groupedSchema } from './timeseries.schema.ts'
import { readFlat, readGrouped, type TimeseriesContext } from './timeseries.service.ts'

export interface TimeseriesRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
  config: {
    baseUrl: string | undefined
    timeseriesPageSize: number
    legacyTimeseriesEnabled: boolean
  }
}

const tags = ['Time series']
const ByUserId = Type.Object({ user_id: Uuid })

const sendJson = (reply: FastifyReply, body: Buffer) =>
  reply.type('application/json; charset=utf-8').send(body)

/** A grouped read for each series, and the deprecated flat reads. */
export function registerTimeseriesRoutes(app: App, options: TimeseriesRoutesOptions): void {
  const { db, clickhouse, clock, config } = options
  const context = (request: FastifyRequest): TimeseriesContext => ({
    db,
    clickhouse,
    clock,
    environment: request.scope.environment,
    baseUrl: baseUrlOf(request, config.baseUrl),
    pageSize: config.timeseriesPageSize,
  })

  for (const series of SERIES) {
    app.get(
      `/v2/timeseries/:user_id/${series.name}/grouped`,
      {
        schema: {
          tags,
          summary: `Read ${series.name}, grouped by provider`,
          description: `${series.meaning} In ${series.unit}, one group for each source, in pages.`,
          deprecated: series.deprecated,
          params: ByUserId,
          querystring: GroupedQuery,
          response: { 200: groupedSchema(series) },
        },
      },
      async (request, reply) => {
        const { user_id } = request.params
        return sendJson(reply, await readGrouped(context(request), user_id, series, request.query))
      },
    )
    if (series.legacy && config.legacyTimeseriesEnabled) {
      for (const [path, sampleType] of legacyPaths(series)) addFlatRoute(path, series, sampleType)
    }
  }

  function addFlatRoute(path: string, series: Series, sampleType: string): void {
    app.get(
      `/v2/timeseries/:user_id/${path}`,
      {
        schema: {
          tags,
          summary: `Read ${path} as a flat list`,
          deprecated: true,
          params: ByUserId,
          querystring: FlatQuery,
          response: { 200: Type.Array(sampleSchema(series)) },
        },
      },
      async (request, reply) => {
        const { user_id } = request.params
        const body = await readFlat(context(request), user_id, series, sampleType, request.query)
        return sendJson(reply, body)
      },
    )
  }
}

/** The flat paths of a series: its name and, for cholesterol, one of each type. */
function legacyPaths(series: Series): [path: string, sampleType: string][] {
  const typed = series.name === 'cholesterol' ? (series.types?.allowed ?? []) : []
  return [[series.name, ''], ...typed.map((type): [string, string] => [type, type])]
}
