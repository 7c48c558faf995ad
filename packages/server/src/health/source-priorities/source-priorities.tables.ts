import type { DataType } from './data-types.ts'

/** Texts that mean "any" are empty, because they are part of the key. */
export interface TeamSourcePrioritiesTable {
  environment_id: string
  data_type: DataType
  provider: string
  resource: string
  source_type: string
  priority: number
  updated_at: Date
}

export interface UserSourcePrioritiesTable {
  environment_id: string
  user_id: string
  position: number
  resource: string
  provider: string
  source_type: string
  app_id: string
  priority: number
  updated_at: Date
}

declare module '../../platform/postgres/database.ts' {
  interface Database {
    team_source_priorities: TeamSourcePrioritiesTable
    user_source_priorities: UserSourcePrioritiesTable
  }
}
