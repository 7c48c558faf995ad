export { showAppointment, showAppointments } from './appointment.presenter.ts'
export { APPOINTMENT_EVENTS } from './appointments.events.ts'
export { isActiveStatus, isConfirmedByLab } from './appointments.machine.ts'
export {
  type AppointmentRow,
  findActiveAppointment,
  findAppointment,
  findLastAppointmentEvent,
  findNewestAppointment,
  forgetReminder,
  listActiveAppointmentIds,
  listAppointmentsOfUser,
  lockActiveAppointment,
  lockAppointment,
  postponeAsking,
} from './appointments.repository.ts'
export {
  Appointment,
  AppointmentList,
  AppointmentListQuery,
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
