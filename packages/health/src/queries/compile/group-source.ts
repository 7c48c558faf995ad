import { aggregateFunction } from '../aggregate-functions.registry.ts'
import type { Aggregate, Filter, GroupKey, GroupsPlan } from '../analysis/plan.ts'
import { typeOfValue } from '../analysis/plan.ts'
import { sameColumns, selectSql, subquerySql } from '../select-sql.ts'
import type { QuerySource } from '../tables/query-source.ts'
import { SOURCE_CODE, sourceOrderSql } from '../tables/source-rank-sql.ts'
import { bucketSql, datePartSql } from './bucket-sql.ts'
import { functionSql } from './function-sql.ts'
import { sourceRows } from './source-rows.ts'
import type { StatementParameters } from './statement-parameters.ts'
import { valueSql } from './value-sql.ts'

export const keyName = (key: number): string => `k${key}`
export const aggregateName = (aggregate: number): string => `a${aggregate}`

/**
 * Returns the groups of one source: columns k0, k1 and so on for the keys and a0, a1 and so on for
 * its aggregates. Of several providers and source types in a group only one is kept
 * (docs/contract/09-aggregate.md#data-prioritisation).
 */
export function groupSource(
  { keys, aggregates }: GroupsPlan,
  sources: readonly QuerySource[],
  position: number,
  filter: Filter | null,
  parameters: StatementParameters,
): string {
  const source = sources[position] as QuerySource
  const keyColumns = keys.map((key, at) => [keyName(at), keySql(key, source, parameters)] as const)
  const ownAggregates = aggregates.flatMap((aggregate, at) => {
    if (aggregate.source !== position) return []
    return [[aggregateName(at), aggregateSql(aggregate, source, keys, parameters)] as const]
  })
  const columns = Object.fromEntries([...keyColumns, ...ownAggregates])
  const groupBy = keyColumns.map(([name]) => name)
  const rows = sourceRows(source, filter, parameters)
  // Every row that is left counts: each instant, sleep or workout appears once.
  if (source.merged !== null || !isRankedBySource(keys)) {
    return selectSql({ ...rows, columns, groupBy })
  }
  const bySource = hasNumberKey(keys)
    ? selectSql({
        ...rows,
        with: { ...rows.with, group_code: groupCodeSql(keyColumns[0]?.[1] ?? '') },
        columns: { ...columns, ...NUMBERS_OF_GROUP_CODE, row_count: 'count()' },
        groupBy: ['group_code'],
      })
    : selectSql({
        ...rows,
        columns: { ...columns, code: SOURCE_CODE, row_count: 'count()' },
        groupBy: [...groupBy, 'code'],
      })
  return selectSql({
    columns: sameColumns(Object.keys(columns)),
    from: subquerySql(bySource),
    orderBy: [...groupBy, ...sourceOrderSql('code', 'row_count')],
    firstBy: groupBy,
  })
}

/** Key and source as one number, which groups faster than two. */
const SOURCE_STEPS = 2 ** 32
const groupCodeSql = (key: string): string => `toUInt64(${key}) * ${SOURCE_STEPS} + ${SOURCE_CODE}`
const NUMBERS_OF_GROUP_CODE = {
  [keyName(0)]: `toUInt32(intDiv(group_code, ${SOURCE_STEPS}))`,
  code: `toUInt32(group_code % ${SOURCE_STEPS})`,
}

/** Whether the only key is a whole number of 32 bits. */
function hasNumberKey(keys: readonly GroupKey[]): boolean {
  return keys.length === 1 && keys[0]?.kind !== 'value'
}

/** Whether one source is chosen for each group: the keys do not split rows by source. */
export function isRankedBySource(keys: readonly GroupKey[]): boolean {
  const names = keys.flatMap((key) => {
    if (key.kind !== 'value') return []
    if (key.value.kind === 'shared') return key.value.column
    return key.value.kind === 'column' ? key.value.column.name : []
  })
  const isSplit = names.includes('source_provider') && names.includes('source_type')
  return keys.length > 0 && !isSplit
}

function keySql(key: GroupKey, source: QuerySource, parameters: StatementParameters): string {
  switch (key.kind) {
    case 'trunc':
      return `toUInt32(${bucketSql(key.span, 'local_ms')})`
    case 'part':
      return datePartSql(key.part, 'local_ms')
    case 'value':
      return valueSql(key.value, source, parameters).sql
  }
}

function aggregateSql(
  { func, value }: Aggregate,
  source: QuerySource,
  keys: readonly GroupKey[],
  parameters: StatementParameters,
): string {
  const { sql, nullable } = valueSql(value, source, parameters)
  const { computed } = aggregateFunction(func)
  if (computed.by === 'row') {
    const pick = computed.pick === 'first' ? 'argMinIf' : 'argMaxIf'
    return `${pick}(toNullable(${sql}), (local_ms, ${source.updated}), ${sql} is not null)`
  }
  const { name, toInput, toResult } = functionSql(func, typeOfValue(value))
  // A group has at least one row, but all rows together may be none: then the engine would return
  // 0.
  const argument = nullable || keys.length > 0 ? sql : `toNullable(${sql})`
  const result = toResult(`${name}(${toInput(argument)})`)
  const isAmount =
    source.merged?.kind === 'series' && value.kind === 'column' && value.column.name === 'value'
  // Merged reads report amounts in millionths; sums of parts are off by less.
  return isAmount && (func === 'sum' || func === 'mean') ? `round(${result}, 6)` : result
}
