import type { ColumnType, Generated, GeneratedAlways } from 'kysely'

/** Timestamps are written by the service from its clock, never by the database. */
type Timestamp = Date

export interface UsersTable {
  environment_id: string
  id: string
  client_user_id: string
  created_at: Timestamp
  fallback_time_zone: string | null
  fallback_time_zone_source: string | null
  fallback_time_zone_updated_at: Timestamp | null
  fallback_birth_date: string | null
  fallback_birth_date_source: string | null
  fallback_birth_date_updated_at: Timestamp | null
  ingestion_start: string | null
  ingestion_end: string | null
  /** How often all sessions of the person's apps were ended. */
  sign_in_generation: Generated<number>
  deleted_at: Timestamp | null
}

interface UserDemographicsTable {
  environment_id: string
  user_id: string
  info: ColumnType<unknown, string, string>
  /** Name and e-mail address in lower case, made by the database. */
  search_text: GeneratedAlways<string>
  updated_at: Timestamp
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    users: UsersTable
    user_demographics: UserDemographicsTable
  }
}
