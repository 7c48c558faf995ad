import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { RefreshQuery, UserRefreshed, UserRefreshFailed } from './user-refresh.schema.ts'
import { type RefreshDemos, refreshUser } from './user-refresh.service.ts'

/**
 * @param refreshDemos Brings a person's demo connections up to date, and says of which providers
 *   they are.
 */
export function registerUserRefreshRoutes(app: App, refreshDemos: RefreshDemos): void {
  app.post(
    '/v2/user/refresh/:user_id',
    {
      config: { appAccess: 'path' },
      schema: {
        operationId: 'refreshUser',
        tags: ['Users'],
        summary: "Pull a user's newest data",
        description:
          '200 when all connections are done in time, 202 when some go on, 400 when none could be refreshed.',
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
