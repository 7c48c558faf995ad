import type { Db } from '../../../platform/postgres/database.ts'
import type { OrderEventRow } from '../orders.repository.ts'

export function findLastEvent(
  db: Db,
  environmentId: string,
  orderId: string,
): Promise<OrderEventRow | undefined> {
  return db
    .selectFrom('order_events')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('order_id', '=', orderId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}
