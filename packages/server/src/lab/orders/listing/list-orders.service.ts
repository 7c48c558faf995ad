import { environmentNow, type Scope } from '../../../platform/scope.ts'
import { dateAtOffset } from '../../../platform/time/instants.ts'
import { showOrders } from '../show-orders.service.ts'
import { toOrderFilter } from './orders-list.filter.ts'
import { findOrderPage } from './orders-list.repository.ts'
import type { OrderList, OrderListQuery } from './orders-list.schema.ts'

/** A page of orders and how many there are (docs/contract/11-orders.md#get-v3orders). */
export async function listOrders(scope: Scope, query: OrderListQuery): Promise<OrderList> {
  const today = dateAtOffset(environmentNow(scope).getTime(), 0)
  const found = await findOrderPage(scope, toOrderFilter(query), today)
  const { page, size } = query
  const list = { orders: await showOrders(scope, found.ids), total: found.total, page, size }
  return found.isCapped ? { ...list, total_is_capped: true } : list
}
