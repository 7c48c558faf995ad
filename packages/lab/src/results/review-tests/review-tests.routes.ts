import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import {
  UnmatchedResultTestAccepted,
  UnmatchedResultTestCaseList,
  UnmatchedResultTestCreate,
  UnmatchedResultTestRun,
} from './review-tests.schema.ts'
import { createReviewTest, listReviewTestCases, showReviewTest } from './review-tests.service.ts'

const tags = ['Unmatched results']
const IdempotencyKey = Type.Object({
  'x-idempotency-key': Type.String({ minLength: 1, maxLength: 255 }),
})

/** Trying the review queue out, in sandboxes. */
export function registerReviewTestRoutes(app: App): void {
  app.get(
    '/v3/unmatched_result_test/case',
    {
      schema: {
        operationId: 'listUnmatchedResultTestCases',
        tags,
        summary: 'Cases of unmatched results that a sandbox can try out',
        description: 'With the orders that each needs.',
        response: { 200: UnmatchedResultTestCaseList },
      },
    },
    async (request) => listReviewTestCases(request.scope.environment),
  )

  app.post(
    '/v3/unmatched_result_test',
    {
      schema: {
        operationId: 'createUnmatchedResultTest',
        tags,
        summary: 'Let an unmatched result come, in a sandbox',
        description: 'It happens in the background; ask for the run.',
        headers: IdempotencyKey,
        body: UnmatchedResultTestCreate,
        'x-body-example': { case: 'no_match', order_source: 'provided' },
        response: { 202: UnmatchedResultTestAccepted },
      },
    },
    async (request, reply) => {
      const key = request.headers['x-idempotency-key']
      return reply.code(202).send(await createReviewTest(request.scope, key, request.body))
    },
  )

  app.get(
    '/v3/unmatched_result_test/:run_id',
    {
      schema: {
        operationId: 'getUnmatchedResultTest',
        tags,
        summary: 'How far a test of unmatched results is',
        description: 'Once it has come, with the id of the unmatched result.',
        params: Type.Object({ run_id: Uuid }),
        response: { 200: UnmatchedResultTestRun },
      },
    },
    ({ scope, params }) => showReviewTest(scope, params.run_id),
  )
}
