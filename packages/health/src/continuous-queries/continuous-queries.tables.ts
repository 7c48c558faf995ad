import type { ColumnType, Generated } from 'kysely'

export const QUERY_STATUSES = ['active', 'archived'] as const
type QueryStatus = (typeof QUERY_STATUSES)[number]

export const TASK_STATUSES = ['scheduled', 'started', 'completed', 'error', 'skipped'] as const
type TaskStatus = (typeof TASK_STATUSES)[number]

/**
 * A column of a result table; types are those of docs/contract/09-aggregate.md#tables-and-columns.
 */
export interface ResultColumn {
  name: string
  type: string
  nullable: boolean
}

type Json<T> = ColumnType<T, string, never>

export interface ContinuousQueriesTable {
  environment_id: string
  id: string
  slug: string
  title: string
  status: QueryStatus
  query: Json<Record<string, unknown>>
  query_config: ColumnType<Record<string, unknown> | null, string | null, never>
  minimum_gap_seconds: number | null
  data_events_enabled: boolean
  fhir_observations: boolean
  result_table_schema: Json<{ columns: ResultColumn[] }>
  resource_dependencies: string[]
  created_at: Date
  begun_at: Date | null
  begun_through: string | null
}

interface ContinuousQueryRowsTable {
  environment_id: string
  user_id: string
  query_id: string
  key: string
  bucket: number
  row: Json<unknown[]>
}

interface ContinuousQueryInvalidationsTable {
  environment_id: string
  user_id: string
  query_id: string
  /** Ranges as PostgreSQL writes them. */
  range: string
  claimed: Generated<string>
  invalidated_at: Date
  due_at: Date
  failures: Generated<number>
}

interface ContinuousQueryEvaluationsTable {
  environment_id: string
  user_id: string
  query_id: string
  evaluated_at: Date
  basis: string
}

export interface ContinuousQueryTasksTable {
  environment_id: string
  user_id: string
  query_id: string
  sequence: Generated<number>
  status: TaskStatus
  scheduled_at: Date
  started_at: Date | null
  ended_at: Date | null
  error_details: string | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    continuous_queries: ContinuousQueriesTable
    continuous_query_rows: ContinuousQueryRowsTable
    continuous_query_invalidations: ContinuousQueryInvalidationsTable
    continuous_query_evaluations: ContinuousQueryEvaluationsTable
    continuous_query_tasks: ContinuousQueryTasksTable
  }
}
