import { environmentNow } from '../../../platform/scope.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import type { OrdersContext } from '../orders.context.ts'
import { showOrders } from '../reading/show-orders.service.ts'
import { toOrderFilter } from './orders-list.filter.ts'
import { findOrderPage } from './orders-list.repository.ts'
import type { OrderList, OrderListQuery } from './orders-list.schema.ts'

/** A page of orders and how many there are (contract 11, "GET /v3/orders"). */
export async function listOrders(
  context: OrdersContext,
  query: OrderListQuery,
): Promise<OrderList> {
  const { db, clock, environment } = context
  const today = dateAtOffset(environmentNow({ clock, environment }).getTime(), 0)
  const filter = toOrderFilter(query)
  const { ids, total } = await findOrderPage(db, environment.id, filter, { today })
  const { page, size } = query
  return { orders: await showOrders(context, ids), total, page, size }
}
