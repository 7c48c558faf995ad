import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { TransactionScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderEventRow } from '../order-events.repository.ts'
import type { NewOrder, OrderRow } from '../orders.repository.ts'
import { ORDER_COLUMNS } from '../orders.tables.ts'

/**
 * Inserts an order and the event of its first status, in one statement. Returns undefined when its
 * laboratory has another order with the sample id.
 * @param isFirst whether the order begins its order transaction, which is then inserted as well
 */
export async function insertNewOrder(
  { db, environment }: TransactionScope,
  order: NewOrder,
  isFirst: boolean,
): Promise<{ row: OrderRow; event: OrderEventRow } | undefined> {
  const { transaction_id: transactionId, created_at: at } = order
  const begun = sql`select ${environment.id}::uuid, ${transactionId}::uuid, 'active',
    ${at}::timestamptz, ${at}::timestamptz where ${isFirst}::boolean`
  const stored = await prepared(db)
    .with('begun', (query) =>
      query
        .insertInto('order_transactions')
        .columns(['environment_id', 'id', 'status', 'created_at', 'updated_at'])
        .expression(begun),
    )
    .with('made', (query) =>
      query
        .insertInto('orders')
        .values({ ...order, environment_id: environment.id })
        .onConflict((conflict) =>
          conflict.columns(['lab_id', 'sample_id']).where('sample_id', 'is not', null).doNothing(),
        )
        .returning(ORDER_COLUMNS),
    )
    .with('recorded', (query) =>
      query
        .insertInto('order_events')
        .columns(['environment_id', 'order_id', 'status', 'created_at'])
        .expression((made) =>
          made.selectFrom('made').select(['environment_id', 'id', 'last_status', 'created_at']),
        )
        .returning('id'),
    )
    .selectFrom(['made', 'recorded'])
    .select(ORDER_COLUMNS.map((column) => `made.${column}` as const))
    .select('recorded.id as event_id')
    .executeTakeFirst()
  if (stored === undefined) return undefined
  const { event_id: id, ...row } = stored
  const { environment_id, last_status: status, created_at } = row
  const event = { environment_id, order_id: row.id, id, status, status_detail: null, created_at }
  return { row, event }
}
