import { environmentNow } from '../../../platform/scope.ts'
import type { ResultsContext } from '../results.context.ts'
import { lockPending } from './accept-review.service.ts'
import type { ResolveUnmatchedResult, UnmatchedResult } from './match-review.schema.ts'
import { judgeHeld, requireQueue, showRow, UNKNOWN_RESULT } from './show-reviews.service.ts'
import { tellReview } from './tell-review.ts'
import * as repository from './unmatched-results.repository.ts'

/**
 * Rejects a held result, so that nothing is attached, or passes it on to the operators.
 * @throws AppError 400 `match_review_disabled`, 404 for an unknown or decided one
 */
export async function resolveReview(
  context: ResultsContext,
  id: string,
  { action, note }: ResolveUnmatchedResult,
): Promise<UnmatchedResult> {
  const { db, clock, environment } = context
  requireQueue(environment)
  const at = environmentNow({ clock, environment })
  return db.transaction().execute(async (transaction) => {
    const row = await lockPending(transaction, environment.id, id)
    const resolved = await repository.updateUnmatched(transaction, environment.id, row.id, {
      status: action === 'reject' ? 'resolved' : 'pending_ops_review',
      resolution_action: action,
      note: note ?? row.note,
      updated_at: at,
      reviewed_at: at,
    })
    await tellReview(context, transaction, resolved, 'updated')
    return showRow(transaction, environment, resolved)
  })
}

/**
 * Puts a held result that waits for the operators before the team.
 * @throws AppError 400 `match_review_disabled`, 404 for one that does not wait for operators
 */
export async function handOverReview(
  context: ResultsContext,
  id: string,
): Promise<UnmatchedResult> {
  const { db, clock, environment } = context
  requireQueue(environment)
  const at = environmentNow({ clock, environment })
  return db.transaction().execute(async (transaction) => {
    const row = await repository.lockUnmatched(transaction, environment.id, id)
    if (row?.status !== 'pending_ops_review') throw UNKNOWN_RESULT
    const wasShown = row.resolution_action === 'unsure'
    const shown = await repository.updateUnmatched(transaction, environment.id, row.id, {
      status: 'pending_customer_review',
      resolution_action: null,
      reviewed_at: null,
      updated_at: at,
    })
    const [orders = []] = await judgeHeld(transaction, environment, [shown])
    const users = new Set(orders.map((order) => order.row.user_id))
    const [likely = null] = users.size === 1 ? users : []
    await tellReview(context, transaction, shown, wasShown ? 'updated' : 'created', likely)
    return showRow(transaction, environment, shown)
  })
}
