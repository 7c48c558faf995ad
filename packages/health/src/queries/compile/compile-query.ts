import type { AnalyzedQuery } from '../analysis/plan.ts'
import type { CompiledQuery, QueryTarget, SourceRule, Window } from '../compiled-query.ts'
import { planMergedRows } from '../merged-rows-plan.ts'
import { identifierSql, selectSql, subquerySql } from '../select-sql.ts'
import { isRankedBySource } from './group-source.ts'
import { groupsSql } from './groups-sql.ts'
import { rowsSql } from './rows-sql.ts'
import { StatementParameters, sourceParameters } from './statement-parameters.ts'

/** Compiles a checked query for one user and window. */
export function compileQuery(
  analyzed: AnalyzedQuery,
  window: Window,
  target: QueryTarget,
): CompiledQuery {
  const { result, columns, keyColumns, resources } = analyzed
  const parameters = new StatementParameters(sourceParameters(window, target))
  const sql =
    result.kind === 'groups'
      ? groupsSql(analyzed, result, target, parameters)
      : rowsSql(analyzed, result, parameters)
  return {
    ...{ sql, parameters: parameters.values, columns, keyColumns, resources },
    sourceRule: sourceRuleOf(analyzed),
    mergedRows: planMergedRows(analyzed, window, target.overrides),
  }
}

/** Returns which samples, or rows of summaries, the answer of a query counts. */
export function sourceRuleOf({ sources, result }: AnalyzedQuery): SourceRule {
  const [{ merged, table }] = sources as readonly [(typeof sources)[number]]
  if (merged !== null) return 'merged'
  if (table === 'derived_readiness') return 'one_source'
  return result.kind === 'groups' && isRankedBySource(result.keys) ? 'one_source' : 'all_sources'
}

/** Returns the query with every column as in JSON: dates and times are texts without a zone. */
export function jsonProjection({ sql, columns }: Pick<CompiledQuery, 'sql' | 'columns'>): string {
  const projected = columns.map(({ name, type }) => {
    const column = identifierSql(name)
    if (type === 'datetime') return [name, `formatDateTime(${column}, '%Y-%m-%dT%H:%i:%S', 'UTC')`]
    return [name, type === 'date' ? `toString(${column})` : column]
  })
  return selectSql({ columns: Object.fromEntries(projected), from: subquerySql(sql) })
}
