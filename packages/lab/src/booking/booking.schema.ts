import { APPOINTMENT_LABS, APPOINTMENT_PROVIDERS } from '@salus/contracts/lab-gateway'
import { DateOnly, DateTime, Nullable, TextEnum, Uuid } from '@salus/contracts/schema-types'
import Type from 'typebox'
import { LngLat, USAddress } from '../appointments/index.ts'

/**
 * Slots, and requests that book, move and cancel appointments
 * (docs/contract/14-appointments-and-psc.md).
 */

const Text = Type.String({ minLength: 1, maxLength: 500 })
const NullableText = Type.Optional(Nullable(Type.String({ maxLength: 500 })))
const Notes = Nullable(Type.String({ maxLength: 1000 }))
const AppointmentNotes = Type.Optional(Notes)
const BookingKey = Type.String({ description: 'Key of the slot; it expires after 30 minutes.' })

export const USAddressInput = Type.Object(
  {
    first_line: Text,
    second_line: NullableText,
    city: Text,
    state: Text,
    zip_code: Type.String({ pattern: '^\\d{5}(-\\d{4})?$' }),
    unit: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 500,
          deprecated: true,
          description: 'Further line of the address. Use `second_line` instead.',
        }),
      ),
    ),
    access_notes: AppointmentNotes,
  },
  { title: 'USAddressInput' },
)
export type USAddressInput = Type.Static<typeof USAddressInput>

const StartDate = Type.Optional(
  Nullable(Type.String({ ...DateOnly, description: 'First local day; today by default.' })),
)

export const AreaSlotsQuery = Type.Object({ start_date: StartDate })

export const SiteSlotsQuery = Type.Object({
  lab: TextEnum(APPOINTMENT_LABS, { description: 'Laboratory that runs the sites.' }),
  start_date: StartDate,
  site_codes: Type.Optional(
    Nullable(Type.Array(Type.String(), { description: 'Codes of sites, at most three.' })),
  ),
  zip_code: Type.Optional(
    Nullable(
      Type.String({
        pattern: '^\\d{5}$',
        description: 'ZIP code; the three sites nearest to it are searched.',
      }),
    ),
  ),
  radius: Nullable(
    TextEnum(['10', '20', '25', '50', '100'], {
      default: '25',
      description: 'Radius of the search in miles around the ZIP code.',
    }),
  ),
  allow_stale: Type.Boolean({
    default: false,
    description: 'Whether slots fetched up to 15 minutes ago may be returned.',
  }),
})
export type SiteSlotsQuery = Type.Static<typeof SiteSlotsQuery>

const AppointmentLocation = Type.Object(
  {
    location: LngLat,
    distance: Nullable(Type.Integer({ description: 'Distance in miles.' })),
    address: USAddress,
    code: Type.String(),
    name: Type.String(),
    iana_timezone: Nullable(Type.String()),
  },
  { title: 'AppointmentLocation' },
)

const TimeSlot = Type.Object(
  {
    booking_key: Nullable(
      Type.String({ description: 'Key to book the slot with; null when the slot is full.' }),
    ),
    start: DateTime,
    end: DateTime,
    expires_at: Nullable(
      Type.String({ ...DateTime, description: 'Time at which the booking key expires.' }),
    ),
    price: Type.Number({ description: 'Price in US cents.' }),
    is_priority: Type.Boolean(),
    num_appointments_available: Type.Integer(),
  },
  { title: 'TimeSlot' },
)
export type TimeSlot = Type.Static<typeof TimeSlot>

const DaySlots = Type.Object(
  {
    location: Nullable(AppointmentLocation),
    date: DateOnly,
    slots: Type.Array(TimeSlot),
  },
  { title: 'DaySlots' },
)
export type DaySlots = Type.Static<typeof DaySlots>

export const AvailabilitySlots = Type.Object(
  {
    slots: Type.Array(DaySlots),
    timezone: Nullable(
      Type.String({
        description: 'IANA time zone of the address; null for sites, which each have their own.',
      }),
    ),
  },
  { title: 'AppointmentAvailabilitySlots' },
)
export type AvailabilitySlots = Type.Static<typeof AvailabilitySlots>

const Timeout = (minimum: number, maximum: number, description: string) =>
  Type.Optional(Nullable(Type.Integer({ minimum, maximum, description })))

export const BookingRequest = Type.Object(
  {
    booking_key: BookingKey,
    appointment_notes: AppointmentNotes,
    async_confirmation: Type.Boolean({
      default: false,
      description:
        'Whether the request returns a pending appointment when the laboratory is slow, and the booking continues. Applies to sites only.',
    }),
    sync_confirmation_timeout_millisecond: Timeout(
      1000,
      10_000,
      'Milliseconds to wait for the laboratory before the request returns; 2500 by default. Requires `async_confirmation`.',
    ),
    async_confirmation_timeout_millisecond: Timeout(
      60_000,
      172_800_000,
      'Milliseconds after which a pending appointment is cancelled; 900000 by default. Requires `async_confirmation`.',
    ),
  },
  { title: 'AppointmentBookingRequest' },
)
export type BookingRequest = Type.Static<typeof BookingRequest>

export const VisitRequest = Type.Object(
  {
    address: USAddressInput,
    provider: TextEnum(APPOINTMENT_PROVIDERS),
    appointment_notes: AppointmentNotes,
  },
  { title: 'RequestAppointmentRequest' },
)
export type VisitRequest = Type.Static<typeof VisitRequest>

export const RescheduleRequest = Type.Object(
  {
    booking_key: BookingKey,
    appointment_notes: Type.Optional(
      Nullable(
        Type.String({
          maxLength: 1000,
          description:
            'New notes of the appointment. The notes stay when the field is left out; null removes them.',
        }),
      ),
    ),
  },
  { title: 'AppointmentRescheduleRequest' },
)
export type RescheduleRequest = Type.Static<typeof RescheduleRequest>

export const CancelRequest = Type.Object(
  { cancellation_reason_id: Uuid, notes: Type.Optional(Notes) },
  { title: 'AppointmentCancelRequest' },
)

/** Accepts the fields in camelCase, and in snake_case as {@link CancelRequest} does. */
export const SiteCancelRequest = Type.Object(
  {
    cancellationReasonId: Type.Optional(Uuid),
    note: Type.Optional(Notes),
    cancellation_reason_id: Type.Optional(Uuid),
    notes: Type.Optional(Notes),
  },
  { title: 'PatientServiceCenterAppointmentCancelRequest' },
)
export type SiteCancelRequest = Type.Static<typeof SiteCancelRequest>

export const CancellationReasons = Type.Array(
  Type.Object(
    { id: Uuid, name: Type.String(), is_refundable: Type.Boolean() },
    { title: 'AppointmentCancellationReason' },
  ),
)
