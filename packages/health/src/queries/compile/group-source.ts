import { aggregateFunction } from '../aggregate-functions.registry.ts'
import type { Aggregate, Filter, GroupKey, GroupsPlan } from '../analysis/plan.ts'
import { typeOfValue } from '../analysis/plan.ts'
import type { QueryTarget } from '../compiled-query.ts'
import { type Select, sameColumns } from '../select-sql.ts'
import type { QuerySource } from '../tables/query-source.ts'
import { SOURCE_CODE, sourceOrderSql } from '../tables/source-rank-sql.ts'
import { bucketSql, datePartSql } from './bucket-sql.ts'
import { functionSql } from './function-sql.ts'
import { sourceRows } from './source-rows.ts'
import type { StatementParameters } from './statement-parameters.ts'
import { valueSql } from './value-sql.ts'

/** What the groups of all sources of a statement have in common. */
export interface GroupsStatement {
  plan: GroupsPlan
  target: QueryTarget
  parameters: StatementParameters
}

export const keyName = (key: number): string => `k${key}`
export const aggregateName = (aggregate: number): string => `a${aggregate}`

/**
 * Returns the groups of one source: columns k0, k1 and so on for the keys and a0, a1 and so on for
 * its aggregates. Of several providers and source types in a group only one is kept
 * (docs/contract/09-aggregate.md#data-prioritisation). All are names of one level, since the engine
 * plans each further one in up to a millisecond.
 */
export function groupSource(
  { plan: { keys, aggregates }, target, parameters }: GroupsStatement,
  source: QuerySource,
  position: number,
  filter: Filter | null,
): Select {
  const rows = sourceRows(source, filter, parameters)
  const keyColumns = keys.map((key, at) => [keyName(at), keySql(key, source, parameters)] as const)
  const ownAggregates = aggregates.flatMap((aggregate, at) => {
    if (aggregate.source !== position) return []
    const name = aggregateName(at)
    return [[name, aggregateSql(name, aggregate, source, keys, parameters)] as const]
  })
  const names = Object.fromEntries([...keyColumns, ...ownAggregates])
  const groupBy = keyColumns.map(([name]) => name)
  const groups = {
    ...rows,
    with: { ...rows.with, ...names },
    columns: sameColumns(Object.keys(names)),
  }
  const orderBy = groupBy.map((name) => `${name} asc nulls last`)
  // Every row that is left counts: each instant, sleep or workout appears once.
  if (source.merged !== null || !isRankedBySource(keys)) return { ...groups, groupBy, orderBy }
  const code = hasNumberKey(keys) ? groupCodeOf(keyColumns[0]?.[1] ?? '') : { code: SOURCE_CODE }
  return {
    ...groups,
    with: { ...groups.with, ...code },
    groupBy: 'group_code' in code ? ['group_code'] : [...groupBy, 'code'],
    orderBy: [...orderBy, ...sourceOrderSql('code', 'count()', target)],
    firstBy: groupBy,
  }
}

/** Key and source as one number, which groups faster than two. */
const SOURCE_STEPS = 2 ** 32
const groupCodeOf = (key: string) => ({
  group_code: `toUInt64(${key}) * ${SOURCE_STEPS} + ${SOURCE_CODE}`,
  [keyName(0)]: `toUInt32(intDiv(group_code, ${SOURCE_STEPS}))`,
  code: `toUInt32(group_code % ${SOURCE_STEPS})`,
})

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
  name: string,
  { func, value }: Aggregate,
  source: QuerySource,
  keys: readonly GroupKey[],
  parameters: StatementParameters,
): string {
  const { sql, nullable } = valueSql(value, source, parameters)
  const { computed } = aggregateFunction(func)
  if (computed.by === 'row') {
    const pick = computed.pick === 'first' ? 'argMinIf' : 'argMaxIf'
    // Of rows that were stored together the value decides, and not their order.
    const order = `(local_ms, ${source.updated}, ${sql})`
    return `${pick}(toNullable(${sql}), ${order}, ${sql} is not null)`
  }
  // A group has at least one row, but all rows together may be none: then the engine would return
  // 0.
  const argument = nullable || keys.length > 0 ? sql : `toNullable(${sql})`
  const result = functionSql(func, typeOfValue(value)).ofRows(argument, name)
  const isAmount =
    source.merged?.kind === 'series' && value.kind === 'column' && value.column.name === 'value'
  // Merged reads report amounts in millionths; sums of parts are off by less.
  return isAmount && (func === 'sum' || func === 'mean') ? `round(${result}, 6)` : result
}
