import type { Filter } from '../analysis/plan.ts'
import type { Select } from '../select-sql.ts'
import type { QuerySource } from '../tables/query-source.ts'
import { filterSql } from './filter-sql.ts'
import type { StatementParameters } from './statement-parameters.ts'

/**
 * The rows of a source in the window that pass the filter, for other clauses to be added. `clock` is
 * the floating time of the index.
 */
export function sourceRows(
  { relation, clock }: QuerySource,
  filter: Filter | null,
  parameters: StatementParameters,
): Pick<Select, 'with' | 'from'> & { where: string[] } {
  const { from, conditions, instantKey } = relation
  // The floating time is computed; the instant, which can be no more than a day off, prunes.
  const pruning =
    instantKey === null
      ? []
      : [
          `${instantKey} >= fromUnixTimestamp64Milli({fromInstant:Int64}, 'UTC')`,
          `${instantKey} < fromUnixTimestamp64Milli({toInstant:Int64}, 'UTC')`,
        ]
  const window = ['clock >= {fromClock:Int64}', 'clock < {toClock:Int64}']
  const filters = filter === null ? [] : [filterSql(filter, parameters)]
  return { with: { clock }, from, where: [...conditions, ...pruning, ...window, ...filters] }
}
