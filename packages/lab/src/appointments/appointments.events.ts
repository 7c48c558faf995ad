import { defineEvent } from '@salus/contracts/event-type'
import { Appointment } from './appointments.schema.ts'

const REQUESTED = {
  created_at: '2026-03-01T10:00:00+00:00',
  status: 'pending',
  data: { origin: 'customer' },
} as const
const SCHEDULED = {
  created_at: '2026-03-01T15:30:00+00:00',
  status: 'scheduled',
  data: { origin: 'provider' },
} as const

const EXAMPLE: Appointment = {
  id: 'b2c3d4e5-6f70-4819-8a2b-3c4d5e6f7081',
  user_id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  order_id: 'a4b1c9d2-3e5f-4a7b-8c6d-9e0f1a2b3c4d',
  order_transaction_id: '7d6e5f4a-3b2c-4d1e-8f0a-9b8c7d6e5f4a',
  address: {
    first_line: '1 Main St',
    second_line: null,
    city: 'Phoenix',
    state: 'AZ',
    zip_code: '85004',
    unit: null,
    access_notes: 'The bell is broken.',
  },
  location: { lng: -112.07, lat: 33.45 },
  start_at: '2026-03-04T16:00:00+00:00',
  end_at: '2026-03-04T18:00:00+00:00',
  iana_timezone: 'America/Phoenix',
  type: 'phlebotomy',
  provider: 'phlebfinders',
  status: 'confirmed',
  provider_id: 'PF-20481',
  external_id: null,
  can_reschedule: false,
  appointment_notes: null,
  event_status: 'scheduled',
  event_data: { origin: 'provider' },
  events: [REQUESTED, SCHEDULED],
}

export const appointmentCreated = defineEvent({
  name: 'labtest.appointment.created',
  data: Appointment,
  meaning: 'An appointment was booked or requested.',
  isAboutUser: true,
  example: {
    ...EXAMPLE,
    start_at: null,
    end_at: null,
    status: 'pending',
    provider_id: '',
    event_status: 'pending',
    event_data: REQUESTED.data,
    events: [REQUESTED],
  },
})

export const appointmentUpdated = defineEvent({
  name: 'labtest.appointment.updated',
  data: Appointment,
  meaning:
    'The status of an appointment was set or changed, the appointment was rescheduled, or its notes or number changed.',
  isAboutUser: true,
  example: EXAMPLE,
})

export const appointmentReminder = defineEvent({
  name: 'labtest.appointment.reminder',
  data: Appointment,
  meaning:
    'An appointment begins in 24 hours. The event is not emitted when its time was set or changed later than that.',
  isAboutUser: true,
  example: EXAMPLE,
})

/** The events that this domain raises. */
export const APPOINTMENT_EVENTS = [appointmentCreated, appointmentUpdated, appointmentReminder]
