import { resourceTitle } from '../../people/person/resource-title.ts'
import type { QueryTables } from '../query-completion.ts'
import type { ResultColumn } from '../result-series.ts'
import { type BuilderQuery, isSeriesTable, type Measure, type Period } from './builder-query.ts'

/** A column that a table has. */
export interface BuilderColumn {
  /** As in measures. */
  id: string
  /** Type of its values. */
  type: string
  unit: string | null
  /** Whether its values add up, as steps do. */
  additive: boolean
}

/** Returns the columns of a table; those of all series for a table of series. */
export function columnsOf(tables: QueryTables, table: string): BuilderColumn[] {
  if (isSeriesTable(table)) {
    const series = table === 'merged' ? tables.merged : tables.series
    return series.flatMap(({ name, fields }) =>
      fields.map((field) => ({ ...field, id: `${name}.${field.name}` })),
    )
  }
  const known = tables.summaries.find(({ name }) => name === table)
  return [
    ...(known?.columns ?? []).map((column) => ({ ...column, id: column.name })),
    ...(known?.macros ?? []).map((macro) => ({ ...macro, id: `macro:${macro.name}` })),
  ]
}

/** Returns a title in words: `Steps`, or `Steps: duration` for a field that is not the value. */
export function columnTitle(id: string): string {
  const [series, field] = id.split('.')
  if (field === undefined) return resourceTitle(id.replace('macro:', ''))
  const title = resourceTitle(series ?? '')
  return field === 'value' ? title : `${title}: ${field.replaceAll('_', ' ')}`
}

const FUNCTION_TITLES: Record<string, string> = {
  mean: 'Mean',
  min: 'Smallest',
  max: 'Largest',
  sum: 'Sum',
  count: 'Count',
  median: 'Median',
  stddev: 'Standard deviation',
  oldest: 'Oldest',
  newest: 'Newest',
}
export const functionTitle = (name: string): string => FUNCTION_TITLES[name] ?? name

const isNumeric = (type: string): boolean => type === 'integer' || type === 'number'

/** Returns the functions that take values of a type (docs/contract/09-aggregate.md). */
export function functionsFor(tables: QueryTables, type: string | undefined): readonly string[] {
  if (type === undefined || isNumeric(type)) return tables.functions
  const isTime = type === 'date' || type === 'datetime'
  return tables.functions.filter(
    (name) => name !== 'sum' && name !== 'stddev' && (isTime || !['mean', 'median'].includes(name)),
  )
}

/** Returns the function with which a column begins. */
export function usualFunction(tables: QueryTables, { type, additive }: BuilderColumn): string {
  if (additive) return 'sum'
  return functionsFor(tables, type).includes('mean') ? 'mean' : 'newest'
}

/** Returns the query with which a table begins. */
export function startQuery(old: BuilderQuery, tables: QueryTables, table: string): BuilderQuery {
  const columns = columnsOf(tables, table)
  const numbers = columns.filter(({ type }) => isNumeric(type))
  const first =
    columns.find(({ id }) => id === 'steps.value' || id === 'stage_asleep_second') ??
    numbers[0] ??
    columns[0]
  if (first === undefined) return { ...old, table }
  const measure: Measure = {
    func: old.mode === 'groups' ? usualFunction(tables, first) : '',
    column: first.id,
  }
  return { ...old, table, measures: [measure], by: [], conditions: [], isMerged: false }
}

/** Columns whose texts differ in each row, and those of the source, which are expressions. */
const NO_GROUPS = /^source_|^map_|(^|_)id$/

/** Returns the columns by which rows can be grouped beside their time. */
export function groupColumns(tables: QueryTables, table: string): { id: string; title: string }[] {
  const sources = [
    { id: 'source:source_provider', title: 'Provider' },
    { id: 'source:source_type', title: 'Kind of source' },
  ]
  if (isSeriesTable(table)) return sources
  const texts = columnsOf(tables, table).filter(
    ({ id, type }) => (type === 'text' || type === 'boolean') && !NO_GROUPS.test(id),
  )
  return [...sources, ...texts.map(({ id }) => ({ id, title: columnTitle(id) }))]
}

/** Returns the columns that a condition can compare; of series the fields without their names. */
export function conditionColumns(tables: QueryTables, query: BuilderQuery): BuilderColumn[] {
  const columns = columnsOf(tables, query.table).filter(({ id }) => !id.startsWith('macro:'))
  if (!isSeriesTable(query.table)) return columns
  const chosen = query.measures.map(({ column }) => `${column.split('.')[0]}.`)
  const fields = columns.filter(({ id }) => chosen.some((series) => id.startsWith(series)))
  const byName = new Map(fields.map((one) => [one.id.split('.')[1] ?? one.id, one]))
  return [...byName].map(([id, column]) => ({ ...column, id }))
}

/**
 * Describes the columns of a result by the names that the API gives them
 * (docs/contract/09-aggregate.md#output-columns).
 */
export function describeResult(
  query: unknown,
  tables: QueryTables | undefined,
): Map<string, ResultColumn> {
  const described = new Map<string, ResultColumn>()
  const select = (query as { select?: unknown })?.select
  if (tables === undefined || !Array.isArray(select)) return described
  for (const item of select as Record<string, unknown>[]) {
    const argument = (item.func === undefined ? item : item.arg) as Record<string, unknown> | null
    const column = argument && findColumn(tables, argument)
    if (!column) continue
    const func = typeof item.func === 'string' ? item.func : ''
    const unit = func === 'count' ? '' : (column.unit ?? '')
    const isFromZero = func === 'sum' || func === 'count'
    const names = func === '' ? [column.name] : [func, `${func}.${column.name}`]
    for (const name of names) described.set(name, { unit, isFromZero })
  }
  return described
}

function findColumn(
  tables: QueryTables,
  argument: Record<string, unknown>,
): { name: string; unit: string | null } | undefined {
  const { merged, timeseries, field, value_macro: macro } = argument
  const series = merged ?? timeseries
  if (typeof series === 'string') {
    const known = tables.series.find(({ name }) => name === series)
    const found = known?.fields.find(({ name }) => name === field)
    return { name: `${series}.${field}`, unit: found?.unit ?? null }
  }
  for (const table of tables.summaries) {
    const name = macro ?? argument[table.name]
    const found = [...table.columns, ...table.macros].find((column) => column.name === name)
    if (found !== undefined) return found
  }
  return undefined
}

/** Returns the length of the buckets of time of a query; undefined without any. */
export function findBucket(query: unknown): Period | undefined {
  const groups = (query as { group_by?: unknown } | undefined)?.group_by
  if (!Array.isArray(groups)) return undefined
  const key = (groups as Record<string, unknown>[]).find((group) => group.date_trunc !== undefined)
  if (key === undefined) return undefined
  const { value = 1, unit } = key.date_trunc as Partial<Period>
  return unit === undefined ? undefined : { value, unit }
}
