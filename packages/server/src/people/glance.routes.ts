import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import { baseUrlOf } from '@salus/kernel/http/base-url'
import Type from 'typebox'
import { Glance } from './glance.schema.ts'
import { showGlance } from './glance.service.ts'

interface GlanceOptions {
  config: { baseUrl: string | undefined; queryMaxSourceRows: number }
}

/** Registers the figures with which the page of a person begins. */
export function registerGlanceRoutes(app: App, { config }: GlanceOptions): void {
  app.get(
    '/v2/user/:user_id/glance',
    {
      schema: {
        operationId: 'getGlance',
        tags: ['Users'],
        summary: 'Get a person at a glance',
        description:
          'Returns the newest value of each figure, compared with the mean of the 28 days before, and the newest laboratory results. Sources are merged, and days are local to the person.',
        params: Type.Object({ user_id: Uuid }),
        response: { 200: Glance },
      },
    },
    (request) => {
      const { scope, params } = request
      return showGlance(scope, params.user_id, {
        baseUrl: baseUrlOf(request, config.baseUrl),
        maxSourceRows: config.queryMaxSourceRows,
      })
    },
  )
}
