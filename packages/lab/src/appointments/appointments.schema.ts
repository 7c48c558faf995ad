import { APPOINTMENT_PROVIDERS, APPOINTMENT_TYPES } from '@salus/contracts/lab-gateway'
import { DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import { pageQuery } from '@salus/kernel/http/keyset-pages'
import Type from 'typebox'

/** Appointments as endpoints return them (docs/contract/14-appointments-and-psc.md#objects). */

export const APPOINTMENT_STATUSES = [
  'confirmed',
  'pending',
  'reserved',
  'in_progress',
  'completed',
  'cancelled',
] as const
export type AppointmentStatus = (typeof APPOINTMENT_STATUSES)[number]

export const APPOINTMENT_EVENT_STATUSES = [
  'pending',
  'reserved',
  'scheduled',
  'completed',
  'cancelled',
  'in_progress',
] as const
export type AppointmentEventStatus = (typeof APPOINTMENT_EVENT_STATUSES)[number]

const NullableText = Nullable(Type.String())

/** Degrees, WGS 84. */
export const LngLat = Type.Object(
  {
    lng: Type.Number({ minimum: -180, maximum: 180 }),
    lat: Type.Number({ minimum: -90, maximum: 90 }),
  },
  { title: 'LngLat' },
)

/** An address as endpoints return it. `unit` exists for older clients and is always null. */
export const USAddress = Type.Object(
  {
    first_line: Type.String(),
    second_line: NullableText,
    city: Type.String(),
    state: Type.String(),
    zip_code: Type.String(),
    unit: Nullable(Type.String({ deprecated: true })),
    access_notes: NullableText,
  },
  { title: 'USAddress' },
)

const EventData = Nullable(Type.Object({}, { additionalProperties: true }))

export const AppointmentEvent = Type.Object(
  { created_at: DateTime, status: TextEnum(APPOINTMENT_EVENT_STATUSES), data: EventData },
  { title: 'AppointmentEvent' },
)

export const Appointment = Type.Object(
  {
    id: Uuid,
    user_id: Uuid,
    order_id: Uuid,
    order_transaction_id: Nullable(Uuid),
    address: USAddress,
    location: LngLat,
    start_at: Nullable(DateTime),
    end_at: Nullable(DateTime),
    iana_timezone: NullableText,
    type: TextEnum(APPOINTMENT_TYPES),
    provider: TextEnum(APPOINTMENT_PROVIDERS),
    status: TextEnum(APPOINTMENT_STATUSES),
    provider_id: Type.String(),
    external_id: NullableText,
    can_reschedule: Type.Boolean(),
    appointment_notes: NullableText,
    event_status: TextEnum(APPOINTMENT_EVENT_STATUSES),
    event_data: EventData,
    events: Type.Array(AppointmentEvent),
  },
  { title: 'Appointment' },
)
export type Appointment = Type.Static<typeof Appointment>

export const AppointmentListQuery = Type.Object({
  ...pageQuery(100),
})
export type AppointmentListQuery = Type.Static<typeof AppointmentListQuery>

export const AppointmentList = Type.Object(
  { appointments: Type.Array(Appointment), next_cursor: NullableText },
  { title: 'AppointmentList' },
)
export type AppointmentList = Type.Static<typeof AppointmentList>
