import Type from 'typebox'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { Uuid } from '../../../platform/http/schema-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { SERIES } from '../../series/index.ts'
import { mergeRuleOf } from './merge-series.ts'
import { MergedQuery, mergedSchema } from './merged.schema.ts'
import { readMerged } from './merged.service.ts'

export interface MergedRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
}

const ByUserId = Type.Object({ user_id: Uuid })

/** A merged read for each series that can be merged. */
export function registerMergedTimeseriesRoutes(
  app: App,
  { db, clickhouse, clock }: MergedRoutesOptions,
): void {
  for (const series of SERIES) {
    if (mergeRuleOf(series.name).kind === 'none') continue
    app.get(
      `/v2/timeseries/:user_id/${series.name}/merged`,
      {
        schema: {
          tags: ['Time series'],
          summary: `Read ${series.name}, all sources as one`,
          description: `${series.meaning} Each instant counts once, from the source that counts first.`,
          params: ByUserId,
          querystring: MergedQuery,
          response: { 200: mergedSchema(series) },
        },
      },
      (request) => {
        const context = { db, clickhouse, clock, environment: request.scope.environment }
        return readMerged(context, request.params.user_id, series, request.query)
      },
    )
  }
}
