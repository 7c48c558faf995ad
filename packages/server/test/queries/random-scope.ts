import {
  type ColumnType,
  SERIES_COLUMNS,
  SUMMARY_COLUMNS,
} from './reference/reference-columns.registry.ts'
import type { TableColumn, WireSource, WireTable } from './reference/wire-query.ts'
import type { SeededRandom } from './seeded-random.ts'

export interface TypedColumn {
  expression: TableColumn
  name: string
  type: ColumnType
}

const TABLES: readonly WireTable[] = [
  ...Array<'timeseries'>(7).fill('timeseries'),
  ...Array<'sleep'>(4).fill('sleep'),
  ...Array<'activity'>(3).fill('activity'),
  ...(['workout', 'workout', 'derived_readiness', 'derived_readiness'] as const),
  ...(['body', 'meal', 'menstrual_cycle', 'menstrual_cycle', 'profile'] as const),
]

/** Series that have data, by the names of queries, and one that has none. */
const SERIES = [
  ...['glucose', 'heartrate', 'weight', 'steps', 'distance', 'body_temperature'],
  ...['workout_duration', 'insulin_injection', 'blood_pressure', 'note', 'caffeine'],
]

const SOURCES: WireSource['source'][] = [
  'source_provider',
  'source_type',
  'source_app_id',
  'source_workout_id',
  'source_sport',
]

/** What a query may speak of. */
export interface Scope {
  table: WireTable
  /** Chosen series; empty for summaries. */
  series: string[]
  columns: TypedColumn[]
  sources: WireSource[]
}

/** One table, or one to three series. */
export function randomScope(random: SeededRandom): Scope {
  const table = random.pick(TABLES)
  const sourceNames = table === 'timeseries' ? SOURCES : SOURCES.slice(0, 3)
  const sources = sourceNames.map((source) => ({ source }))
  if (table !== 'timeseries') {
    const types = Object.entries(SUMMARY_COLUMNS[table] ?? {})
    const columns = types.map(([name, type]) => ({ expression: { [table]: name }, name, type }))
    return { table, series: [], columns, sources }
  }
  const series = [...new Set([random.pick(SERIES), random.pick(SERIES), random.pick(SERIES)])]
  const chosen = series.slice(0, random.pick([1, 1, 2, 3]))
  const columns = chosen.flatMap((timeseries) =>
    Object.entries(SERIES_COLUMNS[timeseries] ?? {}).map(([field, type]) => ({
      expression: { timeseries, field },
      name: field,
      type,
    })),
  )
  return { table, series: chosen, columns, sources }
}
