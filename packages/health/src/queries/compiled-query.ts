import type { Series } from '@salus/contracts/series'
import type { QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import type { SessionResource } from '../summaries/index.ts'
import type { SlotName } from '../timeseries/index.ts'

/**
 * Samples that an answer counts: each instant once, by merging all sources; for each group those of
 * one source; or all samples of all sources (docs/contract/09-aggregate.md#source-rule).
 */
export const SOURCE_RULES = ['merged', 'one_source', 'all_sources'] as const
export type SourceRule = (typeof SOURCE_RULES)[number]

/** Type of a column of an answer; `texts` is a list of texts. */
export type OutputType = 'integer' | 'number' | 'boolean' | 'text' | 'date' | 'datetime' | 'texts'

export interface OutputColumn {
  name: string
  type: OutputType
  nullable: boolean
}

/** A checked query that is ready to run for one user. */
export interface CompiledQuery {
  /**
   * Statement without FORMAT whose columns have the declared order, names and types: Int64,
   * Float64, Bool, String, Date32 and DateTime64(3, 'UTC') for a floating time.
   */
  sql: string
  /** The same with dates and times as texts, as JSON has them. */
  jsonSql: string
  parameters: QueryParameters
  columns: readonly OutputColumn[]
  /** Positions of the group keys among the columns. */
  keyColumns: readonly number[]
  /**
   * The data that it reads: read names of series (`body_weight`) and summary resources
   * (`workouts`).
   */
  resources: readonly string[]
  sourceRule: SourceRule
  /** Rows to send with the statement; null when it only reads stored data. */
  mergedRows: MergedRowsPlan | null
}

/** The user and the source rules with which a query is run. */
export interface QueryTarget {
  environmentId: string
  userId: string
  fallbackZone: string | null
  /** Device ids of providers with exactly one device of the user. */
  devices: ReadonlyMap<string, string>
  /** The team's priorities for the data type of the query, by provider; larger wins. */
  providerPriorities: ReadonlyMap<string, number>
  /** Providers that precede all others, highest first. */
  overrides: readonly string[]
  now: Date
}

/** Floating time in epoch milliseconds as if it were UTC, half-open. */
export interface Window {
  from: number
  to: number
}

/** What is merged for a statement: series, or sleeps or workouts. */
export type MergedRowsPlan = MergedRange &
  (
    | { kind: 'series'; parts: readonly MergedSeriesPlan[] }
    | { kind: 'sessions'; resource: SessionResource }
  )

interface MergedRange {
  /** Local days since 1970-01-01, half-open. */
  fromDay: number
  toDay: number
  /** Providers that precede all others, highest first. */
  preferred: readonly string[]
}

interface MergedSeriesPlan {
  series: Series
  slot: SlotName
  /** Whether one row for each day and source is enough. */
  isSummed: boolean
}
