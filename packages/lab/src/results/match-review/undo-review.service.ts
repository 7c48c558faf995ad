import { badRequest } from '@salus/kernel/errors'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import { lockOrder, recordResult } from '../../orders/index.ts'
import { cancelTasksOfVersion } from '../critical-tasks/critical-tasks.service.ts'
import {
  deleteVersion,
  findLastEventId,
  listNewestVersions,
  namesOfFiles,
} from '../results.repository.ts'
import type { ResultsScope } from '../results.scope.ts'
import { removeUnnamedFiles } from '../storing/result-files.ts'
import type { UnmatchedResult } from './match-review.schema.ts'
import { isShownToTeam, publishReview } from './publish-review.ts'
import { requireReviewQueue, showRow, UNKNOWN_RESULT } from './show-reviews.service.ts'
import type { UnmatchedRow } from './unmatched-results.repository.ts'
import * as repository from './unmatched-results.repository.ts'

const NOT_POSSIBLE = badRequest('undo_not_possible', 'The decision can no longer be undone.')

/**
 * Undoes an accept or a reject, so that the result waits for the team again. The version that an
 * accept stored is deleted. Events of orders are never deleted, so the order keeps its status
 * without the result, and the next result for it is a correction. This is possible while no event,
 * version or redraw has followed the accept (docs/unmatched-results.md).
 * @throws AppError 400 `match_review_disabled`, `undo_not_possible`; 404 for an unknown result
 */
export async function undoReview(scope: ResultsScope, id: string): Promise<UnmatchedResult> {
  const { clock, environment, files } = scope
  requireReviewQueue(environment)
  const at = environmentNow({ clock, environment })
  const { shown, taken } = await scope.transaction(async (tx) => {
    const seen = await repository.findUnmatched(tx, id)
    if (seen === undefined || !isShownToTeam(seen)) throw UNKNOWN_RESULT
    const taken = await deleteAcceptedVersion(tx, seen, at)
    const row = await repository.lockUnmatched(tx, id)
    if (row === undefined || !isSameDecision(row, seen)) throw NOT_POSSIBLE
    const reopened = await repository.updateUnmatched(tx, row.id, {
      status: 'pending_customer_review',
      resolution_action: null,
      resolved_user_id: null,
      resolved_order_id: null,
      resolution: null,
      reviewed_at: null,
      updated_at: at,
    })
    await publishReview(tx, reopened, 'updated', seen.resolved_user_id)
    return { shown: await showRow(tx, reopened), taken }
  })
  // Deleted after the commit, because a row must never name a deleted file.
  await removeUnnamedFiles(scope, files, taken)
  return shown
}

/** Returns false when the decision changed since it was read. */
function isSameDecision(now: UnmatchedRow, seen: UnmatchedRow): boolean {
  return (
    now.status === seen.status &&
    now.resolution_action === seen.resolution_action &&
    now.resolved_order_id === seen.resolved_order_id &&
    Number(now.reviewed_at) === Number(seen.reviewed_at)
  )
}

/** Deletes the version that an accept stored. @returns the names of its files */
async function deleteAcceptedVersion(
  tx: TransactionScope,
  seen: UnmatchedRow,
  at: Date,
): Promise<string[]> {
  if (seen.status !== 'resolved') throw NOT_POSSIBLE
  if (seen.resolution_action === 'reject') return []
  const { resolved_order_id: orderId, resolution } = seen
  if (orderId === null || resolution?.version === undefined) throw NOT_POSSIBLE
  const order = await lockOrder(tx, orderId)
  if (order === undefined || order.last_status === 'redraw_available') throw NOT_POSSIBLE
  const { version, last_event_id: eventId, previous = {} } = resolution
  const [newest] = await listNewestVersions(tx, [order.id])
  const lastEventId = await findLastEventId(tx, order.id)
  if (newest?.version !== version || lastEventId !== eventId) throw NOT_POSSIBLE
  const removed = await deleteVersion(tx, order.id, version)
  await cancelTasksOfVersion(tx, order.id, version, at)
  await recordResult(tx, order, previous, at)
  return removed === undefined ? [] : namesOfFiles([removed])
}
