import { EXAMPLE_BOOKING_KEY } from '@salus/contracts/examples'
import { Uuid } from '@salus/contracts/schema-types'
import type { App } from '@salus/kernel/http/app-types'
import Type from 'typebox'
import { Appointment, AppointmentList, AppointmentListQuery } from '../appointments/index.ts'
import { findVisitSlots } from './availability/area-availability.service.ts'
import {
  AreaSlotsQuery,
  AvailabilitySlots,
  BookingRequest,
  CancellationReasons,
  CancelRequest,
  RescheduleRequest,
  USAddressInput,
  VisitRequest,
} from './booking.schema.ts'
import type { BookingParts } from './booking-parts.ts'
import { CANCELLATION_REASONS } from './cancellation-reasons.registry.ts'
import { bookVisit, requestVisit } from './commands/book-visit.service.ts'
import { cancelAppointment, rescheduleAppointment } from './commands/change-appointment.service.ts'
import { listAppointments, readAppointment } from './read-appointment.service.ts'
import { registerSiteBookingRoutes } from './site-booking.routes.ts'

const VISIT_ADDRESS = {
  first_line: '1 Main St',
  second_line: 'Apt 4',
  city: 'Phoenix',
  state: 'AZ',
  zip_code: '85004',
}

const tags = ['Appointments']
const params = Type.Object({ order_id: Uuid })
const response = { 200: Appointment }

/** Registers the routes for slots and appointments (docs/contract/14-appointments-and-psc.md). */
export function registerBookingRoutes(app: App, parts: BookingParts): void {
  registerVisitBookingRoutes(app, parts)
  registerVisitRoutes(app, parts)
  registerSiteBookingRoutes(app, parts)
  app.get(
    '/v3/user/:user_id/appointment',
    {
      schema: {
        operationId: 'listAppointments',
        tags,
        summary: 'List the appointments of a person',
        description:
          'Returns the appointments of all orders of the person, newest first, including cancelled ones.',
        params: Type.Object({ user_id: Uuid }),
        querystring: AppointmentListQuery,
        response: { 200: AppointmentList },
      },
    },
    ({ scope, params: { user_id: userId }, query }) => listAppointments(scope, userId, query),
  )
}

const ofVisits = '/v3/order/phlebotomy/appointment'
const ofVisit = '/v3/order/:order_id/phlebotomy/appointment'

function registerVisitBookingRoutes(app: App, parts: BookingParts): void {
  app.post(
    `${ofVisits}/availability`,
    {
      config: { isRead: true },
      schema: {
        operationId: 'getPhlebotomyAppointmentAvailability',
        tags,
        summary: 'Find slots for a visit at an address',
        description:
          'Returns 14 local days, each with the slots that can be booked. The days are empty where no provider serves the address.',
        querystring: AreaSlotsQuery,
        body: USAddressInput,
        'x-body-example': VISIT_ADDRESS,
        response: { 200: AvailabilitySlots },
      },
    },
    ({ scope, query, body }) => findVisitSlots(scope, parts, body, { startDate: query.start_date }),
  )
  app.post(
    `${ofVisit}/book`,
    {
      schema: {
        operationId: 'bookPhlebotomyAppointment',
        tags,
        summary: 'Book a visit',
        description:
          "Books a visit at the address of the order. The booking key names the slot and its provider, and must be for the ZIP code of the order's patient.",
        params,
        body: BookingRequest,
        'x-body-example': { booking_key: EXAMPLE_BOOKING_KEY, appointment_notes: 'Blue door' },
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) => bookVisit(scope, parts, orderId, body),
  )
  registerVisitRequestRoute(app, parts)
}

function registerVisitRequestRoute(app: App, parts: BookingParts): void {
  app.post(
    `${ofVisit}/request`,
    {
      schema: {
        operationId: 'requestPhlebotomyAppointment',
        tags,
        summary: 'Request a visit',
        description:
          'Requests a visit from a provider that sets the time itself. The appointment is pending until the provider reports the time.',
        params,
        body: VisitRequest,
        'x-body-example': {
          address: VISIT_ADDRESS,
          provider: 'phlebfinders',
          appointment_notes: 'After five',
        },
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) => requestVisit(scope, parts, orderId, body),
  )
}

const VISIT = 'phlebotomy'

function registerVisitRoutes(app: App, parts: BookingParts): void {
  app.patch(
    `${ofVisit}/reschedule`,
    {
      schema: {
        operationId: 'reschedulePhlebotomyAppointment',
        tags,
        summary: 'Reschedule a visit',
        description: 'Moves the visit to another slot of the same provider.',
        params,
        body: RescheduleRequest,
        'x-body-example': { booking_key: EXAMPLE_BOOKING_KEY },
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) =>
      rescheduleAppointment(scope, parts, { orderId, type: VISIT, body }),
  )
  app.patch(
    `${ofVisit}/cancel`,
    {
      schema: {
        operationId: 'cancelPhlebotomyAppointment',
        tags,
        summary: 'Cancel a visit',
        description:
          'Cancels the visit. A cancellation is free of charge until 24 hours before the start.',
        params,
        body: CancelRequest,
        'x-body-example': {
          cancellation_reason_id: '9b1f6a40-3c57-4e0a-8d21-000000000107',
          notes: 'At work that day',
        },
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) => {
      const { cancellation_reason_id: reasonId, notes = null } = body
      return cancelAppointment(scope, { orderId, type: VISIT, reasonId, notes })
    },
  )
  registerVisitReads(app)
}

function registerVisitReads(app: App): void {
  app.get(
    `${ofVisits}/cancellation-reasons`,
    {
      schema: {
        operationId: 'listPhlebotomyAppointmentCancellationReasons',
        tags,
        summary: 'List reasons to cancel a visit',
        description: 'Returns the reasons that a cancellation may name. Their ids never change.',
        response: { 200: CancellationReasons },
      },
    },
    () => [...CANCELLATION_REASONS[VISIT]],
  )
  app.get(
    ofVisit,
    {
      schema: {
        operationId: 'getPhlebotomyAppointment',
        tags,
        summary: 'Read the visit of an order',
        description: 'Returns the active appointment, or the newest one when none is active.',
        params,
        response,
      },
    },
    (request) => readAppointment(request.scope, request.params.order_id, VISIT),
  )
}
