import { type StatusDetail, statusAfterCause } from '@salus/contracts/order-lifecycle'
import { type AppError, badRequest, notFoundCode } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { dateAtOffset } from '@salus/kernel/time/instants'
import { addCancelJobIfSent } from '../dispatch/dispatch-order.service.ts'
import { NO_DISPATCH_PROBLEM } from '../dispatch/record-failure.service.ts'
import { lockOrder, type OrderRow, updateOrder } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { activateByInPast } from '../placing/prepare-order.service.ts'
import { addDispatchJob } from '../placing/store-order.service.ts'
import { getOrderRow, showRow } from '../show-orders.service.ts'
import { endStuckTask } from '../stuck/stuck-tasks.service.ts'
import {
  changedAt,
  readOrderFacts,
  refuseTransition,
  transitionOrder,
} from '../transitions/transition-order.service.ts'

/** Commands of a team for a placed order. */

/**
 * Runs a command in one transaction with the order locked.
 * @throws AppError 404 `order_not_found`
 */
function commandOrder<T>(
  scope: Scope,
  orderId: string,
  command: (tx: TransactionScope, row: OrderRow) => Promise<T>,
): Promise<T> {
  return scope.transaction(async (tx) => {
    const row = await lockOrder(tx, orderId)
    if (row === undefined || row.is_hidden) throw notFoundCode('order_not_found')
    return command(tx, row)
  })
}

/** Returns the response of a command. */
export async function toOrderResponse(
  tx: TransactionScope,
  row: OrderRow,
  message: string,
): Promise<PostOrderResponse> {
  return { order: await showRow(tx, row), status: 'success', message }
}

/** Cancels an order. @throws AppError 404, 400 `transition_not_allowed` */
export function cancelOrder(scope: Scope, orderId: string): Promise<PostOrderResponse> {
  return commandOrder(scope, orderId, async (tx, row) => {
    const cancelled = await cancelLockedOrder(tx, row, environmentNow(tx))
    return toOrderResponse(tx, cancelled, 'Order cancelled.')
  })
}

/** Whether clients and operators may cancel an order; the laboratory may do so later too. */
export async function mayCancel(scope: Scope, row: OrderRow): Promise<boolean> {
  return statusAfterCause(await readOrderFacts(scope, row), 'cancel_order') !== undefined
}

/** Cancels a locked order, and adds a job that cancels it at a laboratory that may have it. */
export async function cancelLockedOrder(
  tx: TransactionScope,
  row: OrderRow,
  at: Date,
  detail: StatusDetail | null = null,
): Promise<OrderRow> {
  if (!(await mayCancel(tx, row))) {
    throw refuseTransition(await readOrderFacts(tx, row), 'cancelled')
  }
  const cancelled = await transitionOrder(tx, row, { to: 'cancelled', detail, at })
  await addCancelJobIfSent(tx, row)
  return cancelled
}

/**
 * Records that the customer collected the specimen on site.
 * @throws AppError 404; 400 `wrong_collection_method`
 */
export function completeDraw(scope: Scope, orderId: string): Promise<PostOrderResponse> {
  return commandOrder(scope, orderId, async (tx, row) => {
    if (row.method !== 'on_site_collection') {
      throw badRequest(
        'wrong_collection_method',
        'Only orders with on-site collection accept this.',
      )
    }
    const at = environmentNow(tx)
    const changes = { collected_on: dateAtOffset(at.getTime(), 0) }
    const changed = await transitionOrder(tx, row, { to: 'draw_completed', at, changes })
    return toOrderResponse(tx, changed, 'Draw completed.')
  })
}

/**
 * Changes the date of a scheduled order. With today's date or without one it is dispatched at once.
 * @throws AppError 404; 400 `order_not_modifiable`, `order_not_scheduled`, `activate_by_in_past`
 */
export function rescheduleOrder(
  scope: Scope,
  orderId: string,
  activateBy: string | null,
): Promise<PostOrderResponse> {
  return commandOrder(scope, orderId, async (tx, row) => {
    const at = environmentNow(tx)
    const today = dateAtOffset(at.getTime(), 0)
    const refusal = rescheduleRefusal(row)
    if (refusal) throw refusal
    if (activateBy !== null && activateBy < today) throw activateByInPast()
    const changes = {
      activate_by: activateBy,
      ...NO_DISPATCH_PROBLEM,
      updated_at: changedAt(tx, row, at),
    }
    const changed = await updateOrder(tx, row.id, changes)
    await endStuckTask(tx, row)
    if (activateBy === null || activateBy === today) {
      await addDispatchJob(tx, row.id)
    }
    return toOrderResponse(tx, changed, 'Order updated.')
  })
}

/** Returns why the date of an order cannot be changed; undefined when it can. */
export function rescheduleRefusal(row: OrderRow): AppError | undefined {
  const isWaiting = row.last_status === 'ordered' || row.last_status === 'awaiting_registration'
  if (isWaiting && !row.is_scheduled) {
    return badRequest('order_not_scheduled', 'The order is not scheduled.')
  }
  if (isWaiting && row.dispatched_at === null) return undefined
  return badRequest('order_not_modifiable', 'The order was already sent to the laboratory.')
}

/**
 * Returns whether the patient of an order gets text messages: the setting of the order, or of the
 * team.
 */
export async function getCommunicationSettings(scope: Scope, orderId: string) {
  return toSettings(await getOrderRow(scope, orderId))
}

/**
 * Sets whether the patient gets text messages about the order, and returns the settings.
 * @throws AppError 404
 */
export function setCommunicationSettings(scope: Scope, orderId: string, smsEnabled: boolean) {
  return commandOrder(scope, orderId, async (tx, row) => {
    const changes = { sms_enabled: smsEnabled }
    return toSettings(await updateOrder(tx, row.id, changes))
  })
}

/** Salus sends no text messages yet, so they are off unless a client has enabled them. */
const toSettings = (row: OrderRow) => ({
  order_id: row.id,
  sms_enabled: row.sms_enabled ?? false,
})
