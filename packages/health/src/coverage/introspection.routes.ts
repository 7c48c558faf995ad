import type { App } from '@salus/kernel/http/app-types'
import { HistoricalPulls, IntrospectionQuery } from './introspection.schema.ts'
import { listHistoricalPulls } from './introspection.service.ts'
import { ResourceStatisticsList } from './resource-statistics.schema.ts'
import { listResources } from './resource-statistics.service.ts'

/** Routes with the state of historical pulls and the extent of the data of connections. */
export function registerIntrospectionRoutes(app: App): void {
  app.get(
    '/v2/introspect/historical_pull',
    {
      config: { personIn: 'query' },
      schema: {
        operationId: 'listHistoricalPulls',
        tags: ['Introspection'],
        summary: 'List the historical pulls of users',
        description:
          'Returns the state and the time range of each historical pull, by connection and resource.',
        querystring: IntrospectionQuery,
        response: { 200: HistoricalPulls },
      },
    },
    ({ scope, query }) => listHistoricalPulls(scope, query),
  )
  app.get(
    '/v2/introspect/resources',
    {
      config: { personIn: 'query' },
      schema: {
        operationId: 'listResourceStatistics',
        tags: ['Introspection'],
        summary: 'List the resource statistics of users',
        description:
          'Returns the number of objects and the times of the oldest and newest data, by connection and resource.',
        querystring: IntrospectionQuery,
        response: { 200: ResourceStatisticsList },
      },
    },
    ({ scope, query }) => listResources(scope, query),
  )
}
