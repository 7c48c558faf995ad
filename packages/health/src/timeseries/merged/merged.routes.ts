import { Uuid } from '@salus/contracts/schema-types'
import { SERIES } from '@salus/contracts/series'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { answerUnchanged, hasEnd } from '../../day-cache/index.ts'
import { MergedQuery, mergedSchema } from './merged.schema.ts'
import { readMerged } from './merged.service.ts'

const ByUserId = Type.Object({ user_id: Uuid })

/** Registers a merged read for each series that can be merged. */
export function registerMergedTimeseriesRoutes(app: App): void {
  const preHandler = answerUnchanged({
    isByPriority: true,
    findParts: (request) => hasEnd(request) && [],
  })
  for (const series of SERIES) {
    if (series.merge.kind === 'none') continue
    app.get(
      `/v2/timeseries/:user_id/${series.name}/merged`,
      {
        config: { appAccess: 'path', hasTag: true },
        schema: {
          tags: ['Time series'],
          summary: `List merged ${series.name}`,
          description: `Returns slots in which each instant counts once, from the source with the highest priority. ${series.meaning}`,
          params: ByUserId,
          querystring: MergedQuery,
          response: { 200: mergedSchema(series) },
        },
        preHandler,
      },
      ({ scope, params, query }) => readMerged(scope, params.user_id, series, query),
    )
  }
}
