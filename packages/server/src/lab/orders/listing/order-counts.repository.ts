import { type RawBuilder, sql } from 'kysely'
import type { Db } from '../../../platform/postgres/database.ts'
import { splitByDays } from './day-range.ts'
import {
  allOf,
  type Condition,
  IS_SHOWN,
  nameConditions,
  rangeConditions,
  stateConditions,
} from './order-conditions.repository.ts'
import type { InstantRange, NamePart, OrderFilter } from './orders-list.filter.ts'

/** Numbers of orders without looking at each (decision 12). */

/** The instant of an order whose day it is counted by. */
export type CountedBy = 'created_at' | 'updated_at'

const DAY_OF_CHANGE = { created_at: 'created_on', updated_at: 'updated_on' } as const

/**
 * Rows (day, method, last_status, interpretation, orders) that add up to the orders in a range of one
 * of their instants, by its day. Several rows may be about the same; some are negative. Names and
 * the other instant do not count; neither do ids.
 * @param today of the environment, UTC
 */
export function countedOrders(
  environmentId: string,
  filter: OrderFilter,
  by: CountedBy,
  today: string,
): RawBuilder<unknown> {
  const range = by === 'created_at' ? filter.created : filter.updated
  const { whole, parts } = splitByDays(range)
  const isHere: Condition = sql`environment_id = ${environmentId}::uuid`
  const states = stateConditions(filter)
  const day = sql.ref(DAY_OF_CHANGE[by])
  const sources: RawBuilder<unknown>[] = []
  if (whole) {
    const isByDay: Condition = sql`counted_by = ${by}`
    sources.push(
      sql`select day, method, last_status, interpretation, orders from order_counts
        where ${allOf([isHere, isByDay, ...states, ...dayConditions(sql.ref('day'), whole)])}`,
      sql`select ${day}, method, last_status, interpretation, change from order_count_changes
        where ${allOf([isHere, ...states, ...dayConditions(day, whole)])}`,
    )
  }
  for (const part of parts) {
    const conditions = allOf([isHere, ...states, ...rangeConditions(by, part)])
    sources.push(lookedUp(by, sql`1`, conditions))
  }
  if (filter.activation === 'current') sources.push(scheduled(isHere, states, by, range, today))
  if (sources.length === 0)
    return sql`select null::date as day, '' as method, '' as last_status,
    null::text as interpretation, 0 as orders where false`
  return sql.join(sources, sql` union all `)
}

function dayConditions(
  day: RawBuilder<unknown>,
  { firstDay, endDay }: { firstDay: string | null; endDay: string | null },
): Condition[] {
  const conditions: Condition[] = []
  if (firstDay) conditions.push(sql`${day} >= ${firstDay}::date`)
  if (endDay) conditions.push(sql`${day} < ${endDay}::date`)
  return conditions
}

function lookedUp(by: CountedBy, each: RawBuilder<unknown>, conditions: Condition) {
  return sql`select (${sql.ref(by)} at time zone 'UTC')::date as day, method, last_status,
      interpretation, ${each} as orders
    from orders where ${allOf([IS_SHOWN, conditions])}`
}

/** Orders that are not yet current are few; they are taken off. */
function scheduled(
  isHere: Condition,
  states: Condition[],
  by: CountedBy,
  range: InstantRange,
  today: string,
) {
  const isScheduled: Condition = sql`activate_by > ${today}::date`
  return lookedUp(
    by,
    sql`-1`,
    allOf([isHere, isScheduled, ...states, ...rangeConditions(by, range)]),
  )
}

/** Orders of the states and of the range; see countedOrders for what does not count. */
export async function countOrders(
  db: Db,
  environmentId: string,
  filter: OrderFilter,
  by: CountedBy,
  today: string,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(orders), 0)::bigint as total
    from (${countedOrders(environmentId, filter, by, today)}) as counted`.execute(db)
  return rows[0]?.total ?? 0
}

/** Orders whose names contain all parts, and how many pairs of names these are. */
export async function countNamedOrders(
  db: Db,
  environmentId: string,
  names: readonly NamePart[],
): Promise<{ total: number; pairs: number }> {
  const matches = allOf([sql`environment_id = ${environmentId}::uuid`, ...nameConditions(names)])
  const { rows } = await sql<{ total: number; pairs: number }>`
    select coalesce(sum(orders), 0)::bigint as total, count(*) as pairs from (
      select orders from order_name_counts where ${matches}
      union all
      select change from order_count_changes where ${matches}
    ) as counted`.execute(db)
  return rows[0] ?? { total: 0, pairs: 0 }
}

const LETTER_COLUMNS = {
  patient_name: 'in_patient_name',
  shipping_recipient_name: 'in_shipping_recipient_name',
  either: 'in_either',
} as const

/** True for a part so short that orders are counted by it. */
export function isCountedByLetters({ text }: NamePart): boolean {
  return [...text].length <= 2
}

/** Rows (day, orders) that add up to the orders whose names contain a part of one or two letters. */
export function countedByLetters(environmentId: string, name: NamePart): RawBuilder<unknown> {
  const isHere: Condition = sql`environment_id = ${environmentId}::uuid`
  return sql`select day, ${sql.ref(LETTER_COLUMNS[name.of])} as orders from order_letter_counts
      where ${isHere} and letters = ${name.text}
    union all
    select created_on, change from order_count_changes
      where ${allOf([isHere, ...nameConditions([name])])}`
}

export async function countByLetters(
  db: Db,
  environmentId: string,
  name: NamePart,
): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    select coalesce(sum(orders), 0)::bigint as total
    from (${countedByLetters(environmentId, name)}) as counted`.execute(db)
  return rows[0]?.total ?? 0
}
