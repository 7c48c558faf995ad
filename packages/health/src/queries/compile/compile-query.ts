import type { AnalyzedQuery } from '../analysis/plan.ts'
import type {
  CompiledQuery,
  OutputColumn,
  QueryTarget,
  SourceRule,
  Window,
} from '../compiled-query.ts'
import { planMergedRows } from '../merged-rows-plan.ts'
import { type Select, selectSql } from '../select-sql.ts'
import { writeFallbackOffsets } from '../tables/floating-sql.ts'
import { isRankedBySource } from './group-source.ts'
import { groupsSelect } from './groups-sql.ts'
import { rowsSelect } from './rows-sql.ts'
import { StatementParameters, sourceParameters } from './statement-parameters.ts'

/** Compiles a checked query for one user and window. */
export function compileQuery(
  analyzed: AnalyzedQuery,
  window: Window,
  target: QueryTarget,
): CompiledQuery {
  const { result, columns, keyColumns, resources } = analyzed
  const parameters = new StatementParameters(sourceParameters(window, target, analyzed.sources))
  const select =
    result.kind === 'groups'
      ? groupsSelect(analyzed, result, target, parameters)
      : rowsSelect(analyzed, result, parameters)
  const write = (one: Select): string =>
    writeFallbackOffsets(selectSql(one), target.fallbackZone !== null)
  return {
    sql: write(select),
    jsonSql: write(jsonSelect(select, columns)),
    ...{ parameters: parameters.values, columns, keyColumns, resources },
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

/** Returns a query with every column as in JSON: dates and times are texts without a zone. */
function jsonSelect(select: Select, columns: readonly OutputColumn[]): Select {
  const projected = columns.map(({ name, type }) => {
    const sql = select.columns[name] as string
    if (type === 'datetime') return [name, `formatDateTime(${sql}, '%Y-%m-%dT%H:%i:%S', 'UTC')`]
    return [name, type === 'date' ? `toString(${sql})` : sql]
  })
  return { ...select, columns: Object.fromEntries(projected) }
}
