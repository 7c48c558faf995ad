import type { Series } from '@salus/contracts/series'
import type { QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import type { SlotName } from '../timeseries/index.ts'

/**
 * Which samples an answer counts: each instant once, by the merge of all sources; of each group
 * those of one source; or all of them, those of several sources too
 * (docs/contract/09-aggregate.md#source-rule).
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

/** A query checked and ready for one person. */
export interface CompiledQuery {
  /**
   * Statement without FORMAT whose columns have the declared order, names and types: Int64,
   * Float64, Bool, String, Date32 and DateTime64(3, 'UTC') for a floating time.
   */
  sql: string
  parameters: QueryParameters
  columns: readonly OutputColumn[]
  /** Positions among the columns of the group keys. */
  keyColumns: readonly number[]
  /** What it reads: read names of series (`body_weight`) and summary resources (`workouts`). */
  resources: readonly string[]
  sourceRule: SourceRule
  /** What has to go along with the statement; null for one that reads what is stored. */
  mergedRows: MergedRowsPlan | null
}

/** For whom, and by whose rules, a query is run. */
export interface QueryTarget {
  environmentId: string
  userId: string
  fallbackZone: string | null
  /** Id of the device, of providers that have exactly one of the person. */
  devices: ReadonlyMap<string, string>
  /** The team's priorities for the data type of the query, by provider; larger wins. */
  providerPriorities: ReadonlyMap<string, number>
  /** Providers that come before all others, the most wanted first. */
  overrides: readonly string[]
  now: Date
}

/** Floating time in epoch milliseconds as if it were UTC, half-open. */
export interface Window {
  from: number
  to: number
}

/** What of merged series a statement reads. */
export interface MergedRowsPlan {
  parts: readonly MergedSeriesPlan[]
  /** Local days since 1970-01-01, half-open. */
  fromDay: number
  toDay: number
  /** Providers that come before all others, the most wanted first. */
  preferred: readonly string[]
}

interface MergedSeriesPlan {
  series: Series
  slot: SlotName
  /** One row a day and source says enough. */
  isSummed: boolean
}
