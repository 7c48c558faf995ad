import { defineJob } from '@salus/kernel/jobs/jobs'

export interface AppointmentJob {
  environmentId: string
  appointmentId: string
}

/** Settles an interrupted booking or reschedule (commands/settle-attempt.service.ts). */
export const SETTLE_ATTEMPT = defineJob<AppointmentJob>('settle_booking_attempt')

/**
 * Continues a booking whose provider did not answer while the caller waited. The appointment is
 * `pending`, its `start_at` and `end_at` are the requested slot, and at `confirm_by` it is
 * cancelled.
 */
export const CONTINUE_BOOKING = defineJob<AppointmentJob>('continue_booking')
