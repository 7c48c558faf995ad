import type { LabConnectionConfig, OutgoingPurpose } from '@salus/contracts/lab-gateway'
import type { ColumnType, Generated } from 'kysely'

export const OUTGOING_STATES = ['waiting', 'accepted', 'committed', 'refused'] as const
export type OutgoingState = (typeof OUTGOING_STATES)[number]

export interface LabConnectionsTable {
  environment_id: string
  id: string
  name: string
  lab_slug: string
  config: ColumnType<LabConnectionConfig, string, string>
  secrets: Buffer | null
  is_enabled: boolean
  is_held: Generated<boolean>
  next_placer: Generated<string>
  next_requisition: string | null
  poll_position: Generated<string | null>
  receiving_problem: Generated<string | null>
  last_received_at: Generated<Date | null>
  /** Alerts whose beginning was published. */
  alerts: Generated<string[]>
  created_at: Date
  updated_at: Date
  deleted_at: Generated<Date | null>
}

export interface LabOutgoingMessagesTable {
  environment_id: string
  id: string
  connection_id: string
  order_id: string
  purpose: OutgoingPurpose
  control_id: string
  placer: string
  requisition: string | null
  /** Empty where it was moved to ClickHouse, with an answer that came before. */
  content: Buffer
  /** Length of a content that was moved. */
  moved_bytes: Generated<number | null>
  state: OutgoingState
  answer_code: Generated<string | null>
  answer_location: Generated<string | null>
  answer_content: Generated<Buffer | null>
  attempts: Generated<number>
  problem: Generated<string | null>
  created_at: Date
  attempted_at: Generated<Date | null>
  answered_at: Generated<Date | null>
  resent_at: Generated<Date | null>
  resent_count: Generated<number>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    lab_connections: LabConnectionsTable
    lab_outgoing_messages: LabOutgoingMessagesTable
  }
}
