import type { SummaryTableName } from '../expressions.schema.ts'
import { MERGED_SOURCES } from './merged-sources.ts'
import type { QuerySource } from './query-source.ts'
import { READINESS_SOURCE } from './readiness-source.ts'
import { SERIES_SOURCES } from './series-sources.ts'
import { SUMMARY_SOURCES } from './summary-sources.ts'

const BY_TABLE: ReadonlyMap<string, QuerySource> = new Map(
  [...SUMMARY_SOURCES, READINESS_SOURCE].map((source) => [source.table, source]),
)

/** Columns and SQL of a table of summaries, of readiness too; there is one of every name. */
export function summarySource(table: SummaryTableName): QuerySource {
  return BY_TABLE.get(table) as QuerySource
}

/** The series of a name that queries use, such as `weight`. */
export function findSeriesSource(resource: string): QuerySource | undefined {
  return SERIES_SOURCES.get(resource)
}

/** The merged series of a name that queries use; undefined also for one that is not merged. */
export function findMergedSource(resource: string): QuerySource | undefined {
  return MERGED_SOURCES.get(resource)
}
