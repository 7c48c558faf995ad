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

interface SourceChoice<Table extends TableName> {
  /** Merges the sources, so that each sleep or workout counts once. */
  sourceRule?: Table extends 'sleep' | 'workout' | 'merged' ? 'merged' : never
}

/** A query of unchanged rows, all of one table. */
interface RowQuery<Table extends TableName> extends SourceChoice<Table> {
  select: readonly ValueExpression<Table>[]
  where?: Filter | string
  groupBy?: undefined
  align?: undefined
}

/** A query of aggregates, for each group or for all rows. */
interface AggregateQuery<Table extends TableName> extends SourceChoice<Table> {
  select: readonly (AggregateExpression<Table> | GroupKeyExpression)[]
  groupBy?: readonly GroupExpression<Table>[]
  where?: Filter | string
  align?: Align
}

/** A query in its JSON form, as the server accepts it. */
export interface QueryJson {
  select: Expression['json'][]
  group_by?: Expression['json'][]
  where?: string
  align?: Align
  source_rule?: 'merged'
}

/**
 * Builds a query. Expressions of two tables, and row values beside aggregates, are errors of the
 * compiler, as they would be of the server.
 */
export function query<Table extends TableName>(
  parts: RowQuery<Table> | AggregateQuery<Table>,
): QueryJson {
  const { select, groupBy, where, align, sourceRule } = parts
  return {
    select: select.map(({ json }) => json),
    ...(groupBy === undefined ? {} : { group_by: groupBy.map(({ json }) => json) }),
    ...(where === undefined ? {} : { where: filterText(where) }),
    ...(align === undefined ? {} : { align }),
    ...(sourceRule === undefined ? {} : { source_rule: sourceRule }),
  }
}

/** Body of `POST /aggregate/v1/user/{user_id}/query`. */
export interface QueryRequest {
  timeframe: { type: 'relative'; anchor: string; past: Period }
  queries: QueryJson[]
  config?: { provider_priority_overrides?: string[] }
}

/** Returns the timeframe of this length that ends with a day (YYYY-MM-DD). */
export function past(
  value: number,
  unit: Period['unit'],
  anchor: string,
): QueryRequest['timeframe'] {
  return { type: 'relative', anchor, past: { value, unit } }
}

/** A value in a result. Dates and local times are texts. */
export type QueryValue = string | number | boolean | null | readonly string[]

/** A table of a result: columns of one length. */
export type QueryTable = Record<string, readonly QueryValue[]>

/**
 * How a result counts sources: each instant once, merged from all; for each group the rows of one
 * source; or all rows, even where several sources measured the same.
 */
export type SourceRule = 'merged' | 'one_source' | 'all_sources'

export interface QueryAnswer {
  results: { table: QueryTable; source_rule: SourceRule }[]
}

/** Converts a table to rows. */
export function toRows(table: QueryTable): Record<string, QueryValue>[] {
  const columns = Object.entries(table)
  const length = columns[0]?.[1].length ?? 0
  return Array.from({ length }, (_, row) =>
    Object.fromEntries(columns.map(([name, values]) => [name, values[row] ?? null])),
  )
}
