import { defineJob } from '@salus/kernel/jobs/jobs'

export interface AppointmentJob {
  environmentId: string
  appointmentId: string
}

/** Settles a booking or a move that was cut short (commands/settle-attempt.service.ts). */
export const SETTLE_ATTEMPT = defineJob<AppointmentJob>('settle_booking_attempt')

/**
 * Goes on with a booking for which the provider took longer than the caller waits. The appointment
 * is `pending`; its `start_at` and `end_at` are the slot that is asked for, `confirm_by` is when it
 * is given up.
 */
export const CONTINUE_BOOKING = defineJob<AppointmentJob>('continue_booking')
