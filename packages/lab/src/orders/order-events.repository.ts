import { anyOfIds } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope } from '@salus/kernel/scope'
import type { Selectable } from 'kysely'
import type { OrderEventsTable } from './orders.tables.ts'

export type OrderEventRow = Selectable<OrderEventsTable>
export type NewOrderEvent = Pick<
  OrderEventRow,
  'order_id' | 'status' | 'status_detail' | 'created_at'
>

const COLUMNS = [
  'environment_id',
  'order_id',
  'id',
  'status',
  'status_detail',
  'created_at',
] as const

/** Returns the events of orders, oldest first. */
export function listOrderEvents(
  { db, environment }: Scope,
  orderIds: readonly string[],
): Promise<OrderEventRow[]> {
  return prepared(db)
    .selectFrom('order_events')
    .select(COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', anyOfIds(orderIds))
    .orderBy('id')
    .execute()
}

/** Returns the newest event of an order by id; undefined for an order without events. */
export function findLastEvent(
  { db, environment }: Scope,
  orderId: string,
): Promise<OrderEventRow | undefined> {
  return db
    .selectFrom('order_events')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
