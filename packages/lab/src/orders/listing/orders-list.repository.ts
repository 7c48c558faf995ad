import type { Interpretation } from '@salus/contracts/lab-gateway'
import type { CollectionMethod, LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { RowScope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { OrderDirection, OrderKey } from './orders-list.schema.ts'
import { toSubstringPattern } from './searched-text.ts'

/**
 * The list of orders: one statement per page, with an index for every filter and sort
 * (docs/decisions/0012-listing-orders.md).
 */

/** Limit of counts without an index, so that no team waits until all orders were read. */
const MOST_COUNTED = 10_000

/** Range that includes the first and excludes the second instant; null is open. */
export interface InstantRange {
  from: Date | null
  before: Date | null
}

/** A part of a name and its owner; `either` is the patient or the shipping recipient. */
export interface NamePart {
  of: 'patient_name' | 'shipping_recipient_name' | 'either'
  text: string
}

/** Filter and order of the list. Null is no condition; all other conditions must hold. */
export interface OrderFilter {
  created: InstantRange
  updated: InstantRange
  statuses: readonly LowLevelStatus[] | null
  methods: readonly CollectionMethod[] | null
  /** A null element matches orders without results. */
  interpretations: readonly (Interpretation | null)[] | null
  activation: 'current' | 'scheduled' | null
  names: readonly NamePart[]
  userId: string | null
  transactionId: string | null
  orderIds: readonly string[] | null
  /** Matches the order's own id or that of its user. */
  orderOrUserId: string | null
  birthDate: string | null
  key: OrderKey
  direction: OrderDirection
  /** Number of orders before the page. */
  offset: number
  size: number
}

export interface OrderPage {
  /** In the order of the list. */
  ids: string[]
  /** Number of orders on all pages, if not capped. */
  total: number
  /**
   * Whether there are more orders than the total says, which is then 10,000, or one more than the
   * orders up to the end of this page.
   */
  isCapped: boolean
}

/**
 * Returns one page of orders and the number of matching orders, from one snapshot.
 * @param today of the environment, UTC
 */
export async function findOrderPage(
  { db, environment }: RowScope,
  filter: OrderFilter,
  today: string,
): Promise<OrderPage> {
  if (filter.interpretations?.length === 0) return { ids: [], total: 0, isCapped: false }
  const { offset, size } = filter
  const most = isCountedInPart(filter) ? Math.max(MOST_COUNTED, offset + size + 1) : null
  const limit = most === null ? sql`` : sql`limit ${most + 1}::bigint`
  const matching = sql`from orders where ${filterConditions(environment.id, filter, today)}`
  // The count and the page each use their own index; a page behind the last order is not read.
  const { rows } = await sql<{ ids: string[]; counted: number }>`
    select counted, case when counted > ${offset}::bigint then array(
      select id ${matching} order by ${sortOf(filter)} offset ${offset}::bigint limit ${size}
    )::text[] else '{}' end as ids
    from (select count(*) as counted from
      (select ${matching} ${limit}) as matching) as total`.execute(db)
  const { ids, counted } = rows[0] ?? { ids: [], counted: 0 }
  const isCapped = most !== null && counted > most
  return { ids, total: isCapped ? most : counted, isCapped }
}

/**
 * Names of fewer than three letters have no index: when all names are so short, orders are scanned.
 */
function isCountedInPart({ names }: OrderFilter): boolean {
  return names.length > 0 && names.every(({ text }) => [...text].length < 3)
}

/**
 * Orders with the same name or status are sorted by creation, then by id. Texts compare bytewise.
 */
function sortOf({ key, direction }: OrderFilter): RawBuilder<unknown> {
  const to = direction === 'asc' ? sql`asc` : sql`desc`
  const byTime = sql`created_at ${to}, id ${to}`
  return key === 'created_at' ? byTime : sql`${sql.ref(key)} collate "C" ${to}, ${byTime}`
}

type Condition = RawBuilder<boolean>

/**
 * SQL of all conditions of the filter. Orders of deleted people are not listed, nor are they in the
 * indexes.
 */
function filterConditions(environmentId: string, filter: OrderFilter, today: string): Condition {
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
