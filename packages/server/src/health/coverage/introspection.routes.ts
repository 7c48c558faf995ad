import type { ClickHouse } from '../../platform/clickhouse/clickhouse.ts'
import type { App } from '../../platform/http/app-types.ts'
import type { Db } from '../../platform/postgres/database.ts'
import { HistoricalPulls, IntrospectionQuery } from './introspection.schema.ts'
import { listHistoricalPulls } from './introspection.service.ts'
import { ResourceStatisticsList } from './resource-statistics.schema.ts'
import { listResources } from './resource-statistics.service.ts'

export interface IntrospectionRoutesOptions {
  db: Db
  clickhouse: ClickHouse
}

export function registerIntrospectionRoutes(app: App, options: IntrospectionRoutesOptions): void {
  const { db, clickhouse } = options
  app.get(
    '/v2/introspect/historical_pull',
    {
      schema: {
        tags: ['Introspection'],
        summary: 'How far the history of connections has come',
        querystring: IntrospectionQuery,
        response: { 200: HistoricalPulls },
      },
    },
    (request) =>
      listHistoricalPulls(
        { db, clickhouse, environment: request.scope.environment },
        request.query,
      ),
  )
  app.get(
    '/v2/introspect/resources',
    {
      schema: {
        tags: ['Introspection'],
        summary: 'What connections have of each resource',
        querystring: IntrospectionQuery,
        response: { 200: ResourceStatisticsList },
      },
    },
    (request) =>
      listResources({ db, clickhouse, environment: request.scope.environment }, request.query),
  )
}
