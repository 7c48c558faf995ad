export { showAppointment, showAppointments } from './appointment.presenter.ts'
export { APPOINTMENT_EVENTS } from './appointments.events.ts'
export { isActiveStatus, isConfirmedByLab } from './appointments.machine.ts'
export {
  type AppointmentRow,
  clearReminder,
  findActiveAppointment,
  findAppointment,
  findLastAppointmentEvent,
  findNewestAppointment,
  listActiveAppointmentIds,
  listAppointmentsOfUser,
  lockActiveAppointment,
  lockAppointment,
  postponeProviderCall,
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
  clearCancellationTime,
  createAppointment,
  emitReminder,
  transitionAppointment,
  updateAppointment,
} from './appointments.service.ts'
