import { EXAMPLE_BOOKING_KEY } from '@salus/contracts/examples'
import { Uuid } from '@salus/contracts/schema-types'
import { invalidInput } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { IdempotencyHeaders } from '@salus/kernel/idempotency/idempotent-reply'
import Type from 'typebox'
import { Appointment } from '../appointments/index.ts'
import { findSiteSlots } from './availability/site-availability.service.ts'
import { SlotCache } from './availability/slot-cache.ts'
import {
  AvailabilitySlots,
  BookingRequest,
  CancellationReasons,
  RescheduleRequest,
  SiteCancelRequest,
  SiteSlotsQuery,
} from './booking.schema.ts'
import type { BookingParts } from './booking-parts.ts'
import { CANCELLATION_REASONS } from './cancellation-reasons.registry.ts'
import { cancelAppointment, rescheduleAppointment } from './commands/change-appointment.service.ts'
import { replyToBooking } from './idempotent-booking.ts'
import { readAppointment } from './read-appointment.service.ts'

const tags = ['Appointments']
const params = Type.Object({ order_id: Uuid })
const response = { 200: Appointment }

const ofSites = '/v3/order/psc/appointment'
const ofSite = '/v3/order/:order_id/psc/appointment'
const SITE = 'patient_service_center'

/** Registers the routes for slots and appointments at service centers. */
export function registerSiteBookingRoutes(app: App, parts: BookingParts): void {
  registerSiteSlotRoutes(app, parts)
  registerSiteRoutes(app, parts)
  registerSiteReads(app)
}

function registerSiteSlotRoutes(app: App, parts: BookingParts): void {
  const cache = new SlotCache()
  app.post(
    `${ofSites}/availability`,
    {
      config: { isRead: true },
      schema: {
        operationId: 'getPscAppointmentAvailability',
        tags,
        summary: 'Find slots at service centers',
        description:
          'Returns 14 local days for each site: for the sites in `site_codes`, or for the three sites nearest to `zip_code`.',
        querystring: SiteSlotsQuery,
        response: { 200: AvailabilitySlots },
      },
    },
    ({ scope, query }) => findSiteSlots(scope, { ...parts, cache }, query),
  )
  app.post(
    `${ofSite}/book`,
    {
      schema: {
        operationId: 'bookPscAppointment',
        tags,
        summary: 'Book a slot at a service center',
        description:
          'Books the slot with the laboratory. With `async_confirmation` the request returns a pending appointment when the laboratory is slow. A request with an idempotency key can be repeated safely.',
        params,
        headers: IdempotencyHeaders,
        body: BookingRequest,
        'x-body-example': { booking_key: EXAMPLE_BOOKING_KEY, async_confirmation: true },
        response,
      },
    },
    (request, reply) => replyToBooking(parts, request, reply) as Promise<never>,
  )
}

function registerSiteRoutes(app: App, parts: BookingParts): void {
  app.patch(
    `${ofSite}/reschedule`,
    {
      schema: {
        operationId: 'reschedulePscAppointment',
        tags,
        summary: 'Reschedule an appointment at a service center',
        description:
          'Moves the appointment to another slot, at the same or another site of the laboratory.',
        params,
        body: RescheduleRequest,
        'x-body-example': { booking_key: EXAMPLE_BOOKING_KEY, appointment_notes: null },
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) =>
      rescheduleAppointment(scope, parts, { orderId, type: SITE, body }),
  )
  app.patch(
    `${ofSite}/cancel`,
    {
      schema: {
        operationId: 'cancelPscAppointment',
        tags,
        summary: 'Cancel an appointment at a service center',
        description:
          'Cancels the appointment. Fields of the body may be in camelCase or in snake_case.',
        params,
        body: SiteCancelRequest,
        'x-body-example': {
          cancellationReasonId: '9b1f6a40-3c57-4e0a-8d21-000000000201',
          note: 'At work that day',
        },
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) =>
      cancelAppointment(scope, { orderId, type: SITE, ...readCancellation(body) }),
  )
}

function registerSiteReads(app: App): void {
  app.get(
    `${ofSites}/cancellation-reasons`,
    {
      schema: {
        operationId: 'listPscAppointmentCancellationReasons',
        tags,
        summary: 'List reasons to cancel an appointment at a service center',
        description: 'Returns the reasons that a cancellation may name. Their ids never change.',
        response: { 200: CancellationReasons },
      },
    },
    () => [...CANCELLATION_REASONS[SITE]],
  )
  app.get(
    ofSite,
    {
      schema: {
        operationId: 'getPscAppointment',
        tags,
        summary: "Read an order's appointment at a service center",
        description: 'Returns the active appointment, or the newest one when none is active.',
        params,
        response,
      },
    },
    (request) => readAppointment(request.scope, request.params.order_id, SITE),
  )
}

/** Reads the fields in camelCase or snake_case. @throws InputError when there is no reason */
function readCancellation(body: SiteCancelRequest): { reasonId: string; notes: string | null } {
  const reasonId = body.cancellationReasonId ?? body.cancellation_reason_id
  if (reasonId === undefined) {
    throw invalidInput(['body', 'cancellationReasonId'], 'Field required', 'missing')
  }
  return { reasonId, notes: body.note ?? body.notes ?? null }
}
