import { endTasks, openTask, type TaskKind } from '@salus/accounts/tasks'
import { findUser } from '@salus/accounts/users'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import type { TransactionScope } from '@salus/kernel/scope'
import { matchReviewCreated, matchReviewUpdated } from '../results.events.ts'
import type { MatchDecisionCode } from './match-review.schema.ts'
import type { UnmatchedRow } from './unmatched-results.repository.ts'

/**
 * Returns true for a held result that the team can see, unlike those that only operators handle.
 */
export function isShownToTeam(row: UnmatchedRow): boolean {
  switch (row.status) {
    case 'pending_ops_review':
      return row.resolution_action === 'unsure'
    case 'matched':
      return row.resolution?.was_shown === true
    default:
      return true
  }
}

/**
 * Emits the event of a review that the team can see, and opens or ends the task to decide it. The
 * user of both is the one who received the result, or else the likely one.
 */
export async function publishReview(
  tx: TransactionScope,
  row: UnmatchedRow,
  what: 'created' | 'updated',
  likelyUserId: string | null = null,
): Promise<void> {
  await emitReview(tx, row, what, likelyUserId)
  if (row.status === 'pending_customer_review') {
    const focus = { type: 'unmatched_result', id: row.id } as const
    const kind = PATIENT_DIFFERS.has(row.decision_code) ? 'patient_mismatch' : 'unmatched_result'
    await openTask(tx, { kind, focus, userId: likelyUserId, at: row.updated_at })
  } else {
    await endTasks(tx, REVIEW_TASKS, [row.id], 'completed')
  }
}

/** Kinds of tasks to decide about held results. */
export const REVIEW_TASKS: readonly TaskKind[] = ['unmatched_result', 'patient_mismatch']

/** Decisions by which a result names an order, and perhaps another patient. */
export const PATIENT_DIFFERS: ReadonlySet<MatchDecisionCode> = new Set([
  'match_sample_id_mismatch_demo',
])

async function emitReview(
  tx: TransactionScope,
  row: UnmatchedRow,
  what: 'created' | 'updated',
  likelyUserId: string | null,
): Promise<void> {
  const userId = row.resolved_user_id ?? likelyUserId
  const user = userId === null ? undefined : await findUser(tx, userId)
  // No event reports the results of a deleted person.
  if (row.resolved_user_id !== null && user === undefined) return
  const event = newEvent({
    type: what === 'created' ? matchReviewCreated : matchReviewUpdated,
    user: user === undefined ? null : { id: user.id, client_user_id: user.client_user_id },
    subjectIds: [row.id, ...(row.resolved_order_id === null ? [] : [row.resolved_order_id])],
    data: {
      id: row.id,
      status: row.status,
      decision_code: row.decision_code,
      sub_reason_codes: row.sub_reason_codes,
      resolution_action: row.resolution_action,
      resolved_user_id: row.resolved_user_id,
      resolved_order_id: row.resolved_order_id,
    },
  })
  await writeEvents(tx, [event])
}
