import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
import {
  activationConditions,
  allOf,
  type Condition,
  directionOf,
  IS_SHOWN,
  nameConditions,
  rangeConditions,
} from './order-conditions.repository.ts'
import { countedByLetters, countedOrders } from './order-counts.repository.ts'
import type { NamePart, OrderFilter } from './orders-list.filter.ts'

/**
 * Pages that are found by counts of days: these tell in which days the page lies, so that only orders
 * of those are looked at, however deep the page is (decision 12).
 */

/** What is counted, and the days (of a status, when the list is sorted by it) that the page is in. */
interface Place {
  total: number
  /** Orders of these days before the page. */
  skipped: number
  days: string[]
  /** Beside each day; empty texts when the list is not sorted by status. */
  statuses: string[]
}

/** @param counted Rows with day, orders and, when it is the sort key, last_status */
async function findPlace(
  db: Db,
  filter: OrderFilter,
  counted: RawBuilder<unknown>,
): Promise<Place> {
  const direction = directionOf(filter)
  const status = filter.key === 'last_status' ? sql.ref('last_status') : sql`''::text`
  const { offset, size } = filter
  const isOnPage = sql`before < ${offset + size}::bigint and before + orders > ${offset}::bigint`
  const { rows } = await sql<Place & { before: number }>`
    with days as (
      select ${status} collate "C" as status, day, sum(orders)::bigint as orders
      from (${counted}) as counted
      group by 1, 2
      having sum(orders) <> 0
    ),
    running as (
      select status, day, orders,
        (sum(orders) over (order by status ${direction}, day ${direction}))::bigint - orders as before
      from days
    )
    select coalesce(sum(orders), 0)::bigint as total,
      coalesce(min(before) filter (where ${isOnPage}), 0) as before,
      coalesce(array_agg(day::text) filter (where ${isOnPage}), '{}') as days,
      coalesce(array_agg(status) filter (where ${isOnPage}), '{}') as statuses
    from running`.execute(db)
  const [row] = rows
  if (row === undefined) throw new Error('An aggregate without groups gave no row.')
  const { total, before, days, statuses } = row
  return { total, skipped: offset - before, days, statuses }
}

/** Orders of a page, by conditions that the counts of states tell apart. Sorted by time or status. */
export async function findCountedPage(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  today: string,
): Promise<{ ids: string[]; total: number }> {
  const counted = countedOrders(environmentId, filter, 'created_at', today)
  const place = await findPlace(db, filter, counted)
  if (place.days.length === 0) return { ids: [], total: place.total }
  const isInPlace =
    filter.key === 'last_status'
      ? sql`(last_status, day) in
          (select * from unnest(${place.statuses}::text[], ${place.days}::date[]))`
      : sql`day = any(${place.days}::date[])`
  const direction = directionOf(filter)
  const byStatus =
    filter.key === 'last_status' ? sql`states.last_status collate "C" ${direction},` : sql``
  const conditions = [
    sql<boolean>`environment_id = ${environmentId}::uuid
      and last_status = states.last_status and method = states.method`,
    IS_SHOWN,
    isOnDay('states'),
    ...rangeConditions('created_at', filter.created),
    ...activationConditions(filter, today),
  ]
  const ordersOf = (interpretation: Condition) =>
    sql`select id, created_at from orders where ${allOf([...conditions, interpretation])}`
  const { rows } = await sql<{ id: string }>`
    with states as materialized (
      select day, method, last_status, interpretation
      from (${counted}) as counted
      where ${isInPlace}
      group by day, method, last_status, interpretation
      having sum(orders) <> 0
    )
    select found.id
    from states
    cross join lateral (
      ${ordersOf(sql`interpretation = states.interpretation`)}
      union all
      ${ordersOf(sql`interpretation is null and states.interpretation is null`)}
      offset 0
    ) as found
    order by ${byStatus} found.created_at ${direction}, found.id ${direction}
    offset ${place.skipped} limit ${filter.size}`.execute(db)
  return { ids: rows.map(({ id }) => id), total: place.total }
}

/** Orders of a page sorted by creation, by one or two letters of a name and nothing else. */
export async function findPageByLetters(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  name: NamePart,
): Promise<{ ids: string[]; total: number }> {
  const place = await findPlace(db, filter, countedByLetters(environmentId, name))
  if (place.days.length === 0) return { ids: [], total: place.total }
  const conditions = [
    sql<boolean>`environment_id = ${environmentId}::uuid`,
    IS_SHOWN,
    isOnDay('days'),
    ...nameConditions([name]),
  ]
  const direction = directionOf(filter)
  const { rows } = await sql<{ id: string }>`
    select found.id
    from unnest(${place.days}::date[]) as days (day)
    cross join lateral (
      select id, created_at from orders where ${allOf(conditions)} offset 0
    ) as found
    order by found.created_at ${direction}, found.id ${direction}
    offset ${place.skipped} limit ${filter.size}`.execute(db)
  return { ids: rows.map(({ id }) => id), total: place.total }
}

function isOnDay(table: string): Condition {
  const day = sql.ref(`${table}.day`)
  return sql`created_at >= ${day}::timestamp at time zone 'UTC'
    and created_at < (${day} + 1)::timestamp at time zone 'UTC'`
}
