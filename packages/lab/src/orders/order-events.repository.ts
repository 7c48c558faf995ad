import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { OrderEventsTable } from './orders.tables.ts'

export type OrderEventRow = Selectable<OrderEventsTable>
export type NewOrderEvent = Pick<
  OrderEventRow,
  'order_id' | 'status' | 'status_detail' | 'created_at'
>

/** Inserts the event of a status. Ids ascend, so events are ordered by id. */
export function insertOrderEvent(
  { db, environment }: TransactionScope,
  event: NewOrderEvent,
): Promise<OrderEventRow> {
  return db
    .insertInto('order_events')
    .values({ ...event, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns the events of orders, oldest first. */
export function listOrderEvents(
  { db, environment }: Scope,
  orderIds: readonly string[],
): Promise<OrderEventRow[]> {
  return db
    .selectFrom('order_events')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', sql<string>`any(${orderIds}::uuid[])`)
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
