import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { TransactionScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { OrderEventRow } from '../order-events.repository.ts'
import type { OrderRow } from '../orders.repository.ts'
import { ORDER_COLUMNS } from '../orders.tables.ts'

const columns = sql.raw(ORDER_COLUMNS.join(', '))

/** Takes the id of an event that is inserted with a new order. */
export async function takeOrderEventId({ db }: TransactionScope): Promise<number> {
  const { rows } = await sql<{ id: number }>`
    select nextval('order_events_id_seq') as id`.execute(prepared(db))
  return (rows[0] as { id: number }).id
}

/**
 * Inserts an order and the event of its first status, in one statement. Resolves with false when
 * its laboratory has another order with the sample id.
 * @param isFirst whether the order begins its order transaction, which is then inserted as well
 */
export async function insertNewOrder(
  { db }: TransactionScope,
  row: OrderRow,
  { id: eventId }: Pick<OrderEventRow, 'id'>,
  isFirst: boolean,
): Promise<boolean> {
  const { environment_id, transaction_id, created_at } = row
  const { numAffectedRows } = await sql`
    with begun as (
      insert into order_transactions (environment_id, id, status, created_at, updated_at)
      select ${environment_id}::uuid, ${transaction_id}::uuid, 'active',
        ${created_at}::timestamptz, ${created_at}::timestamptz
      where ${isFirst}::boolean
    ), made as (
      insert into orders (${columns})
      select ${columns} from json_populate_record(null::orders, ${JSON.stringify(row)}::json)
      on conflict (lab_id, sample_id) where sample_id is not null do nothing
      returning environment_id, id, last_status, created_at
    )
    insert into order_events (environment_id, order_id, id, status, created_at)
    overriding system value
    select environment_id, id, ${eventId}::bigint, last_status, created_at from made`.execute(
    prepared(db),
  )
  return numAffectedRows === 1n
}
