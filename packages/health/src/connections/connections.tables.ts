import type { ColumnType, Generated } from 'kysely'

/** Timestamps are written by the service from its clock, never by the database. */
type Timestamp = Date
type Json<T> = ColumnType<T | null, string | null | undefined, string | null>

export type ConnectionStatus = 'connected' | 'error' | 'paused' | 'deregistered'

/** Error of a connection (docs/contract/02-users.md#connectionerrordetails). */
export interface StoredConnectionError {
  error_type: string
  error_message: string
  errored_at: string
}

export interface ConnectionsTable {
  environment_id: string
  user_id: string
  provider: string
  id: string
  status: ConnectionStatus
  external_user_id: string | null
  /** Name with which the user signed in with a password; null for other connections. */
  account_name: string | null
  granted_permissions: Json<string[]>
  error_details: Json<StoredConnectionError>
  granted_scopes: Json<string[]>
  region: string | null
  is_demo: Generated<boolean>
  created_at: Timestamp
  updated_at: Timestamp
}

export interface DevicesTable {
  environment_id: string
  user_id: string
  id: string
  provider: string
  source_type: string
  app_id: string | null
  device_manufacturer: string | null
  device_model: string | null
  device_version: string | null
  device_id: string | null
  identity: string
  created_at: Timestamp
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    connections: ConnectionsTable
    devices: DevicesTable
  }
}
