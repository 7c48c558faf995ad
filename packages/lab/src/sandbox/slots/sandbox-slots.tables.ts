import type { LaterAnswer } from '@salus/contracts/lab-gateway'
import type { Generated } from 'kysely'

interface SandboxSlotsTable {
  environment_id: string
  calendar: string
  start_at: Date
  capacity: number
  taken: number
}

export interface SandboxBookingsTable {
  environment_id: string
  appointment_id: string
  calendar: string | null
  start_at: Date | null
  is_cancelled: Generated<boolean>
  seated_at: Date | null
  answer_at: Date | null
  answer: LaterAnswer['kind'] | null
  created_at: Generated<Date>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    sandbox_slots: SandboxSlotsTable
    sandbox_bookings: SandboxBookingsTable
  }
}
