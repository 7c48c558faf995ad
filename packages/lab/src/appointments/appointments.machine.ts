import { type AppointmentProvider, SCHEDULING_PROVIDERS } from '@salus/contracts/lab-gateway'
import type { AppointmentEventStatus, AppointmentStatus } from './appointments.schema.ts'

/**
 * What an appointment may become, from each of its statuses
 * (docs/contract/14-appointments-and-psc.md#appointment-states).
 */
export const APPOINTMENT_TRANSITIONS: Readonly<
  Record<AppointmentStatus, readonly AppointmentStatus[]>
> = {
  pending: ['confirmed', 'reserved', 'cancelled'],
  // Once more, when it is moved; so with the next one.
  reserved: ['reserved', 'confirmed', 'cancelled'],
  confirmed: ['confirmed', 'in_progress', 'completed', 'cancelled'],
  in_progress: ['completed', 'cancelled'],
  completed: [],
  cancelled: [],
}

/** Statuses of which an order has at most one appointment. */
export const ACTIVE_STATUSES = ['pending', 'reserved', 'confirmed', 'in_progress'] as const

/** True until an appointment is completed or cancelled. */
export function isActiveStatus(status: AppointmentStatus): boolean {
  return APPOINTMENT_TRANSITIONS[status].length > 0
}

/** The status of the event by which an appointment took its status. */
export const eventStatusOf = (status: AppointmentStatus): AppointmentEventStatus =>
  status === 'confirmed' ? 'scheduled' : status

/** True where a booking stands by the laboratory's own word only, and not by a requisition. */
export function isConfirmedByLab(provider: AppointmentProvider): boolean {
  const { type, confirmsLater } = SCHEDULING_PROVIDERS[provider]
  return confirmsLater && type === 'patient_service_center'
}
