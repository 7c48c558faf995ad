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
import { passReviewToTeam, resolveReview } from './resolve-review.service.ts'
import { listForOperators, listReviews, showReview } from './show-reviews.service.ts'
import { undoReview } from './undo-review.service.ts'

const tags = ['Unmatched results']
const OfResult = Type.Object({ raw_result_id: Uuid })
const ONE = '/v3/unmatched_result/:raw_result_id'

/**
 * Registers the review queue of unmatched results (docs/contract/13-results.md#unmatched-results).
 */
export function registerMatchReviewRoutes(app: App, files: FileStore): void {
  app.get(
    '/v3/unmatched_result',
    {
      schema: {
        operationId: 'listUnmatchedResults',
        tags,
        summary: 'List unmatched results',
        description:
          'Returns a page of the results that could not be matched to an order with certainty, filtered by state, reason, laboratory, time, or the patient that the laboratory names.',
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
        summary: 'Read an unmatched result',
        description:
          'Returns the result with the orders to which it may belong, and the reasons for each.',
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
        summary: 'Attach an unmatched result to an order',
        description:
          'Attaches the result to an order. Returns the order that received it: the named one, or a new one when that cannot receive results.',
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
        summary: 'Reject or escalate an unmatched result',
        description:
          'Rejects the result, or passes it to the operators. A rejected result is kept, and the decision can be undone for a limited time.',
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
        summary: 'Undo the decision on an unmatched result',
        description:
          'Undoes an accept or a reject, so that the result waits for a decision again. This is possible until a later change depends on the decision.',
        params: OfResult,
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params }) => undoReview({ ...scope, files }, params.raw_result_id),
  )
}

/** Registers the operators' routes for unmatched results, among those of managed environments. */
export function registerMatchReviewOperatorRoutes(app: App): void {
  app.get(
    `${ENVIRONMENT_PATH}/unmatched_result`,
    {
      schema: {
        operationId: 'listHeldResults',
        tags,
        summary: 'List unmatched results that wait for the operators',
        description:
          'Returns unmatched results for the operators, including those of teams without a review queue, which the teams do not see.',
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
        summary: 'Pass an unmatched result to the team',
        description: 'Moves a result that waits for the operators to the review queue of the team.',
        params: Type.Object({ ...ENVIRONMENT_PARAMS, id: Uuid }),
        response: { 200: UnmatchedResult },
      },
    },
    ({ scope, params }) => passReviewToTeam(scope, params.id),
  )
}
