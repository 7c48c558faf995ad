import type { RowExpression, SourceColumn, TableColumn } from '../expressions.schema.ts'
import type { Column, ScalarColumn } from '../tables/query-source.ts'
import { toListReading } from './list-values.ts'
import type { RowValue } from './plan.ts'
import { findColumn, isTableColumn, type QueryScope } from './query-scope.ts'
import { type Location, refuseQuery } from './refuse-query.ts'

/**
 * Resolves an expression to a value of every row.
 * @throws InputError `unknown_column`, `list_column`, `invalid_subquery` and those of filters.
 */
export function toRowValue(scope: QueryScope, expression: RowExpression, loc: Location): RowValue {
  if (isTableColumn(expression)) return toColumn(scope, expression, loc)
  if ('index' in expression) return toIndex(scope)
  if ('source' in expression) return toSharedColumn(scope, expression.source, [...loc, 'source'])
  if ('value_macro' in expression) {
    const [source] = scope.sources
    const column = source.macros.get(expression.value_macro) as ScalarColumn
    return { kind: 'column', name: column.name, source: 0, column }
  }
  return toListReading(scope, expression, loc)
}

function toIndex({ sources: [{ index }] }: QueryScope): RowValue {
  return { kind: 'index', name: index.name, type: index.type }
}

function toColumn(scope: QueryScope, expression: TableColumn, loc: Location): RowValue {
  const { source, column } = findColumn(scope, expression, loc)
  const series = scope.sources[source]?.series ?? null
  const name = series === null ? column.name : `${series}.${column.name}`
  return { kind: 'column', name, source, column: refuseList(column, loc) }
}

function refuseList(column: Column, loc: Location): ScalarColumn {
  if (column.kind === 'scalar') return column
  return refuseQuery(
    loc,
    'list_column',
    'A list column can only be read by a subquery that aggregates it.',
  )
}

/**
 * Resolves a column that all sources have.
 * @throws InputError `unknown_column` when one lacks it.
 */
export function toSharedColumn(
  { sources }: QueryScope,
  name: SourceColumn | string,
  loc: Location,
): RowValue {
  const columns = sources.map(({ columns }) => columns.get(name))
  const [first] = columns
  if (first?.kind !== 'scalar' || columns.some((column) => column === undefined)) {
    return refuseQuery(loc, 'unknown_column', 'The table has no column with this name.')
  }
  return { kind: 'shared', name, column: name, type: first.type }
}
