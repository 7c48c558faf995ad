/** What was last tried with one resource of a connection, and how much of it was published. */
export interface ResourceStatisticsTable {
  environment_id: string
  user_id: string
  provider: string
  /** Name of the resource in events. */
  resource: string
  last_attempt_at: Date
  last_attempt_status: 'success' | 'failure'
  /** Objects sent in events about data that were new. */
  sent_count: number
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    resource_statistics: ResourceStatisticsTable
  }
}
