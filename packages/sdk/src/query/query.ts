import type {
  AggregateExpression,
  Expression,
  GroupExpression,
  GroupKeyExpression,
  Period,
  TableName,
  ValueExpression,
} from './expression.ts'
import { type Filter, filterText } from './filter.ts'

/** Fills buckets without a value from their neighbors. */
export type Align =
  | { carry: { mode: 'carry_forward' | 'carry_backward'; max_age: Period | null } }
  | { carry: { mode: 'carry_nearest'; span: Period | null } }

/** Rows as they are, all of one table. */
interface RowQuery<Table extends TableName> {
  select: readonly ValueExpression<Table>[]
  where?: Filter | string
  groupBy?: undefined
  align?: undefined
}

/** Aggregates, of each group or of all rows. */
interface AggregateQuery<Table extends TableName> {
  select: readonly (AggregateExpression<Table> | GroupKeyExpression)[]
  groupBy?: readonly GroupExpression<Table>[]
  where?: Filter | string
  align?: Align
}

/** A query in its JSON form, as the server takes it. */
export interface QueryJson {
  select: Expression['json'][]
  group_by?: Expression['json'][]
  where?: string
  align?: Align
}

/**
 * Puts a query together. Expressions of two tables, and row values beside aggregates, are errors of
 * the compiler, as they would be of the server.
 */
export function query<Table extends TableName>(
  parts: RowQuery<Table> | AggregateQuery<Table>,
): QueryJson {
  const { select, groupBy, where, align } = parts
  return {
    select: select.map(({ json }) => json),
    ...(groupBy === undefined ? {} : { group_by: groupBy.map(({ json }) => json) }),
    ...(where === undefined ? {} : { where: filterText(where) }),
    ...(align === undefined ? {} : { align }),
  }
}

/** The body of `POST /aggregate/v1/user/{user_id}/query`. */
export interface QueryRequest {
  timeframe: { type: 'relative'; anchor: string; past: Period }
  queries: QueryJson[]
  config?: { provider_priority_overrides?: string[] }
}

/** The time that ends with a day (YYYY-MM-DD) and is as long as said. */
export function past(
  value: number,
  unit: Period['unit'],
  anchor: string,
): QueryRequest['timeframe'] {
  return { type: 'relative', anchor, past: { value, unit } }
}

/** A value in an answer. Dates and local times are texts. */
export type QueryValue = string | number | boolean | null | readonly string[]

/** A table of an answer: columns of one length. */
export type QueryTable = Record<string, readonly QueryValue[]>

/**
 * Which sources an answer counts: each instant once, by the merge of all; of each group the rows of
 * one; or all rows, also where several sources measured the same.
 */
export type SourceRule = 'merged' | 'one_source' | 'all_sources'

export interface QueryAnswer {
  results: { table: QueryTable; source_rule: SourceRule }[]
}

/** A table row by row. */
export function toRows(table: QueryTable): Record<string, QueryValue>[] {
  const columns = Object.entries(table)
  const length = columns[0]?.[1].length ?? 0
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[row] ?? null])),
  )
}
