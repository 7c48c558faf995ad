import { environmentNow } from '../../../platform/scope.ts'
import { findLab } from '../../catalog/index.ts'
import type { StatusDetail } from '../../lifecycle/index.ts'
import { addCancelJob } from '../dispatch/dispatch-order.service.ts'
import type { OrdersContext } from '../orders.context.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { transitionOrder } from '../transitions/transition-order.service.ts'
import { answerOrder, commandOrder } from './command-order.ts'

/** @throws AppError 404, 400 `transition_not_allowed` */
export function cancelOrder(context: OrdersContext, orderId: string): Promise<PostOrderResponse> {
  return commandOrder(context, orderId, async (tx, row) => {
    const cancelled = await cancelRow(tx, row, environmentNow(tx))
    return answerOrder(tx, cancelled, 'Order cancelled.')
  })
}

/** Cancels a locked order, and has the laboratory told if it knows of it. */
export async function cancelRow(
  tx: OrdersContext,
  row: OrderRow,
  at: Date,
  detail: StatusDetail | null = null,
): Promise<OrderRow> {
  const cancelled = await transitionOrder(tx, row, { to: 'cancelled', detail, at })
  if (row.dispatched_at !== null) {
    const { environment_id: environmentId, id: orderId, sample_id: sampleId } = row
    const lab = await findLab(tx.db, row.lab_id)
    if (lab === undefined) throw new Error('The laboratory of an order is gone.')
    await addCancelJob(tx.db, { environmentId, orderId, labSlug: lab.slug, sampleId })
  }
  return cancelled
}
