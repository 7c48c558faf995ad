import { environmentNow, type Scope } from '@salus/kernel/scope'
import { lockPendingReview } from './accept-review.service.ts'
import type { ResolveUnmatchedResult, UnmatchedResult } from './match-review.schema.ts'
import { publishReview } from './publish-review.ts'
import {
  listCandidatesOfHeld,
  requireReviewQueue,
  showRow,
  UNKNOWN_RESULT,
} from './show-reviews.service.ts'
import * as repository from './unmatched-results.repository.ts'

/**
 * Rejects a held result, so that it is not attached, or passes it to the operators.
 * @throws AppError 400 `match_review_disabled`, 404 for an unknown or decided one
 */
export async function resolveReview(
  scope: Scope,
  id: string,
  { action, note }: ResolveUnmatchedResult,
): Promise<UnmatchedResult> {
  requireReviewQueue(scope.environment)
  const at = environmentNow(scope)
  return scope.transaction(async (tx) => {
    const row = await lockPendingReview(tx, id)
    const resolved = await repository.updateUnmatched(tx, row.id, {
      status: action === 'reject' ? 'resolved' : 'pending_ops_review',
      resolution_action: action,
      note: note ?? row.note,
      updated_at: at,
      reviewed_at: at,
    })
    await publishReview(tx, resolved, 'updated')
    return showRow(tx, resolved)
  })
}

/**
 * Passes a held result from the operators to the team.
 * @throws AppError 400 `match_review_disabled`, 404 for one that does not wait for operators
 */
export async function passReviewToTeam(scope: Scope, id: string): Promise<UnmatchedResult> {
  requireReviewQueue(scope.environment)
  const at = environmentNow(scope)
  return scope.transaction(async (tx) => {
    const row = await repository.lockUnmatched(tx, id)
    if (row?.status !== 'pending_ops_review') throw UNKNOWN_RESULT
    const wasShown = row.resolution_action === 'unsure'
    const shown = await repository.updateUnmatched(tx, row.id, {
      status: 'pending_customer_review',
      resolution_action: null,
      reviewed_at: null,
      updated_at: at,
    })
    const [orders = []] = await listCandidatesOfHeld(tx, [shown])
    const users = new Set(orders.map((order) => order.row.user_id))
    const [likely = null] = users.size === 1 ? users : []
    await publishReview(tx, shown, wasShown ? 'updated' : 'created', likely)
    return showRow(tx, shown)
  })
}
