import { EXAMPLE_IDS } from '@salus/contracts/examples'
import { Nullable, Uuid } from '@salus/contracts/schema-types'
import type { FileStore } from '@salus/kernel/files/file-store'
import type { App } from '@salus/kernel/http/app-types'
import { ENVIRONMENT_PARAMS, ENVIRONMENT_PATH } from '@salus/kernel/http/environment-path'
import Type from 'typebox'
import { Order } from '../../orders/index.ts'
import { acceptReview } from './accept-review.service.ts'
import {
  AcceptUnmatchedResult,
  OperatorUnmatchedQuery,
  ResolveUnmatchedResult,
  UnmatchedResult,
  UnmatchedResultList,
  UnmatchedResultQuery,
} from './match-review.schema.ts'
import { handOverReview, resolveReview } from './resolve-review.service.ts'
import { listForOperators, listReviews, showReview } from './show-reviews.service.ts'
import { undoReview } from './undo-review.service.ts'

const tags = ['Unmatched results']
const OfResult = Type.Object({ raw_result_id: Uuid })
const ONE = '/v3/unmatched_result/:raw_result_id'

/**
 * The queue of results that match no order safely (docs/contract/13-results.md#unmatched-results).
 */
export function registerMatchReviewRoutes(app: App, files: FileStore): void {
  app.get(
    '/v3/unmatched_result',
    {
      schema: {
        operationId: 'listUnmatchedResults',
        tags,
        summary: 'Results that match no order safely',
        description:
          'In pages, by state, reason, laboratory, time, or the patient that the laboratory names.',
        querystring: UnmatchedResultQuery,
        response: { 200: UnmatchedResultList },
      },
    },
    ({ scope, query }) => listReviews(scope, query),
  )

  app.get(
    ONE,
    {
      schema: {
        operationId: 'getUnmatchedResult',
        tags,
        summary: 'A result that matches no order safely',
        description: 'With the orders that it may belong to, and what speaks for each.',
        params: OfResult,
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params }) => showReview(scope, params.raw_result_id),
  )

  registerDecisions(app, files)
}

function registerDecisions(app: App, files: FileStore): void {
  app.post(
    `${ONE}/accept`,
    {
      schema: {
        operationId: 'acceptUnmatchedResult',
        tags,
        summary: 'Attach the result to an order',
        description:
          'Answers the order that has it now: the one that is named, or a new one where that cannot take it.',
        params: OfResult,
        body: Nullable(AcceptUnmatchedResult),
        'x-body-example': { user_id: EXAMPLE_IDS.user, order_id: EXAMPLE_IDS.order },
        response: { 200: Order },
      },
    },
    ({ scope, params, body }) =>
      acceptReview({ ...scope, files }, params.raw_result_id, body ?? {}),
  )

  app.post(
    `${ONE}/resolve`,
    {
      schema: {
        operationId: 'resolveUnmatchedResult',
        tags,
        summary: 'Reject the result, or leave it to the operators',
        description: 'A rejected result is kept, and can be taken up again for a while.',
        params: OfResult,
        body: ResolveUnmatchedResult,
        'x-body-example': { action: 'reject', note: 'Not a patient of ours.' },
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params, body }) => resolveReview(scope, params.raw_result_id, body),
  )

  app.post(
    `${ONE}/undo`,
    {
      schema: {
        operationId: 'undoUnmatchedResult',
        tags,
        summary: 'Take an accept or a reject back',
        description: 'For as long as nothing came after it; the result waits for a decision again.',
        params: OfResult,
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params }) => undoReview({ ...scope, files }, params.raw_result_id),
  )
}

/** What operators do with results that wait for them; among the routes of managed environments. */
export function registerMatchReviewOperatorRoutes(app: App): void {
  app.get(
    `${ENVIRONMENT_PATH}/unmatched_result`,
    {
      schema: {
        operationId: 'listHeldResults',
        tags,
        summary: 'List held results that wait for the operators',
        description: 'Also those of a team that has no review queue, and that it does not see.',
        params: Type.Object(ENVIRONMENT_PARAMS),
        querystring: OperatorUnmatchedQuery,
        response: { 200: UnmatchedResultList },
      },
    },
    ({ scope, query }) => listForOperators(scope, query),
  )

  app.post(
    `${ENVIRONMENT_PATH}/unmatched_result/:id/hand_over`,
    {
      schema: {
        operationId: 'handOverUnmatchedResult',
        tags,
        summary: 'Put a held result that waits for the operators before the team',
        description: 'The team then sees it among those that await its decision.',
        params: Type.Object({ ...ENVIRONMENT_PARAMS, id: Uuid }),
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params }) => handOverReview(scope, params.id),
  )
}
