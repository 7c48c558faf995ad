import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { Overview } from './overview.schema.ts'
import { Overviews } from './overview.service.ts'

/** Registers the overview of an environment, among the routes of managed environments. */
export function registerOverviewRoutes(app: App): void {
  const overviews = new Overviews()
  app.get(
    `${ENVIRONMENT_PATH}/overview`,
    {
      schema: {
        operationId: 'getOverview',
        tags: ['Operation'],
        summary: 'Get the overview of an environment',
        description:
          'Returns what waits for a person, the numbers of people, connections, orders and webhooks, and the numbers of each of the last 30 days. Apart from what waits, they are up to a minute old.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        response: { 200: Overview },
      },
    },
    ({ scope }) => overviews.get(scope),
  )
}
