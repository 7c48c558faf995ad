export type { BookingParts } from './booking-parts.ts'
export { dueAppointmentJobs } from './due/due-appointments.jobs.ts'
export { runDueAppointments } from './due/run-due-appointments.service.ts'
