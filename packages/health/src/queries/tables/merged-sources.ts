import { SERIES, type Series } from '@salus/contracts/series'
import type { SessionResource } from '../../summaries/index.ts'
import { timeOfLocalMsSql } from './floating-sql.ts'
import { byName, type Column, type QuerySource, scalarColumn } from './query-source.ts'
import { SERIES_SOURCES } from './series-sources.ts'
import { SUMMARY_SOURCES } from './summary-sources.ts'

/**
 * The table of rows that are sent with a statement (merged-rows.ts), with the types of its columns.
 */
export const MERGED_TABLE = 'merged_rows'
export const MERGED_COLUMNS = {
  series: 'LowCardinality(String)',
  local_at: 'Int64',
  value: 'Float64',
  seconds: 'Int64',
  zone_offset: 'Nullable(Int64)',
  sample_type: 'LowCardinality(String)',
  provider: 'LowCardinality(String)',
  source_type: 'LowCardinality(String)',
  app_id: 'String',
} as const

/** The table of ids of summaries that do not count, which is sent with a statement. */
export const SET_ASIDE_TABLE = 'set_aside_summaries'
export const SET_ASIDE_COLUMNS = { id: 'UUID' } as const

const TIMESTAMP = scalarColumn('timestamp', 'datetime', timeOfLocalMsSql('local_at'), 'known')

const EVERY_SERIES: readonly Column[] = [
  TIMESTAMP,
  scalarColumn('timezone_offset', 'integer', 'zone_offset'),
  scalarColumn('type', 'text', "nullIf(toString(sample_type), '')"),
  scalarColumn('source_provider', 'text', 'toString(provider)', 'known'),
  scalarColumn('source_type', 'text', 'toString(source_type)', 'known'),
  scalarColumn('source_app_id', 'text', "nullIf(app_id, '')"),
]

const VALUE = scalarColumn('value', 'number', 'value', 'known')
const DURATION = scalarColumn('duration', 'integer', 'seconds', 'known')

function mergedSource(series: Series, hasDuration: boolean): QuerySource {
  return {
    table: 'merged',
    series: series.resource,
    resources: [series.name],
    columns: byName([VALUE, ...(hasDuration ? [DURATION] : []), ...EVERY_SERIES]),
    macros: new Map(),
    index: TIMESTAMP,
    localMs: 'local_at',
    updated: '0',
    tieBreak: ['provider', 'source_type', 'app_id', 'sample_type', 'value', 'seconds'],
    dataType: null,
    merged: { kind: 'series', series, isSum: series.merge.kind === 'sum' },
    relation: {
      from: MERGED_TABLE,
      conditions: [`series = '${series.name}'`],
      instantKey: null,
    },
  }
}

/**
 * docs/contract/09-aggregate.md#merged: every series with a merged read, by its name in queries. A
 * row is the part of a sample that counts.
 */
export const MERGED_SOURCES: ReadonlyMap<string, QuerySource> = new Map(
  SERIES.filter(({ resource, merge }) => SERIES_SOURCES.has(resource) && merge.kind !== 'none').map(
    (series) => {
      const hasDuration = SERIES_SOURCES.get(series.resource)?.columns.has('duration') ?? false
      return [series.resource, mergedSource(series, hasDuration)]
    },
  ),
)

const SESSIONS: Readonly<Record<string, SessionResource>> = { sleep: 'sleep', workout: 'workouts' }

/** Tables of summaries of which each counts once, with all sources merged, by their names. */
export const MERGED_SUMMARY_SOURCES: ReadonlyMap<string, QuerySource> = new Map(
  SUMMARY_SOURCES.flatMap((source) => {
    const resource = SESSIONS[source.table]
    if (resource === undefined) return []
    // In a cluster only the server that got the request has these rows; it sends them on.
    const counts = `id global not in (select id from ${SET_ASIDE_TABLE})`
    const conditions = [...source.relation.conditions, counts]
    const relation = { ...source.relation, conditions }
    return [[source.table, { ...source, relation, merged: { kind: 'sessions', resource } }]]
  }),
)
