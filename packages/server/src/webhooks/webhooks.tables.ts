import type { ColumnType } from 'kysely'

export type DisabledReason = 'manual' | 'gone' | 'failing'
export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'cancelled'

/** A secret that still signs for a while after its rotation. */
export interface FormerSecret {
  /** Sealed, base64. */
  secret: string
  /** ISO instant. */
  until: string
}

export interface WebhookEndpointsTable {
  environment_id: string
  id: string
  url: string
  description: string | null
  /** Maximum number of messages per second. */
  rate_limit: number | null
  filter_types: string[] | null
  disabled_at: Date | null
  disabled_reason: DisabledReason | null
  /** Sealed JSON of names and values. */
  headers: Buffer | null
  /** Sealed. */
  secret: Buffer
  former_secrets: ColumnType<FormerSecret[], string, string>
  first_failure_at: Date | null
  last_failure_at: Date | null
  failures: number
  failing_since: Date | null
  created_at: Date
  updated_at: Date
  deleted_at: Date | null
}

export interface WebhookDeliveriesTable {
  environment_id: string
  event_id: string
  endpoint_id: string
  sequence: number
  user_id: string | null
  status: DeliveryStatus
  attempts: number
  run: number
  failures: number
  next_attempt_at: Date | null
  updated_at: Date
}

/** Reason for which an attempt got no answer. */
export type AttemptError =
  | 'timeout'
  | 'refused_address'
  | 'dns'
  | 'connection'
  | 'tls'
  | 'invalid_response'

export interface WebhookAttemptsTable {
  environment_id: string
  event_id: string
  endpoint_id: string
  number: number
  attempted_at: Date
  response_status: number | null
  error: AttemptError | null
  duration_ms: number
  response_body: string
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    webhook_endpoints: WebhookEndpointsTable
    webhook_deliveries: WebhookDeliveriesTable
    webhook_attempts: WebhookAttemptsTable
  }
}
