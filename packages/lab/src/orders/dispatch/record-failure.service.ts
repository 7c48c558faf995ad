import { findUserReference } from '@salus/accounts/users'
import type { Refusal } from '@salus/contracts/lab-gateway'
import { BEFORE_HANDING_OVER } from '@salus/contracts/order-lifecycle'
import { newEvent, writeEvents } from '@salus/kernel/events/events'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { orderDispatchFailed } from '../orders.events.ts'
import { type OrderRow, updateOrder } from '../orders.repository.ts'
import { openStuckTask } from '../stuck/stuck-tasks.service.ts'
import type { CancelProblem, DispatchProblem } from './dispatch-problems.ts'

/** Returns the codes of a refusal as one text, such as `AE 204 OBR-4`. */
export const describeRefusal = ({ code, location }: Refusal): string =>
  location === null ? code : `${code} ${location}`

/**
 * Records in a locked order that its dispatch failed, until the operator retries it
 * (docs/contract/11-orders.md#dispatch-and-scheduling), and emits an event once.
 */
export async function recordDispatchFailure(
  tx: TransactionScope,
  row: OrderRow,
  lab: string,
  { problem, detail = null }: { problem: DispatchProblem; detail?: string | null },
): Promise<OrderRow> {
  const at = environmentNow(tx)
  const changed = await updateOrder(tx, row.id, {
    dispatched_at: null,
    dispatch_failed_at: at,
    dispatch_problem: problem,
    dispatch_detail: detail,
  })
  if (row.dispatch_failed_at !== null || row.is_hidden) return changed
  await openStuckTask(tx, row)
  const user = (await findUserReference(tx, row.user_id)) ?? null
  const data = { order_id: row.id, lab, reason: problem, detail, failed_at: formatInstant(at) }
  await writeEvents(tx, [newEvent({ type: orderDispatchFailed, user, subjectIds: [row.id], data })])
  return changed
}

/**
 * Records that the laboratory refused a requisition that it had received. Returns undefined for an
 * order that went on or ended, which a late refusal does not change.
 */
export async function recordRefusal(
  tx: TransactionScope,
  row: OrderRow,
  { labSlug, ...refusal }: Refusal & { labSlug: string },
): Promise<OrderRow | undefined> {
  if (!BEFORE_HANDING_OVER.includes(row.last_status)) return undefined
  const detail = describeRefusal(refusal)
  tx.log.warn({ orderId: row.id, code: refusal.code }, 'a laboratory refused an order')
  return recordDispatchFailure(tx, row, labSlug, { problem: 'refused_by_lab', detail })
}

/** Records that the laboratory may still work on an order that was cancelled here. */
export async function recordCancelFailure(
  tx: TransactionScope,
  row: OrderRow,
  problem: CancelProblem,
  detail: string | null = null,
): Promise<void> {
  const changes = { cancel_problem: problem, cancel_detail: detail }
  await updateOrder(tx, row.id, { ...changes, cancel_failed_at: environmentNow(tx) })
  if (!row.is_hidden) await openStuckTask(tx, row)
}

/** Data of an order without a problem of its dispatch. */
export const NO_DISPATCH_PROBLEM = {
  dispatch_failed_at: null,
  dispatch_problem: null,
  dispatch_detail: null,
} as const

/** Data of an order without a problem of its cancellation. */
export const NO_CANCEL_PROBLEM = {
  cancel_problem: null,
  cancel_detail: null,
  cancel_failed_at: null,
} as const
