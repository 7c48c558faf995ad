import type {
  AppointmentProvider,
  AppointmentType,
  VisitAddress,
} from '@salus/contracts/lab-gateway'
import type { ColumnType, Generated } from 'kysely'
import type { AppointmentEventStatus, AppointmentStatus } from './appointments.schema.ts'

export interface AppointmentsTable {
  environment_id: string
  id: string
  user_id: string
  order_id: string
  order_transaction_id: string
  type: AppointmentType
  provider: AppointmentProvider
  status: AppointmentStatus
  address: ColumnType<VisitAddress, string, string>
  lng: number
  lat: number
  site_code: string | null
  start_at: Date | null
  end_at: Date | null
  time_zone: string
  provider_id: Generated<string>
  external_id: string | null
  can_reschedule: boolean
  notes: string | null
  ask_at: Date | null
  confirm_by: Date | null
  cancel_at: Date | null
  remind_at: Date | null
  created_at: Date
  updated_at: Date
}

const COLUMNS = {
  environment_id: true,
  id: true,
  user_id: true,
  order_id: true,
  order_transaction_id: true,
  type: true,
  provider: true,
  status: true,
  address: true,
  lng: true,
  lat: true,
  site_code: true,
  start_at: true,
  end_at: true,
  time_zone: true,
  provider_id: true,
  external_id: true,
  can_reschedule: true,
  notes: true,
  ask_at: true,
  confirm_by: true,
  cancel_at: true,
  remind_at: true,
  created_at: true,
  updated_at: true,
} satisfies Record<keyof AppointmentsTable, true>

/** All columns of appointments, by name, for prepared statements. */
export const APPOINTMENT_COLUMNS = Object.keys(COLUMNS) as (keyof AppointmentsTable)[]

/** Data of an event of an appointment (docs/contract/14-appointments-and-psc.md#appointment). */
export interface AppointmentEventData {
  origin?: 'patient' | 'customer' | 'provider' | 'system'
  is_reschedule?: boolean
  cancellation_reason_id?: string
  cancellation_reason?: string
  notes?: string
}

export interface AppointmentEventsTable {
  environment_id: string
  appointment_id: string
  id: Generated<number>
  status: AppointmentEventStatus
  data: ColumnType<AppointmentEventData | null, string | null, string | null>
  created_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    appointments: AppointmentsTable
    appointment_events: AppointmentEventsTable
  }
}
