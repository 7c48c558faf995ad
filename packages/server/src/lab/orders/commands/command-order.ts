import { notFoundCode } from '../../../platform/errors.ts'
import type { OrdersContext } from '../orders.context.ts'
import { lockOrder, type OrderRow } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { showRow } from '../reading/show-orders.service.ts'

/**
 * Does something with an order that nobody else can change meanwhile, in one transaction.
 * @throws AppError 404 `order_not_found`
 */
export function commandOrder<T>(
  context: OrdersContext,
  orderId: string,
  command: (tx: OrdersContext, row: OrderRow) => Promise<T>,
): Promise<T> {
  return context.db.transaction().execute(async (db) => {
    const row = await lockOrder(db, context.environment.id, orderId)
    if (row === undefined || row.is_hidden) throw notFoundCode('order_not_found')
    return command({ ...context, db }, row)
  })
}

/** The answer of whatever changed an order. */
export async function answerOrder(
  tx: OrdersContext,
  row: OrderRow,
  message: string,
): Promise<PostOrderResponse> {
  return { order: await showRow(tx, tx.db, row), status: 'success', message }
}
