import {
  type GroupByExpression,
  SUMMARY_TABLE_NAMES,
  type SummaryTableName,
  type TableColumn,
  type TableName,
} from '../expressions.schema.ts'
import type { Query } from '../query.schema.ts'
import {
  findMergedSource,
  findMergedSummarySource,
  findSeriesSource,
  summarySource,
} from '../tables/find-source.ts'
import type { Column, QuerySource } from '../tables/query-source.ts'
import { type Location, refuseQuery } from './refuse-query.ts'

/** The tables and series of a query, in which its expressions are resolved. */
export interface QueryScope {
  /** One table, or the series in the order of their first use. */
  sources: readonly [QuerySource, ...QuerySource[]]
  table: TableName
}

interface Mention {
  table: TableName
  series: string | null
  loc: Location
}

/**
 * Returns the sources that a query reads.
 * @throws InputError `cross_table`, `unknown_column`, `placeholder`, `invalid_source_rule`.
 */
export function scopeOf(query: Query, loc: Location): QueryScope {
  const mentions = [
    ...query.select.flatMap((item, at) => mentionsOf(item, [...loc, 'select', at])),
    ...(query.group_by ?? []).flatMap((item, at) => mentionsOf(item, [...loc, 'group_by', at])),
  ]
  const [first] = mentions
  if (first === undefined) {
    return refuseQuery([...loc, 'select'], 'unknown_column', 'The query must name a table.')
  }
  const { table } = first
  const other = mentions.find((mention) => mention.table !== table)
  if (other !== undefined) refuseQuery(other.loc, 'cross_table', 'A query can read only one table.')
  const isMerged = query.source_rule === 'merged'
  if (table !== 'timeseries' && table !== 'merged') {
    const source = isMerged ? findMergedSummarySource(table) : summarySource(table)
    if (source === undefined) refuseSourceRule(loc)
    return { table, sources: [source] }
  }
  if (isMerged && table === 'timeseries') refuseSourceRule(loc)
  const [source, ...others] = new Set(mentions.flatMap(seriesOf))
  if (source === undefined) {
    return refuseQuery([...loc, 'select'], 'unknown_column', 'The query must name a series.')
  }
  return { table, sources: [source, ...others] }
}

function refuseSourceRule(loc: Location): never {
  return refuseQuery(
    [...loc, 'source_rule'],
    'invalid_source_rule',
    'Only the tables sleep, workout and merged can be merged.',
  )
}

function seriesOf({ table, series, loc }: Mention): QuerySource[] {
  if (series === null) return []
  const isMerged = table === 'merged'
  const source = isMerged ? findMergedSource(series) : findSeriesSource(series)
  if (source !== undefined) return [source]
  const message =
    isMerged && findSeriesSource(series) !== undefined
      ? 'This series is not merged. Read it as timeseries.'
      : 'There is no series with this name.'
  return refuseQuery([...loc, table], 'unknown_column', message)
}

function mentionsOf(
  expression: Query['select'][number] | GroupByExpression,
  loc: Location,
): Mention[] {
  if ('placeholder' in expression) {
    return refuseQuery(
      loc,
      'placeholder',
      'A placeholder has no value. Replace it with an expression.',
    )
  }
  if ('func' in expression) return mentionsOf(expression.arg, [...loc, 'arg'])
  if ('date_trunc' in expression || 'date_part' in expression) {
    return mentionsOf(expression.arg, [...loc, 'arg'])
  }
  if ('index' in expression) return [{ table: expression.index, series: null, loc }]
  if ('value_macro' in expression) return [{ table: 'sleep', series: null, loc }]
  if ('from' in expression) return mentionsOf(expression.from.unnest, [...loc, 'from', 'unnest'])
  if (!isTableColumn(expression)) return []
  const { table, series } = tableOf(expression)
  return [{ table, series, loc }]
}

const OTHER_KEYS = ['index', 'source', 'value_macro', 'from', 'group_key'] as const

/** Whether the expression is a plain column of a table. */
export function isTableColumn(expression: object): expression is TableColumn {
  return !OTHER_KEYS.some((key) => key in expression)
}

function tableOf(column: TableColumn): { table: TableName; series: string | null; name: string } {
  if ('timeseries' in column) {
    return { table: 'timeseries', series: column.timeseries, name: column.field }
  }
  if ('merged' in column) return { table: 'merged', series: column.merged, name: column.field }
  const table = SUMMARY_TABLE_NAMES.find((name) => name in column) as SummaryTableName
  return { table, series: null, name: column[table] as string }
}

/** A column with the position of its source. */
interface FoundColumn {
  source: number
  column: Column
}

/** @throws InputError `unknown_column`. */
export function findColumn(
  { sources }: QueryScope,
  expression: TableColumn,
  loc: Location,
): FoundColumn {
  const { table, series, name } = tableOf(expression)
  const source = sources.findIndex((one) => one.series === series)
  const column = sources[source]?.columns.get(name)
  if (column === undefined) {
    const at = [...loc, series === null ? table : 'field']
    return refuseQuery(at, 'unknown_column', 'There is no column with this name.')
  }
  return { source, column }
}
