import { Uuid } from '@salus/contracts/schema-types'
import { SERIES, type Series, sampleSchema } from '@salus/contracts/series'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { answerUnchanged, hasEnd, tagAnswerOf } from '../day-cache/index.ts'
import { FlatQuery, GroupedQuery, groupedSchema } from './timeseries.schema.ts'
import { readFlat, readGrouped } from './timeseries.service.ts'

interface TimeseriesConfig {
  baseUrl: string | undefined
  timeseriesPageSize: number
  legacyTimeseriesEnabled: boolean
}

const tags = ['Time series']
const ByUserId = Type.Object({ user_id: Uuid })

const sendJson = (reply: FastifyReply, body: Buffer) =>
  reply.type('application/json; charset=utf-8').send(body)

/** Registers a grouped read for each series, and the deprecated flat reads. */
export function registerTimeseriesRoutes(app: App, { config }: { config: TimeseriesConfig }): void {
  const isFoundByHandler = true
  const ofGrouped = answerUnchanged({
    isFoundByHandler,
    findParts: (request) =>
      hasEnd(request) && [baseUrlOf(request, config.baseUrl), config.timeseriesPageSize],
  })
  const ofFlat = answerUnchanged({
    isFoundByHandler,
    findParts: (request) => hasEnd(request) && [],
  })
  for (const series of SERIES) {
    app.get(
      `/v2/timeseries/:user_id/${series.name}/grouped`,
      {
        config: { appAccess: 'path', hasTag: true },
        schema: {
          tags,
          summary: `List ${series.name} grouped by source`,
          description: `Returns samples in ${series.unit} with one group for each source, in pages. ${series.meaning}`,
          deprecated: series.deprecated,
          params: ByUserId,
          querystring: GroupedQuery,
          response: { 200: groupedSchema(series) },
        },
        preHandler: ofGrouped,
      },
      async (request, reply) => {
        const { scope, params, query } = request
        const baseUrl = baseUrlOf(request, config.baseUrl)
        const tagAnswer = tagAnswerOf(request)
        const options = { baseUrl, pageSize: config.timeseriesPageSize, tagAnswer }
        return sendJson(reply, await readGrouped(scope, params.user_id, series, query, options))
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
        config: { appAccess: 'path', hasTag: true },
        schema: {
          tags,
          summary: `List ${path}`,
          description: 'Returns the samples as a flat list. Use the grouped read instead.',
          deprecated: true,
          params: ByUserId,
          querystring: FlatQuery,
          response: { 200: Type.Array(sampleSchema(series)) },
        },
        preHandler: ofFlat,
      },
      async (request, reply) => {
        const { scope, params, query } = request
        const [userId, tagAnswer] = [params.user_id, tagAnswerOf(request)]
        return sendJson(reply, await readFlat(scope, userId, series, sampleType, query, tagAnswer))
      },
    )
  }
}

/** Returns the flat paths of a series: its name and, for cholesterol, one for each type. */
function legacyPaths(series: Series): [path: string, sampleType: string][] {
  const typed = series.name === 'cholesterol' ? (series.types?.allowed ?? []) : []
  return [[series.name, ''], ...typed.map((type): [string, string] => [type, type])]
}
