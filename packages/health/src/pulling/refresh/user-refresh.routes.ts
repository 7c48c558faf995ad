import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { RefreshQuery, UserRefreshed, UserRefreshFailed } from './user-refresh.schema.ts'
import { type RefreshDemos, refreshUser } from './user-refresh.service.ts'

/** @param refreshDemos Extends a user's demo connections, and returns their providers. */
export function registerUserRefreshRoutes(app: App, refreshDemos: RefreshDemos): void {
  app.post(
    '/v2/user/refresh/:user_id',
    {
      config: { appAccess: 'path' },
      schema: {
        operationId: 'refreshUser',
        tags: ['Users'],
        summary: 'Refresh the data of a user',
        description:
          'Pulls the newest data from all connections of the user. Responds with 200 when all connections are done, 202 when some are still in progress, and 400 when none could be refreshed.',
        params: Type.Object({ user_id: Uuid }),
        querystring: RefreshQuery,
        response: { 200: UserRefreshed, 202: UserRefreshed, 400: UserRefreshFailed },
      },
    },
    async ({ scope, params, query }, reply) => {
      const { status, body } = await refreshUser(scope, params.user_id, query.timeout, refreshDemos)
      return reply.code(status).send(body)
    },
  )
}
