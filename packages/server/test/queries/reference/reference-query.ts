import { parseWhere } from '../../../../health/src/queries/where/parse-where.ts'
import { answerGroups, groupKeysOf } from './answer-groups.ts'
import { meaningOf } from './expressions.ts'
import { formatDateTime, formatDay, windowOf } from './floating-time.ts'
import { joinFrames, valueInJoined } from './joined-rows.ts'
import { withUniqueNames } from './output-names.ts'
import type { PersonData, ReferenceTarget } from './person-data.ts'
import type { Frame, OutputColumn, Question } from './question.ts'
import { readinessRows } from './readiness.ts'
import { type ColumnType, SERIES_COLUMNS, SUMMARY_COLUMNS } from './reference-columns.registry.ts'
import {
  type ReferenceRow,
  type Scalar,
  seriesRows,
  storedRows,
  summaryRow,
} from './reference-row.ts'
import { isTrueOf } from './reference-where.ts'
import {
  isTableColumn,
  type RowExpression,
  tableOfColumn,
  type WireAnswer,
  type WireConfig,
  type WireGroupKey,
  type WireQuery,
  type WireSelect,
  type WireTable,
  type WireTimeframe,
} from './wire-query.ts'

export interface ReferenceAnswer {
  table: WireAnswer
  /**
   * Of rows that are not grouped: what they are ordered by. Rows of equal order may come in any.
   */
  order: number[] | null
}

/**
 * What a query answers, by the words of docs/contract/09-aggregate.md, in the plainest way there
 * is.
 */
export function answerQuery(
  data: PersonData,
  query: WireQuery,
  timeframe: WireTimeframe,
  config: WireConfig,
  target: ReferenceTarget,
): ReferenceAnswer {
  const table = tableOfQuery(query)
  const question = { data, query, table, config, target }
  const { from, to } = windowOf(timeframe)
  const frames = framesOf(question).map((frame) => ({
    ...frame,
    rows: frame.rows
      .filter(({ index }) => from <= index && index < to)
      .filter((row) => passes(query, table, frame.series, row)),
  }))
  const isGrouped = groupKeysOf(query).length > 0 || query.select.every((item) => 'func' in item)
  if (isGrouped) return { table: toTable(answerGroups(question, frames)), order: null }
  const rows = joinFrames(frames)
  const columns = (query.select as RowExpression[]).map((expression) => {
    const meaning = meaningOf(expression)
    return { ...meaning, values: rows.map((row) => valueInJoined(meaning, row)) }
  })
  return { table: toTable(withUniqueNames(columns)), order: rows.map(({ index }) => index) }
}

/** Every expression of the query that has a value in a row. */
function expressionsOf({ select, group_by = [] }: WireQuery): RowExpression[] {
  const selected = select
    .filter((item): item is Exclude<WireSelect, WireGroupKey> => !('group_key' in item))
    .map((item) => ('func' in item ? item.arg : item))
  const grouped = group_by.map((key) =>
    'date_trunc' in key || 'date_part' in key ? key.arg : key,
  ) as RowExpression[]
  return [...selected, ...grouped]
}

function columnOf(expression: RowExpression) {
  if (isTableColumn(expression)) return expression
  return 'select' in expression ? expression.from.unnest : undefined
}

function tableOfQuery(query: WireQuery): WireTable {
  for (const expression of expressionsOf(query)) {
    const column = columnOf(expression)
    if (column !== undefined) return tableOfColumn(column)
    if ('index' in expression) return expression.index
    if ('value_macro' in expression) return 'sleep'
  }
  throw new Error('The query must name a table.')
}

function framesOf({ data, query, table, target, config }: Question): Frame[] {
  if (table === 'derived_readiness') {
    return [{ series: null, rows: readinessRows(data, config, target) }]
  }
  if (table !== 'timeseries') {
    const rows = storedRows(data, table).map((row) => summaryRow(row, table, target))
    return [{ series: null, rows }]
  }
  const columns = expressionsOf(query).map(columnOf)
  const series = new Set(
    columns.flatMap((column) => (column && 'timeseries' in column ? column.timeseries : [])),
  )
  return [...series].map((name) => ({
    series: name as string,
    rows: seriesRows(data, target, name as string),
  }))
}

function passes(
  { where }: WireQuery,
  table: WireTable,
  series: string | null,
  row: ReferenceRow,
): boolean {
  if (where === undefined || where === null) return true
  const types = (series === null ? SUMMARY_COLUMNS[table] : SERIES_COLUMNS[series]) ?? {}
  const truth = isTrueOf(parseWhere(where), (resource, name) => {
    const type = types[name]
    if (type === undefined || (resource !== null && resource !== series)) return undefined
    return { type, value: row.cells[name] as Scalar }
  })
  return truth === true || truth === undefined
}

function toTable(columns: readonly OutputColumn[]): WireAnswer {
  return Object.fromEntries(
    columns.map(({ name, type, values }) => [name, values.map((value) => toJson(value, type))]),
  )
}

function toJson(value: Scalar, type: ColumnType): Scalar {
  if (value === null) return null
  if (type === 'date') return formatDay(value as number)
  return type === 'dt' ? formatDateTime(value as number) : value
}
