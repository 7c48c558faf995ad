import type { AnalyzedQuery, RowsPlan, RowValue } from '../analysis/plan.ts'
import { typeOfValue } from '../analysis/plan.ts'
import { type Select, sameColumns, selectSql, subquerySql, unionSql } from '../select-sql.ts'
import { timeOfLocalMsSql } from '../tables/floating-sql.ts'
import type { QuerySource } from '../tables/query-source.ts'
import { outputSql } from './output-sql.ts'
import { sourceRows } from './source-rows.ts'
import type { StatementParameters } from './statement-parameters.ts'
import { valueSql } from './value-sql.ts'

const valueName = (position: number): string => `v${position}`

/** Compiles a query without aggregates. */
export function rowsSelect(
  query: AnalyzedQuery,
  plan: RowsPlan,
  parameters: StatementParameters,
): Select {
  const [source] = query.sources
  const rows =
    query.sources.length === 1
      ? singleRows(query, plan, source as QuerySource, parameters)
      : joinedRows(query, plan, parameters)
  const expressions = plan.columns.map((_, at) => valueName(at))
  return {
    columns: outputSql(query.columns, expressions),
    from: `${subquerySql(rows.sql)} as found`,
    orderBy: ['local_ms', ...rows.ties].map((name) => `found.${name}`),
  }
}

interface OrderedRows {
  sql: string
  /** Columns that order rows of the same time. */
  ties: string[]
}

function singleRows(
  { filters }: AnalyzedQuery,
  { columns }: RowsPlan,
  source: QuerySource,
  parameters: StatementParameters,
): OrderedRows {
  const values = columns.map(({ value }, at) => [
    valueName(at),
    valueSql(value, source, parameters).sql,
  ])
  const ties = source.tieBreak.map((sql, at) => [`tie${at}`, sql])
  const sql = selectSql({
    ...sourceRows(source, filters[0] ?? null, parameters),
    columns: Object.fromEntries([['local_ms', 'local_ms'], ...values, ...ties]),
  })
  return { sql, ties: ties.map(([name]) => name as string) }
}

const JOIN_KEY = ['local_ms', 'provider', 'source_type']
const listName = (source: number): string => `r${source}`
const chosenName = (source: number): string => `t${source}`

/**
 * Outer-joins samples of several series on time, provider and source type: those of one key are
 * collected by series, and combined with each one of the other series.
 */
function joinedRows(
  { sources, filters }: AnalyzedQuery,
  { columns }: RowsPlan,
  parameters: StatementParameters,
): OrderedRows {
  const parts = sources.map((source, position) => {
    const values = columns.map(({ value }) => memberSql(value, source, position, parameters))
    return selectSql({
      ...sourceRows(source, filters[position] ?? null, parameters),
      columns: {
        local_ms: 'local_ms',
        provider: 'provider',
        source_type: 'source_type',
        part: `toUInt8(${position})`,
        members: `tuple(${values.join(', ')})`,
      },
    })
  })
  const lists = sources.map((_, at) => [
    listName(at),
    `arraySort(groupArrayIf(members, part = ${at}))`,
  ])
  const grouped = selectSql({
    columns: { ...sameColumns(JOIN_KEY), ...Object.fromEntries(lists) },
    from: subquerySql(unionSql(parts)),
    groupBy: JOIN_KEY,
  })
  const chosen = sources.map((_, at) => {
    const list = listName(at)
    // A series without a sample there has one of nulls.
    return [chosenName(at), `arrayJoin(arrayResize(${list}, greatest(length(${list}), 1)))`]
  })
  const met = selectSql({
    columns: { ...sameColumns(JOIN_KEY), ...Object.fromEntries(chosen) },
    from: subquerySql(grouped),
  })
  const values = columns.map(({ value }, at) => [valueName(at), metSql(value, at, sources)])
  const sql = selectSql({
    columns: { ...sameColumns(JOIN_KEY), ...Object.fromEntries(values) },
    from: subquerySql(met),
  })
  return { sql, ties: [...JOIN_KEY.slice(1), ...values.map(([name]) => name as string)] }
}

const ENGINE_TYPES = {
  integer: 'Int64',
  number: 'Float64',
  boolean: 'Bool',
  text: 'String',
  date: 'Date32',
  datetime: "DateTime64(3, \\'UTC\\')",
} as const

/**
 * Returns a value of one series, null for the others; all series have members of the same types.
 */
function memberSql(
  value: RowValue,
  source: QuerySource,
  position: number,
  parameters: StatementParameters,
): string {
  const isElsewhere = 'source' in value && value.source !== position
  const sql = isElsewhere ? 'null' : valueSql(value, source, parameters).sql
  return `cast(${sql}, 'Nullable(${ENGINE_TYPES[typeOfValue(value)]})')`
}

function metSql(value: RowValue, at: number, sources: readonly QuerySource[]): string {
  const memberOf = (source: number): string => `tupleElement(${chosenName(source)}, ${at + 1})`
  if ('source' in value) return memberOf(value.source)
  if (value.kind === 'index') return timeOfLocalMsSql('local_ms')
  return `coalesce(${sources.map((_, source) => memberOf(source)).join(', ')})`
}
