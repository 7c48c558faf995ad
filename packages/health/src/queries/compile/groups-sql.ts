import type { AnalyzedQuery, GroupKey, GroupsPlan } from '../analysis/plan.ts'
import type { QueryTarget } from '../compiled-query.ts'
import { identifierSql, selectSql, subquerySql, unionSql } from '../select-sql.ts'
import { alignedSql } from './align-sql.ts'
import { bucketStartSql } from './bucket-sql.ts'
import { aggregateName, groupSource, keyName } from './group-source.ts'
import { outputSql } from './output-sql.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** Compiles a query with aggregates. */
export function groupsSql(
  { sources, filters, columns }: AnalyzedQuery,
  plan: GroupsPlan,
  target: QueryTarget,
  parameters: StatementParameters,
): string {
  const groups = sources.map((_, at) =>
    groupSource(plan, sources, at, filters[at] ?? null, parameters),
  )
  const joined = groups.length === 1 ? (groups[0] as string) : joinGroups(plan, groups)
  const rows =
    plan.align === null ? joined : alignedSql(plan, plan.align, joined, target, parameters)
  const expressions = plan.output.map((column) =>
    column.kind === 'key'
      ? keyOutputSql(plan.keys[column.key] as GroupKey, keyName(column.key))
      : aggregateName(column.aggregate),
  )
  return selectSql({
    columns: outputSql(columns, expressions),
    from: `${subquerySql(rows)} as found`,
    orderBy: plan.keys.map((_, key) => `found.${keyName(key)} asc nulls last`),
  })
}

/** Joins groups of several series with the same keys; a series without the group gives nulls. */
function joinGroups({ keys, aggregates }: GroupsPlan, groups: readonly string[]): string {
  const keyNames = keys.map((_, key) => keyName(key))
  const parts = groups.map((group, position) => {
    const own = aggregates.map(({ source }, at) => [
      aggregateName(at),
      source === position ? aggregateName(at) : 'null',
    ])
    const columns = Object.fromEntries([...keyNames.map((name) => [name, name]), ...own])
    return selectSql({ columns, from: subquerySql(group) })
  })
  const merged = aggregates.map((_, at) => {
    const name = aggregateName(at)
    return [name, `any(parts.${identifierSql(name)})`]
  })
  const columns = Object.fromEntries([...keyNames.map((name) => [name, name]), ...merged])
  return selectSql({ columns, from: `${subquerySql(unionSql(parts))} as parts`, groupBy: keyNames })
}

function keyOutputSql(key: GroupKey, column: string): string {
  if (key.kind !== 'trunc') return column
  const start = bucketStartSql(key.span, column)
  return key.type === 'date' ? `toDate32(${start})` : start
}
