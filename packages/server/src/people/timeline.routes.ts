import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Timeline, TimelineQuery } from './timeline.schema.ts'
import { showTimeline } from './timeline.service.ts'

/** Registers the list of everything about a person. Its words are in no address, as in searches. */
export function registerTimelineRoutes(app: App): void {
  app.post(
    '/v2/user/:user_id/timeline',
    {
      config: { isRead: true, personIn: 'team' },
      schema: {
        operationId: 'listTimeline',
        tags: ['Users'],
        summary: 'List everything about a user',
        description:
          'Returns connections, synchronizations, imports, orders, appointments, results, lab reports, tasks, notes, exports and failed webhook messages of a user in one list, newest first. A page may have fewer items than its limit.',
        params: Type.Object({ user_id: Uuid }),
        body: TimelineQuery,
        'x-body-example': { query: 'ferritin', kinds: ['order', 'result'], limit: 20 },
        response: { 200: Timeline },
      },
    },
    ({ scope, params, body }) => showTimeline(scope, params.user_id, body),
  )
}
