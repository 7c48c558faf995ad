import { type RawBuilder, sql } from 'kysely'
import type { Scope } from '../../../platform/scope.ts'
import type { InstantRange, NamePart, OrderFilter } from './orders-list.filter.ts'
import { toSubstringPattern } from './searched-text.ts'

/**
 * The list of orders: one statement a page, for which every filter and sort has an index
 * (docs/decisions/0012-listing-orders.md).
 */

/** A total that would take a look at every order is exact up to here. */
const MOST_COUNTED = 10_000

export interface OrderPage {
  /** In the order of the list. */
  ids: string[]
  /** Orders on all pages. */
  total: number
  /** There are more than the total says. */
  isCapped: boolean
}

/**
 * One page of orders and how many match on all pages, both of one moment.
 * @param today of the environment, UTC
 */
export async function findOrderPage(
  scope: Scope,
  filter: OrderFilter,
  today: string,
): Promise<OrderPage> {
  const { db, environment } = scope
  if (filter.interpretations?.length === 0) return { ids: [], total: 0, isCapped: false }
  const matching = sql`from orders where ${matches(environment.id, filter, today)}`
  const statement = isCountedInPart(filter) ? walk(filter, matching) : count(filter, matching)
  const { rows } = await statement.execute(db)
  const { ids, total } = rows[0] ?? { ids: [], total: 0 }
  if (!isCountedInPart(filter) || total <= MOST_COUNTED) return { ids, total, isCapped: false }
  return { ids, total: MOST_COUNTED, isCapped: true }
}

type Found = Pick<OrderPage, 'ids' | 'total'>

/** Fewer than three letters are in no index: where they are the only names, orders are passed one by one. */
function isCountedInPart({ names }: OrderFilter): boolean {
  return names.length > 0 && names.every(({ text }) => [...text].length < 3)
}

/** All that match are counted. */
const count = (filter: OrderFilter, matching: RawBuilder<unknown>) => sql<Found>`
  select (select count(*) ${matching}) as total, array(
    select id ${matching} order by ${sortOf(filter)} ${pageOf(filter)}
  )::text[] as ids`

/** Orders are passed in the order of the list until the page is reached and enough are counted. */
const walk = (filter: OrderFilter, matching: RawBuilder<unknown>) => sql<Found>`
  with passed as materialized (
    select ${sortedColumns(filter)} ${matching} order by ${sortOf(filter)}
    limit ${Math.max(MOST_COUNTED + 1, filter.offset + filter.size)}::bigint
  )
  select (select count(*) from passed) as total, array(
    select id from passed order by ${sortOf(filter)} ${pageOf(filter)}
  )::text[] as ids`

const sortedColumns = ({ key }: OrderFilter) =>
  sql.join([...new Set(['id', 'created_at', key])].map((column) => sql.ref(column)))

const pageOf = ({ offset, size }: OrderFilter) => sql`offset ${offset}::bigint limit ${size}`

/** Orders of one name or status follow by creation, then by id. Texts compare by their bytes. */
function sortOf({ key, direction }: OrderFilter): RawBuilder<unknown> {
  const to = direction === 'asc' ? sql`asc` : sql`desc`
  const byTime = sql`created_at ${to}, id ${to}`
  return key === 'created_at' ? byTime : sql`${sql.ref(key)} collate "C" ${to}, ${byTime}`
}

type Condition = RawBuilder<boolean>

/** Every condition of the filter. Orders of deleted people are in no list, nor in the indexes it goes by. */
function matches(environmentId: string, filter: OrderFilter, today: string): Condition {
  const conditions: Condition[] = [
    sql`environment_id = ${environmentId}::uuid and not is_hidden`,
    ...stateConditions(filter),
    ...rangeConditions('created_at', filter.created),
    ...rangeConditions('updated_at', filter.updated),
    ...filter.names.map(nameCondition),
    ...personConditions(filter),
  ]
  if (filter.activation === 'scheduled') conditions.push(sql`activate_by > ${today}::date`)
  if (filter.activation === 'current') {
    conditions.push(sql`(activate_by is null or activate_by <= ${today}::date)`)
  }
  return sql.join(conditions, sql` and `)
}

function stateConditions({ statuses, methods, interpretations }: OrderFilter): Condition[] {
  const conditions: Condition[] = []
  if (statuses) conditions.push(sql`last_status = any(${statuses}::text[])`)
  if (methods) conditions.push(sql`method = any(${methods}::text[])`)
  if (interpretations) {
    const known = interpretations.filter((value) => value !== null)
    const isKnown = sql<boolean>`interpretation = any(${known}::text[])`
    const orNone = sql<boolean>`(${isKnown} or interpretation is null)`
    conditions.push(known.length < interpretations.length ? orNone : isKnown)
  }
  return conditions
}

function rangeConditions(
  column: 'created_at' | 'updated_at',
  { from, before }: InstantRange,
): Condition[] {
  const conditions: Condition[] = []
  if (from) conditions.push(sql`${sql.ref(column)} >= ${from}`)
  if (before) conditions.push(sql`${sql.ref(column)} < ${before}`)
  return conditions
}

function nameCondition({ of, text }: NamePart): Condition {
  const pattern = toSubstringPattern(text)
  if (of !== 'either') return sql`${sql.ref(of)} like ${pattern}`
  return sql`(patient_name like ${pattern} or shipping_recipient_name like ${pattern})`
}

function personConditions(filter: OrderFilter): Condition[] {
  const { userId, transactionId, orderIds, orderOrUserId, birthDate } = filter
  const conditions: Condition[] = []
  if (userId) conditions.push(sql`user_id = ${userId}::uuid`)
  if (transactionId) conditions.push(sql`transaction_id = ${transactionId}::uuid`)
  if (orderIds) conditions.push(sql`id = any(${orderIds}::uuid[])`)
  if (orderOrUserId) {
    conditions.push(sql`(id = ${orderOrUserId}::uuid or user_id = ${orderOrUserId}::uuid)`)
  }
  if (birthDate) conditions.push(sql`patient_dob = ${birthDate}::date`)
  return conditions
}
