import type { App } from '@salus/kernel/http/app-types'
import { HistoricalPulls, IntrospectionQuery } from './introspection.schema.ts'
import { listHistoricalPulls } from './introspection.service.ts'
import { ResourceStatisticsList } from './resource-statistics.schema.ts'
import { listResources } from './resource-statistics.service.ts'

/**
 * For teams who ask how connections are doing: how far history has come, and what is there of each
 * resource.
 */
export function registerIntrospectionRoutes(app: App): void {
  app.get(
    '/v2/introspect/historical_pull',
    {
      config: { personIn: 'query' },
      schema: {
        operationId: 'listHistoricalPulls',
        tags: ['Introspection'],
        summary: 'How far the history of connections has come',
        description:
          'For each connection and resource, whether its history has come, and from which time to which.',
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
        summary: 'What connections have of each resource',
        description:
          'For each connection and resource, how much has come, the oldest and the newest of it.',
        querystring: IntrospectionQuery,
        response: { 200: ResourceStatisticsList },
      },
    },
    ({ scope, query }) => listResources(scope, query),
  )
}
