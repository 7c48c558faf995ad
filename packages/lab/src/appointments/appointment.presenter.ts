import type { Scope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import {
  type AppointmentEventRow,
  type AppointmentRow,
  listAppointmentEvents,
} from './appointments.repository.ts'
import type { Appointment } from './appointments.schema.ts'

/** Returns the wire object of a stored appointment. */
export async function showAppointment(scope: Scope, row: AppointmentRow): Promise<Appointment> {
  return toAppointment(row, await listAppointmentEvents(scope, [row.id]))
}

/** Returns the wire objects of several appointments, in the same order. */
export async function showAppointments(
  scope: Scope,
  rows: readonly AppointmentRow[],
): Promise<Appointment[]> {
  if (rows.length === 0) return []
  const events = await listAppointmentEvents(
    scope,
    rows.map(({ id }) => id),
  )
  const byAppointment = Map.groupBy(events, (event) => event.appointment_id)
  return rows.map((row) => toAppointment(row, byAppointment.get(row.id) ?? []))
}

/** Returns the wire object of an appointment from its row and its events, oldest first. */
export function toAppointment(
  row: AppointmentRow,
  events: readonly AppointmentEventRow[],
): Appointment {
  const shown = events.map(({ status, data, created_at }) => ({
    created_at: formatInstant(created_at),
    status,
    data: data as Appointment['event_data'],
  }))
  const last = shown.at(-1)
  if (last === undefined) throw new Error('An appointment without events.')
  return {
    id: row.id,
    user_id: row.user_id,
    order_id: row.order_id,
    order_transaction_id: row.order_transaction_id,
    address: { ...row.address, unit: null },
    location: { lng: row.lng, lat: row.lat },
    start_at: row.start_at && formatInstant(row.start_at),
    end_at: row.end_at && formatInstant(row.end_at),
    iana_timezone: row.time_zone,
    type: row.type,
    provider: row.provider,
    status: row.status,
    provider_id: row.status === 'pending' ? '' : row.provider_id,
    external_id: row.external_id,
    can_reschedule: row.can_reschedule,
    appointment_notes: row.notes,
    event_status: last.status,
    event_data: last.data,
    events: shown,
  }
}
