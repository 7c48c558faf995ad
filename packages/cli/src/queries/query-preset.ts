import { CliError } from '../terminal/cli-error.ts'
import { SUMMED_SERIES, UNMERGED_SERIES } from './summed-series.generated.ts'

/** Units and parts of time by which a metric can be grouped. */
export const GROUPINGS = ['hour', 'day', 'week', 'month', 'year', 'weekday'] as const
export type Grouping = (typeof GROUPINGS)[number]

const SLEEP_MACROS = ['sleep_score', 'awakenings']
/** Names of uploads that queries do not have. */
const RESOURCES: Record<string, string> = { body_weight: 'weight', body_fat: 'fat' }

/** Metrics that are neither a series nor a column of a table. */
export const PRESET_NAMES: readonly string[] = [...SLEEP_MACROS, ...Object.keys(RESOURCES)]

/**
 * Returns the query of a metric: a series such as `steps`, a column such as `sleep.efficiency`, or
 * a macro such as `sleep_score`. A series is merged from all sources. Amounts have a sum,
 * everything else has a mean.
 * @throws CliError for an unknown metric
 */
export function makePresetQuery(metric: string, by: Grouping): object {
  const [, table, column] = /^([a-z_]+)\.([a-z0-9_]+)$/.exec(metric) ?? []
  if (table !== undefined && column !== undefined) {
    return makeGroupedQuery('mean', { [table]: column }, table, by)
  }
  if (SLEEP_MACROS.includes(metric))
    return makeGroupedQuery('mean', { value_macro: metric }, 'sleep', by)
  if (!/^[a-z0-9_]+$/.test(metric)) {
    throw new CliError(
      `There is no metric ${metric}. A metric is a series (steps), a column (sleep.efficiency) or sleep_score.`,
    )
  }
  const series = RESOURCES[metric] ?? metric
  const func = SUMMED_SERIES.has(series) ? 'sum' : 'mean'
  const kind = UNMERGED_SERIES.has(series) ? 'timeseries' : 'merged'
  return makeGroupedQuery(func, { [kind]: series, field: 'value' }, kind, by)
}

function makeGroupedQuery(func: string, arg: object, table: string, by: Grouping): object {
  const value = { func, arg }
  const index = { index: table }
  if (by === 'weekday') {
    return { select: [{ group_key: 0 }, value], group_by: [{ date_part: by, arg: index }] }
  }
  return { select: [value], group_by: [{ date_trunc: { value: 1, unit: by }, arg: index }] }
}
