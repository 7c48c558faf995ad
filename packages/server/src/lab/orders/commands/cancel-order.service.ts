import type { Db } from '../../../platform/postgres/database.ts'
import { environmentNow } from '../../../platform/scope.ts'
import { findLab } from '../../catalog/index.ts'
import type { StatusDetail } from '../../gateways/index.ts'
import { addCancelJob } from '../dispatch/dispatch-order.service.ts'
import type { OrdersContext } from '../orders.context.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { moveOrder } from '../transitions/move-order.service.ts'
import { answerOrder } from './answer-order.ts'
import { changeOrder } from './change-order.ts'

/** @throws AppError 404, 400 `transition_not_allowed` */
export function cancelOrder(context: OrdersContext, orderId: string): Promise<PostOrderResponse> {
  return changeOrder(context, orderId, async (transaction, row) => {
    const at = environmentNow(context)
    const cancelled = await cancelRow(context, transaction, row, at)
    return answerOrder(context, transaction, cancelled, 'Order cancelled.')
  })
}

/** Cancels a locked order, and has the laboratory told if it knows of it. */
export async function cancelRow(
  context: OrdersContext,
  transaction: Db,
  row: OrderRow,
  at: Date,
  detail: StatusDetail | null = null,
): Promise<OrderRow> {
  const cancelled = await moveOrder(context, transaction, row, { to: 'cancelled', detail, at })
  if (row.dispatched_at !== null) {
    const { environment_id: environmentId, id: orderId, sample_id: sampleId } = row
    const lab = await findLab(transaction, row.lab_id)
    if (lab === undefined) throw new Error('The laboratory of an order is gone.')
    await addCancelJob(transaction, { environmentId, orderId, labSlug: lab.slug, sampleId })
  }
  return cancelled
}
