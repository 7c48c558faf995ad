import { type RawBuilder, sql } from 'kysely'
import type { InstantRange, NamePart, OrderFilter } from './orders-list.filter.ts'
import { toSubstringPattern } from './searched-text.ts'

/** Conditions of the list as SQL, on the columns of `orders` or of a table with the same names. */

export type Condition = RawBuilder<boolean>

/** Orders of deleted people are in no list. Indexes of the list go by this very condition. */
export const IS_SHOWN: Condition = sql`not is_hidden`

export function allOf(conditions: readonly Condition[]): Condition {
  return sql.join(conditions, sql` and `)
}

/** What the counts of a day tell apart: status, method, interpretation. */
export function stateConditions(filter: OrderFilter): Condition[] {
  const { statuses, methods, interpretations } = filter
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

export function rangeConditions(
  column: 'created_at' | 'updated_at',
  { from, before }: InstantRange,
): Condition[] {
  const conditions: Condition[] = []
  if (from) conditions.push(sql`${sql.ref(column)} >= ${from}`)
  if (before) conditions.push(sql`${sql.ref(column)} < ${before}`)
  return conditions
}

/** Names of the order, of its counts or of changes of those contain the parts. */
export function nameConditions(names: readonly NamePart[]): Condition[] {
  return names.map(({ of, text }) => {
    const pattern = toSubstringPattern(text)
    if (of !== 'either') return sql`${sql.ref(of)} like ${pattern}`
    return sql`(patient_name like ${pattern} or shipping_recipient_name like ${pattern})`
  })
}

/** @param today of the environment, UTC */
export function activationConditions({ activation }: OrderFilter, today: string): Condition[] {
  if (activation === 'scheduled') return [sql`activate_by > ${today}::date`]
  if (activation === 'current') return [sql`(activate_by is null or activate_by <= ${today}::date)`]
  return []
}

/** Every condition of the filter, on `orders`. */
export function orderConditions(
  environmentId: string,
  filter: OrderFilter,
  today: string,
): Condition {
  const { userId, transactionId, orderIds, orderOrUserId, birthDate } = filter
  const conditions: Condition[] = [
    sql`environment_id = ${environmentId}::uuid`,
    IS_SHOWN,
    ...stateConditions(filter),
    ...rangeConditions('created_at', filter.created),
    ...rangeConditions('updated_at', filter.updated),
    ...nameConditions(filter.names),
    ...activationConditions(filter, today),
  ]
  if (userId) conditions.push(sql`user_id = ${userId}::uuid`)
  if (transactionId) conditions.push(sql`transaction_id = ${transactionId}::uuid`)
  if (orderIds) conditions.push(sql`id = any(${orderIds}::uuid[])`)
  if (orderOrUserId) {
    conditions.push(sql`(id = ${orderOrUserId}::uuid or user_id = ${orderOrUserId}::uuid)`)
  }
  if (birthDate) conditions.push(sql`patient_dob = ${birthDate}::date`)
  return allOf(conditions)
}

/** Direction of a sort, or the other one. */
export function directionOf({ direction }: OrderFilter, isReversed = false): RawBuilder<unknown> {
  return (direction === 'asc') === isReversed ? sql`desc` : sql`asc`
}

/** The order of the list. Orders of one name or status follow by creation, then by id. */
export function sortOf(filter: OrderFilter, isReversed = false): RawBuilder<unknown> {
  const direction = directionOf(filter, isReversed)
  const byTime = sql`created_at ${direction}, id ${direction}`
  if (filter.key === 'created_at') return byTime
  return sql`${sql.ref(filter.key)} collate "C" ${direction}, ${byTime}`
}
