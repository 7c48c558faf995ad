import type { AggregateExpression, RowExpression, SelectExpression } from '../expressions.schema.ts'
import type { Query } from '../query.schema.ts'
import { refuseMissingKeys, toAlignPlan } from './align-plan.ts'
import { typeOfFunction } from './functions.ts'
import { groupKeysOf } from './group-keys.ts'
import { outputColumns } from './output-columns.ts'
import {
  type Aggregate,
  type AnalyzedQuery,
  type GroupKey,
  type GroupsColumn,
  type GroupsPlan,
  type RowsPlan,
  typeOfValue,
} from './plan.ts'
import { type QueryScope, scopeOf } from './query-scope.ts'
import { type Location, refuseQuery } from './refuse-query.ts'
import { toRowValue } from './row-values.ts'
import { filtersOf } from './source-filters.ts'

interface AnalyzeOptions {
  /**
   * Applies the additional rules and the names of continuous queries
   * (docs/contract/09-aggregate.md#output-columns and
   * docs/contract/09-aggregate.md#continuous-queries).
   */
  continuous?: boolean
}

/**
 * Checks a query that its schema accepted.
 * @param loc Its position in the request, such as ["body", "queries", 0].
 * @throws InputError 422 with the first problem (docs/contract/09-aggregate.md#errors).
 */
export function analyzeQuery(
  query: Query,
  loc: (string | number)[],
  { continuous = false }: AnalyzeOptions = {},
): AnalyzedQuery {
  const scope = scopeOf(query, loc)
  const keys = groupKeysOf(scope, query, loc)
  const isAggregate = (item: SelectExpression): boolean => 'func' in item || 'group_key' in item
  const isGrouped = keys.length > 0 || query.select.some(isAggregate)
  if (continuous && !keys.some(({ kind }) => kind === 'trunc')) {
    refuseQuery([...loc, 'group_by'], 'invalid_group_key', 'A continuous query needs a date_trunc.')
  }
  const result = isGrouped
    ? planGroups(scope, query, keys, loc, continuous)
    : planRows(scope, query, loc)
  if (continuous && result.kind === 'groups') refuseMissingKeys(keys, result.output, loc)
  const { sources } = scope
  return {
    sources,
    filters: filtersOf(sources, query.where, [...loc, 'where']),
    result,
    columns: outputColumns(result, sources),
    keyColumns: result.kind === 'groups' ? keyColumnsOf(result) : [],
    resources: [...new Set(sources.flatMap(({ resources }) => resources))],
  }
}

/**
 * Returns the first position of each selected key, in the order of the keys and not of the columns.
 */
function keyColumnsOf({ keys, output }: GroupsPlan): number[] {
  return keys
    .map((_, key) => output.findIndex((column) => column.kind === 'key' && column.key === key))
    .filter((position) => position !== -1)
}

function planRows(scope: QueryScope, { select, align }: Query, loc: Location): RowsPlan {
  if (align)
    refuseQuery([...loc, 'align'], 'invalid_align', 'Align needs a date_trunc in group_by.')
  const columns = select.map((item, at) => {
    const value = toRowValue(scope, item as RowExpression, [...loc, 'select', at])
    return { name: value.name, value }
  })
  return { kind: 'rows', columns: withUniqueNames(columns) }
}

function planGroups(
  scope: QueryScope,
  query: Query,
  keys: readonly GroupKey[],
  loc: Location,
  continuous: boolean,
): GroupsPlan {
  const isShort = !continuous && isShortForm(query)
  const aggregates: Aggregate[] = []
  const selected = query.select.flatMap((item, at): GroupsColumn[] => {
    const itemLoc = [...loc, 'select', at]
    if ('group_key' in item) return keyColumns(item.group_key, keys, itemLoc)
    if (!('func' in item)) {
      return refuseQuery(
        itemLoc,
        'mixed_select',
        'A query with aggregates can select only aggregates and group keys.',
      )
    }
    const aggregate = toAggregate(scope, item, itemLoc)
    aggregates.push(aggregate)
    const name = isShort ? item.func : `${item.func}.${aggregate.value.name}`
    return [{ kind: 'aggregate', name, aggregate: aggregates.length - 1 }]
  })
  const trunc = keys.findIndex(({ kind }) => kind === 'trunc')
  const index: GroupsColumn[] =
    trunc !== -1 && showsIndex(query) ? [{ kind: 'key', name: 'index', key: trunc }] : []
  const output = withUniqueNames([...index, ...selected])
  const align = toAlignPlan(query.align, keys, output, loc)
  return { kind: 'groups', keys, aggregates, output, align }
}

function keyColumns(
  wanted: number | '*',
  keys: readonly GroupKey[],
  loc: Location,
): GroupsColumn[] {
  const isThere = wanted === '*' ? keys.length > 0 : wanted >= 0 && wanted < keys.length
  if (!isThere)
    refuseQuery([...loc, 'group_key'], 'invalid_group_key', 'There is no such group key.')
  const positions = wanted === '*' ? keys.keys() : [wanted]
  return [...positions].map((key) => ({ kind: 'key', name: `group_key.${key}`, key }))
}

function toAggregate(
  scope: QueryScope,
  { func, arg }: AggregateExpression,
  loc: Location,
): Aggregate {
  const argLoc = [...loc, 'arg']
  const value = toRowValue(scope, arg as RowExpression, argLoc)
  if (scope.sources.length > 1 && !('source' in value)) {
    refuseQuery(
      argLoc,
      'cross_table',
      'When a query reads several series, each aggregate must name one of them.',
    )
  }
  const source = 'source' in value ? value.source : 0
  return { func, value, source, type: typeOfFunction(func, typeOfValue(value), argLoc) }
}

const selectsKeys = ({ select }: Query): boolean => select.some((item) => 'group_key' in item)

/**
 * Whether aggregates are named by their function alone
 * (docs/contract/09-aggregate.md#output-columns).
 */
function isShortForm(query: Query): boolean {
  if (selectsKeys(query)) return false
  const funcs = query.select.flatMap((item) => ('func' in item ? item.func : []))
  return new Set(funcs).size === funcs.length
}

/** Whether the start of the bucket is added as the first column. */
function showsIndex(query: Query): boolean {
  return !selectsKeys(query)
}

/** The second column with a name becomes name.2, the third name.3. */
function withUniqueNames<Column extends { name: string }>(columns: readonly Column[]): Column[] {
  const counts = new Map<string, number>()
  return columns.map((column) => {
    const count = (counts.get(column.name) ?? 0) + 1
    counts.set(column.name, count)
    return count === 1 ? column : { ...column, name: `${column.name}.${count}` }
  })
}
