import { notFoundCode } from '../../../platform/errors.ts'
import type { Db } from '../../../platform/postgres/database.ts'
import type { OrdersContext } from '../orders.context.ts'
import { lockOrder, type OrderRow } from '../orders.repository.ts'

/**
 * Does something with an order that nobody else can change meanwhile, in one transaction.
 * @throws AppError 404 `order_not_found`
 */
export function changeOrder<T>(
  { db, environment }: OrdersContext,
  orderId: string,
  change: (transaction: Db, row: OrderRow) => Promise<T>,
): Promise<T> {
  return db.transaction().execute(async (transaction) => {
    const row = await lockOrder(transaction, environment.id, orderId)
    if (row === undefined || row.is_hidden) throw notFoundCode('order_not_found')
    return change(transaction, row)
  })
}
