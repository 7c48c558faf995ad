import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { TransactionScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderEventRow } from '../order-events.repository.ts'
import type { NewOrder, OrderRow } from '../orders.repository.ts'
import { ORDER_COLUMNS } from '../orders.tables.ts'

const columns = sql.raw(ORDER_COLUMNS.join(', '))

/**
 * Inserts an order and the event of its first status, in one statement. Returns undefined when its
 * laboratory has another order with the sample id.
 * @param isFirst whether the order begins its order transaction, which is then inserted as well
 * @returns the row as it is stored, which is not read again
 */
export async function insertNewOrder(
  { db, environment }: TransactionScope,
  order: NewOrder,
  isFirst: boolean,
): Promise<{ row: OrderRow; event: OrderEventRow } | undefined> {
  const row: OrderRow = { ...order, environment_id: environment.id }
  const { id, transaction_id, last_status, created_at } = row
  const { rows } = await sql<{ id: number }>`
    with begun as (
      insert into order_transactions (environment_id, id, status, created_at, updated_at)
      select ${environment.id}::uuid, ${transaction_id}::uuid, 'active',
        ${created_at}::timestamptz, ${created_at}::timestamptz
      where ${isFirst}::boolean
    ), made as (
      insert into orders (${columns})
      select ${columns} from json_populate_record(null::orders, ${JSON.stringify(row)}::json)
      on conflict (lab_id, sample_id) where sample_id is not null do nothing
      returning environment_id, id, last_status, created_at
    )
    insert into order_events (environment_id, order_id, status, created_at)
    select environment_id, id, last_status, created_at from made
    returning id`.execute(prepared(db))
  const [recorded] = rows
  if (recorded === undefined) return undefined
  const first = { environment_id: environment.id, order_id: id, id: recorded.id, created_at }
  return { row, event: { ...first, status: last_status, status_detail: null } }
}
