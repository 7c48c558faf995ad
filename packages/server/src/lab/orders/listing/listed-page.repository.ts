import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
import {
  allOf,
  type Condition,
  nameConditions,
  orderConditions,
  sortOf,
} from './order-conditions.repository.ts'
import type { OrderFilter } from './orders-list.filter.ts'

/** Pages that are found by looking at orders (decision 12). */

export interface OrderPage {
  ids: string[]
  total: number
}

/** All orders that match are gathered and sorted: for filters that few orders pass. */
export function gatherPage(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  today: string,
): Promise<OrderPage> {
  const conditions = orderConditions(environmentId, filter, today)
  return sortGathered(
    db,
    filter,
    sql`select ${sortedColumns(filter)} from orders where ${conditions}`,
  )
}

/** As gatherPage, by the names of the filter: the names that match are found first. */
export function gatherPageByNames(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  today: string,
): Promise<OrderPage> {
  const isHere: Condition = sql`environment_id = ${environmentId}::uuid`
  const matches = allOf([isHere, ...nameConditions(filter.names)])
  const conditions = orderConditions(environmentId, filter, today)
  return sortGathered(
    db,
    filter,
    sql`select found.* from (
        select patient_name from order_name_counts where ${matches}
        union
        select patient_name from order_count_changes where ${matches}
        order by patient_name
      ) as names
      cross join lateral (
        select ${sortedColumns(filter)} from orders
        where ${conditions} and patient_name collate "C" = names.patient_name
        offset 0
      ) as found`,
  )
}

/** No more than the sort needs, which indexes have at hand. */
function sortedColumns({ key }: OrderFilter): RawBuilder<unknown> {
  return sql.join(
    key === 'created_at' ? [sql`id`, sql`created_at`] : [sql`id`, sql`created_at`, sql.ref(key)],
  )
}

async function sortGathered(
  db: Db,
  filter: OrderFilter,
  matching: RawBuilder<unknown>,
): Promise<OrderPage> {
  const { rows } = await sql<OrderPage>`
    with matching as materialized (${matching})
    select (select count(*) from matching) as total,
      array(
        select id from matching order by ${sortOf(filter)}
        offset ${filter.offset}::bigint limit ${filter.size}
      )::text[] as ids`.execute(db)
  return rows[0] ?? { ids: [], total: 0 }
}

/**
 * Goes along the sort key to the page, from the nearer end. For filters that many orders pass, when
 * their number is known.
 */
export async function walkToPage(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  today: string,
  total: number,
): Promise<OrderPage> {
  const { offset, size } = filter
  const wanted = Math.min(size, total - offset)
  if (wanted <= 0) return { ids: [], total }
  const after = total - offset - wanted
  const isReversed = after < offset
  const { rows } = await sql<{ id: string }>`
    select id from orders
    where ${orderConditions(environmentId, filter, today)}
    order by ${sortOf(filter, isReversed)}
    offset ${isReversed ? after : offset}::bigint limit ${wanted}`.execute(db)
  const ids = rows.map(({ id }) => id)
  return { ids: isReversed ? ids.reverse() : ids, total }
}

/** Looks at every order. */
export async function countMatchingOrders(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  today: string,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select count(*) as total from orders
    where ${orderConditions(environmentId, filter, today)}`.execute(db)
  return rows[0]?.total ?? 0
}
