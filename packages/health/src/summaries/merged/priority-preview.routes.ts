import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { PriorityPreview, PriorityPreviewInput } from './priority-preview.schema.ts'
import { previewPriorities } from './priority-preview.service.ts'

/** Registers the effect of source priorities on a day, before they are stored. */
export function registerPriorityPreviewRoutes(app: App): void {
  app.post(
    '/v2/user/:user_id/source_priorities/preview',
    {
      config: { isRead: true },
      schema: {
        operationId: 'previewSourcePriorities',
        tags: ['Source priorities'],
        summary: 'Preview source priorities',
        description:
          'Merges one local day of the user by the stored priorities and by those of the body, and returns both. Stores nothing.',
        params: Type.Object({ user_id: Uuid }),
        body: PriorityPreviewInput,
        'x-body-example': {
          resource: 'steps',
          date: '2026-02-01',
          source_priorities: [{ provider: 'oura', priority: 2, resource: 'steps' }],
        },
        response: { 200: PriorityPreview },
      },
    },
    ({ scope, params, body }) => previewPriorities(scope, params.user_id, body),
  )
}
