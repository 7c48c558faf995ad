import Type from 'typebox'
import type { ClickHouse } from '../../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { Uuid } from '../../../platform/http/schema-types.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { Clock } from '../../../platform/time/clock.ts'
import { MergedActivity, MergedActivityQuery } from './merged-activity.schema.ts'
import { readMergedActivity } from './merged-activity.service.ts'

export interface MergedActivityRoutesOptions {
  db: Db
  clickhouse: ClickHouse
  clock: Clock
}

export function registerMergedActivityRoutes(
  app: App,
  { db, clickhouse, clock }: MergedActivityRoutesOptions,
): void {
  app.get(
    '/v2/summary/activity/:user_id/merged',
    {
      schema: {
        tags: ['Summaries'],
        summary: 'Read days of activity, all sources as one',
        description:
          'One object for each local day of the person. Dates only; a date-time is cut to its date.',
        params: Type.Object({ user_id: Uuid }),
        querystring: MergedActivityQuery,
        response: { 200: MergedActivity },
      },
    },
    (request) => {
      const context = { db, clickhouse, clock, environment: request.scope.environment }
      return readMergedActivity(context, request.params.user_id, request.query)
    },
  )
}
