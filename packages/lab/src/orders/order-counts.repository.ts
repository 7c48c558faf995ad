import { TERMINAL } from '@salus/contracts/order-lifecycle'
import type { Scope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/** Counts the orders of each UTC day on which some were created, by the day as YYYY-MM-DD. */
export async function countOrdersByDay(
  { db, environment }: Scope,
  since: Date,
): Promise<Map<string, number>> {
  const { rows } = await sql<{ date: string; total: number }>`
    select to_char(created_at at time zone 'UTC', 'YYYY-MM-DD') as date, count(*) as total
    from orders
    where environment_id = ${environment.id}::uuid and not is_hidden and created_at >= ${since}
    group by 1`.execute(db)
  return new Map(rows.map(({ date, total }) => [date, total]))
}

/** Counts the orders that are not over. */
export async function countOpenOrders({ db, environment }: Scope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from orders
    where environment_id = ${environment.id}::uuid and not is_hidden
      and last_status <> all(${[...TERMINAL]}::text[])`.execute(db)
  return rows[0]?.total ?? 0
}
