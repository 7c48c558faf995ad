import type { SummaryTableName } from '../expressions.schema.ts'
import { MERGED_SOURCES, MERGED_SUMMARY_SOURCES } from './merged-sources.ts'
import type { QuerySource } from './query-source.ts'
import { READINESS_SOURCE } from './readiness-source.ts'
import { SERIES_SOURCES } from './series-sources.ts'
import { SUMMARY_SOURCES } from './summary-sources.ts'

const BY_TABLE: ReadonlyMap<string, QuerySource> = new Map(
  [...SUMMARY_SOURCES, READINESS_SOURCE].map((source) => [source.table, source]),
)

/** Returns columns and SQL of a table of summaries or of readiness; every name exists. */
export function summarySource(table: SummaryTableName): QuerySource {
  return BY_TABLE.get(table) as QuerySource
}

/** Finds a series by its name in queries, such as `weight`. */
export function findSeriesSource(resource: string): QuerySource | undefined {
  return SERIES_SOURCES.get(resource)
}

/** Finds a merged series by its name in queries; undefined also for one that cannot be merged. */
export function findMergedSource(resource: string): QuerySource | undefined {
  return MERGED_SOURCES.get(resource)
}

/** Finds a table of summaries with all sources merged; undefined for one that cannot be merged. */
export function findMergedSummarySource(table: SummaryTableName): QuerySource | undefined {
  return MERGED_SUMMARY_SOURCES.get(table)
}
