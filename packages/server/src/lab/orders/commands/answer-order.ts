import type { Db } from '../../../platform/postgres/database.ts'
import type { OrdersContext } from '../orders.context.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { PostOrderResponse } from '../orders.schema.ts'
import { showRow } from '../show-orders.service.ts'

/** The answer of whatever changed an order. */
export async function answerOrder(
  context: OrdersContext,
  transaction: Db,
  row: OrderRow,
  message: string,
): Promise<PostOrderResponse> {
  return { order: await showRow({ ...context, db: transaction }, row), status: 'success', message }
}
