import type { Filter } from '../analysis/plan.ts'
import type { Select } from '../select-sql.ts'
import type { QuerySource } from '../tables/query-source.ts'
import { filterSql } from './filter-sql.ts'
import type { StatementParameters } from './statement-parameters.ts'

/**
 * Selects the rows of a source in the window that pass the filter, to which other clauses are
 * added. `local_ms` is the floating time of the index.
 */
export function sourceRows(
  { relation, localMs }: QuerySource,
  filter: Filter | null,
  parameters: StatementParameters,
): Pick<Select, 'with' | 'from'> & { where: string[] } {
  const { from, conditions, instantKey } = relation
  // The floating time is computed; the instant, at most a day off, prunes.
  const pruning =
    instantKey === null
      ? []
      : [
          `${instantKey} >= fromUnixTimestamp64Milli({fromInstant:Int64}, 'UTC')`,
          `${instantKey} < fromUnixTimestamp64Milli({toInstant:Int64}, 'UTC')`,
        ]
  const window = ['local_ms >= {fromLocalMs:Int64}', 'local_ms < {toLocalMs:Int64}']
  const filters = filter === null ? [] : [filterSql(filter, parameters)]
  return {
    with: { local_ms: localMs },
    from,
    where: [...conditions, ...pruning, ...window, ...filters],
  }
}
