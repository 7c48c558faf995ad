import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { badRequest } from '@salus/kernel/errors'
import { environmentNow, type Scope } from '@salus/kernel/scope'
import { lockOrder, type Order, type OrderRow, showOrder } from '../../orders/index.ts'
import type { ResultsScope, ResultTransaction } from '../results.scope.ts'
import { inResultTransaction } from '../storing/result-files.ts'
import { type StoreOutcome, storeResultMessage } from '../storing/store-result-message.service.ts'
import { readHeldMessage } from './held-message.ts'
import type { AcceptUnmatchedResult } from './match-review.schema.ts'
import { publishReview } from './publish-review.ts'
import { makeReceivingOrder } from './receiving-order.service.ts'
import { findReviewTarget, type ReviewTarget } from './review-target.ts'
import { listCandidatesOfHeld, requireReviewQueue, UNKNOWN_RESULT } from './show-reviews.service.ts'
import type { UnmatchedRow } from './unmatched-results.repository.ts'
import * as repository from './unmatched-results.repository.ts'

/**
 * Stores a held result in the order that a reviewer means, or in a new one, and returns that order.
 * @throws AppError 400 `match_review_disabled`; 404 for an unknown or decided result, user or
 *   order; 422 when the target is ambiguous or inconsistent
 */
export async function acceptReview(
  scope: ResultsScope,
  id: string,
  input: AcceptUnmatchedResult,
): Promise<Order> {
  requireReviewQueue(scope.environment)
  const at = environmentNow(scope)
  return inResultTransaction(scope, async (tx) => {
    const seen = await getPending(tx, id)
    const [orders = []] = await listCandidatesOfHeld(tx, [seen])
    const target = await findReviewTarget(tx, orders, input)
    // Orders are locked before held results, as where result messages are received.
    const order = target.order && (await lockOrder(tx, target.order.id))
    const row = await lockPendingReview(tx, id)
    const message = await readHeldMessage(tx.files, row)
    const meant = { userId: target.userId, order: order ?? null }
    const { stored, before } = await storeAccepted(tx, meant, row, message, at)
    const shown = await showOrder(tx, stored.row.id)
    const resolved = await repository.updateUnmatched(tx, row.id, {
      status: 'resolved',
      resolution_action: 'accept',
      resolved_user_id: stored.row.user_id,
      resolved_order_id: stored.row.id,
      resolution: JSON.stringify({
        version: stored.version,
        last_event_id: shown.last_event.id,
        previous: {
          interpretation: before.interpretation,
          has_missing_results: before.has_missing_results,
          collected_on: before.collected_on,
        },
      }),
      note: input.note ?? row.note,
      updated_at: at,
      reviewed_at: at,
    })
    await publishReview(tx, resolved, 'updated')
    return shown
  })
}

async function getPending(scope: Scope, id: string): Promise<UnmatchedRow> {
  const row = await repository.findUnmatched(scope, id)
  if (row?.status !== 'pending_customer_review') throw UNKNOWN_RESULT
  return row
}

/** Returns a pending review, locked. @throws AppError 404 when it was decided in the meantime */
export async function lockPendingReview(scope: Scope, id: string): Promise<UnmatchedRow> {
  const row = await repository.lockUnmatched(scope, id)
  if (row?.status !== 'pending_customer_review') throw UNKNOWN_RESULT
  return row
}

type Stored = Extract<StoreOutcome, { kind: 'stored' }>

/** Stores the result in the target order if that can receive it, or else in a new one. */
async function storeAccepted(
  tx: ResultTransaction,
  target: ReviewTarget,
  held: UnmatchedRow,
  message: ResultMessage,
  at: Date,
): Promise<{ stored: Stored; before: OrderRow }> {
  const source = { messageId: held.lab_message_id, at, isReviewed: true }
  const { order } = target
  if (order !== null && order.lab_id === held.lab_id) {
    const outcome = await storeResultMessage(tx, order.id, message, source)
    if (outcome.kind === 'stored') return { stored: outcome, before: order }
    if (outcome.kind === 'ignored') throw NOTHING_NEW
  }
  const input = { message, labId: held.lab_id, at }
  const made = await makeReceivingOrder(tx, target, input)
  const outcome = await storeResultMessage(tx, made.id, message, source)
  if (outcome.kind === 'stored') return { stored: outcome, before: made }
  throw new Error('An order created for a result refused it.')
}

const NOTHING_NEW = badRequest(
  'result_already_attached',
  'The order already has this result, or a later one.',
)
