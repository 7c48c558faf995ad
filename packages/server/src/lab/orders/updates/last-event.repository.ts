import type { Scope } from '../../../platform/scope.ts'
import type { OrderEventRow } from '../orders.repository.ts'

export function findLastEvent(
  { db, environment }: Pick<Scope, 'db' | 'environment'>,
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
