import type { AnalyzedQuery, GroupKey, GroupsPlan } from '../analysis/plan.ts'
import type { QueryTarget } from '../compiled-query.ts'
import { identifierSql, type Select, selectSql, subquerySql, unionSql } from '../select-sql.ts'
import { alignedSql } from './align-sql.ts'
import { bucketStartSql } from './bucket-sql.ts'
import { aggregateName, type GroupsStatement, groupSource, keyName } from './group-source.ts'
import { outputSql } from './output-sql.ts'
import type { StatementParameters } from './statement-parameters.ts'

/** Compiles a query with aggregates: of one source as a single level. */
export function groupsSelect(
  { sources, filters, columns }: AnalyzedQuery,
  plan: GroupsPlan,
  target: QueryTarget,
  parameters: StatementParameters,
): Select {
  const statement = { plan, target, parameters }
  const groups = sources.map((source, at) =>
    groupSource(statement, source, at, filters[at] ?? null),
  )
  const expressions = plan.output.map((column) =>
    column.kind === 'key'
      ? keyOutputSql(plan.keys[column.key] as GroupKey, keyName(column.key))
      : aggregateName(column.aggregate),
  )
  return { ...combineGroups(statement, groups), columns: outputSql(columns, expressions) }
}

/** Returns the groups of all sources in the order of their keys, with those that align adds. */
function combineGroups(
  { plan, target, parameters }: GroupsStatement,
  groups: readonly Select[],
): Omit<Select, 'columns'> {
  const [single] = groups as [Select]
  if (groups.length === 1 && plan.align === null) return single
  const joined = groups.length === 1 ? selectSql(single) : joinGroups(plan, groups)
  const rows =
    plan.align === null ? joined : alignedSql(plan, plan.align, joined, target, parameters)
  return {
    from: `${subquerySql(rows)} as found`,
    orderBy: plan.keys.map((_, key) => `found.${keyName(key)} asc nulls last`),
  }
}

/** Joins groups of several series with the same keys; a series without the group gives nulls. */
function joinGroups({ keys, aggregates }: GroupsPlan, groups: readonly Select[]): string {
  const keyNames = keys.map((_, key) => keyName(key))
  const parts = groups.map((group, position) => {
    const own = aggregates.map(({ source }, at) => [
      aggregateName(at),
      source === position ? aggregateName(at) : 'null',
    ])
    const columns = Object.fromEntries([...keyNames.map((name) => [name, name]), ...own])
    // A level of its own: names of the first part of a union are names in the others too.
    return selectSql({ columns, from: subquerySql(selectSql(group)) })
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
