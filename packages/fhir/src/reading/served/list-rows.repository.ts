import { isUuid } from '@salus/kernel/ids'
import type { Scope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { RowFilter, RowPage } from './row-page.ts'

/** A row of a list, with its last change and, where it is about a person, their id. */
export interface ServedRow {
  id: string
  user_id: string
  at: Date
}

export type Query = (scope: Scope) => RawBuilder<unknown>

/** Type of the ids of a list. */
export type IdType = 'uuid' | 'text'

/**
 * Lists rows of one query; all conditions on its columns reach the tables below it. Positions have
 * milliseconds, like the clock of the process that wrote the times.
 */
export async function listRows<Row extends ServedRow>(
  scope: Scope,
  query: Query,
  filter: RowFilter,
  page: RowPage,
  type: IdType = 'uuid',
): Promise<Row[]> {
  const { rows } = await sql<Row>`
    select * from (${query(scope)}) as found
    where ${conditionsOf(filter, page, type)}
    order by ${page.order === 'id' ? sql`id` : page.order === 'newest' ? sql`at desc, id desc` : sql`at, id`}
    limit ${page.limit}`.execute(scope.db)
  return rows
}

function conditionsOf(
  { userId, ids, orderIds, since, before }: RowFilter,
  { order, after, isIncluded }: RowPage,
  type: IdType,
) {
  const known = type === 'uuid' ? ids?.filter((id) => isUuid(id)) : ids
  const conditions = [sql`true`]
  if (userId !== undefined) conditions.push(sql`user_id = ${userId}::uuid`)
  if (known !== undefined) conditions.push(sql`id = any(${[...known]}::${sql.raw(type)}[])`)
  if (orderIds !== undefined) conditions.push(sql`order_id = any(${[...orderIds]}::uuid[])`)
  if (since !== undefined) conditions.push(sql`at >= ${new Date(since)}`)
  if (before !== undefined) conditions.push(sql`at < ${new Date(before)}`)
  if (after !== null) {
    const id = sql`${after.id}::${sql.raw(type)}`
    if (order === 'id') conditions.push(sql`id > ${id}`)
    else {
      const position = sql`(${new Date(after.at)}::timestamptz, ${id})`
      conditions.push(
        sql`(at, id) ${sql.raw(order === 'newest' ? '<' : '>')}${sql.raw(isIncluded ? '=' : '')} ${position}`,
      )
    }
  }
  return sql.join(conditions, sql` and `)
}
