export { showAppointment } from './appointment.presenter.ts'
export { APPOINTMENT_EVENTS } from './appointments.events.ts'
export { isActiveStatus, isConfirmedByLab } from './appointments.machine.ts'
export {
  type AppointmentRow,
  findActiveAppointment,
  findAppointment,
  findLastAppointmentEvent,
  findNewestAppointment,
  listActiveAppointmentIds,
  lockActiveAppointment,
  lockAppointment,
} from './appointments.repository.ts'
export {
  Appointment,
  type AppointmentStatus,
  LngLat,
  USAddress,
} from './appointments.schema.ts'
export {
  type AppointmentChanges,
  type AppointmentDraft,
  type AppointmentTransition,
  CANCEL_AT_PROVIDER,
  type CancelAtProviderJob,
  createAppointment,
  keepAppointment,
  remind,
  transitionAppointment,
  updateAppointment,
} from './appointments.service.ts'
