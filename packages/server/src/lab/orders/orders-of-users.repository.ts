import { sql } from 'kysely'
import type { RowScope } from '../../platform/scope.ts'
import { BEFORE_HANDING_OVER, TERMINAL } from '../lifecycle/index.ts'

/** Of `orders`: the laboratory has it, and may still do something. */
export const isOpenAtLab = sql<boolean>`(
  (orders.dispatched_at is not null or orders.is_imported)
  and orders.last_status <> all(${[...TERMINAL]}::text[])
)`

/**
 * Locks the orders of a person until the transaction ends, with the transactions that they belong to,
 * as lockOrder does, so that whoever changes one of them is done or waits.
 * @returns how many of them a laboratory is at work on
 */
export async function lockOrdersOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ openAtLab: number }> {
  await sql`select id from order_transactions
    where environment_id = ${environment.id}::uuid and id in (
      select transaction_id from orders
      where environment_id = ${environment.id}::uuid and user_id = ${userId}::uuid
    )
    order by id for update`.execute(db)
  const rows = await db
    .selectFrom('orders')
    .select(isOpenAtLab.as('is_open'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('id')
    .forUpdate()
    .execute()
  return { openAtLab: rows.filter((row) => row.is_open).length }
}

/** Orders of a person that nobody handed over yet, though their day has come. */
export function listUnsentOrdersOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ id: string }[]> {
  return db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('dispatched_at', 'is', null)
    .where('dispatch_failed_at', 'is', null)
    .where('is_imported', '=', false)
    .where('last_status', 'in', [...BEFORE_HANDING_OVER])
    .execute()
}

/** Orders of living people. */
export async function countShownOrders({ db, environment }: RowScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from orders
    where environment_id = ${environment.id}::uuid and not is_hidden`.execute(db)
  return rows[0]?.total ?? 0
}
