import { endTasks, openTask } from '@salus/accounts/tasks'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { DAY_MS } from '@salus/contracts/time-units'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import type { OrderRow } from '../orders.repository.ts'

/** Days without an update after which an order in one of these statuses is stuck. */
export const OVERDUE_DAYS = 14

/** Statuses in which a courier or the laboratory is at work, and not the patient. */
export const AWAITED_STATUSES: readonly LowLevelStatus[] = [
  'transit_customer',
  'out_for_delivery',
  'transit_lab',
  'problem_in_transit_customer',
  'problem_in_transit_lab',
  'delivered_to_lab',
  'draw_completed',
  'partial_results',
  'lab_processing_blocked',
]

/** Opens the task of an order that could not be dispatched, or cancelled at its laboratory. */
export const openStuckTask = (tx: TransactionScope, { id, user_id: userId }: OrderRow) =>
  openTask(tx, { kind: 'stuck_order', focus: { type: 'order', id }, userId })

/** Ends the task of an order that goes on, or whose dispatch or cancellation does. */
export async function endStuckTask(tx: TransactionScope, row: OrderRow): Promise<void> {
  // Nearly all orders have none.
  const hasFailed = row.dispatch_failed_at !== null || row.cancel_failed_at !== null
  if (hasFailed || isOverdue(tx, row)) {
    await endTasks(tx, ['stuck_order'], [row.id], 'completed')
  }
}

function isOverdue(tx: TransactionScope, row: OrderRow): boolean {
  const waited = environmentNow(tx).getTime() - row.last_status_at.getTime()
  return waited >= OVERDUE_DAYS * DAY_MS && AWAITED_STATUSES.includes(row.last_status)
}
