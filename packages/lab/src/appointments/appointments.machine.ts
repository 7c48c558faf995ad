import { type AppointmentProvider, SCHEDULING_PROVIDERS } from '@salus/contracts/lab-gateway'
import type { AppointmentEventStatus, AppointmentStatus } from './appointments.schema.ts'

/**
 * Statuses that may follow each status of an appointment
 * (docs/contract/14-appointments-and-psc.md#appointment-states).
 */
export const APPOINTMENT_TRANSITIONS: Readonly<
  Record<AppointmentStatus, readonly AppointmentStatus[]>
> = {
  pending: ['confirmed', 'reserved', 'cancelled'],
  // A reschedule repeats the status; the same holds for `confirmed`.
  reserved: ['reserved', 'confirmed', 'cancelled'],
  confirmed: ['confirmed', 'in_progress', 'completed', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

/** Statuses of which an order has at most one appointment. */
export const ACTIVE_STATUSES = ['pending', 'reserved', 'confirmed', 'in_progress'] as const

/** Returns true until an appointment is completed or cancelled. */
export function isActiveStatus(status: AppointmentStatus): boolean {
  return APPOINTMENT_TRANSITIONS[status].length > 0
}

/** Returns the status of the event that an appointment's status writes. */
export const eventStatusOf = (status: AppointmentStatus): AppointmentEventStatus =>
  status === 'confirmed' ? 'scheduled' : status

/** Returns true where the laboratory confirms a booking itself, independent of a requisition. */
export function isConfirmedByLab(provider: AppointmentProvider): boolean {
  const { type, confirmsLater } = SCHEDULING_PROVIDERS[provider]
  return confirmsLater && type === 'patient_service_center'
}
