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

/** Registers the routes with which sandboxes try out the review queue. */
export function registerReviewTestRoutes(app: App): void {
  app.get(
    '/v3/unmatched_result_test/case',
    {
      schema: {
        operationId: 'listUnmatchedResultTestCases',
        tags,
        summary: 'List the test cases of unmatched results',
        description:
          'Returns the cases that a sandbox can simulate, with the orders that each requires.',
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
        summary: 'Simulate an unmatched result in a sandbox',
        description: 'Starts a test run in the background. Poll the run for its state.',
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
        summary: 'Read a test run of an unmatched result',
        description:
          'Returns the state of the run, and the id of the unmatched result when it was received.',
        params: Type.Object({ run_id: Uuid }),
        response: { 200: UnmatchedResultTestRun },
      },
    },
    ({ scope, params }) => showReviewTest(scope, params.run_id),
  )
}
