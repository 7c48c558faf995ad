import Type from 'typebox'
import type { FileStore } from '../../../platform/files/file-store.ts'
import type { App } from '../../../platform/http/app-types.ts'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '../../../platform/http/environment-path.ts'
import { Uuid } from '../../../platform/http/schema-types.ts'
import { UnmatchedResult } from './match-review.schema.ts'
import { handOverReview } from './resolve-review.service.ts'

/** What operators do with results that wait for them; among the routes of managed environments. */
export function registerMatchReviewOperatorRoutes(app: App, { files }: { files: FileStore }): void {
  app.post(
    `${ENVIRONMENT_PATH}/unmatched_result/:id/hand_over`,
    {
      schema: {
        tags: ['Unmatched results'],
        summary: 'Put a held result that waits for the operators before the team',
        params: Type.Object({ ...ENVIRONMENT_PARAMS, id: Uuid }),
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params }) => handOverReview({ ...scope, files }, params.id),
  )
}
