import { Uuid } from '@salus/contracts/schema-types'
import { invalidInput } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { IdempotencyHeaders } from '@salus/kernel/idempotency/idempotent-reply'
import Type from 'typebox'
import { Appointment, AppointmentList, AppointmentListQuery } from '../appointments/index.ts'
import { findVisitSlots } from './availability/area-availability.service.ts'
import { findSiteSlots } from './availability/site-availability.service.ts'
import { SlotCache } from './availability/slot-cache.ts'
import {
  AreaSlotsQuery,
  AvailabilitySlots,
  BookingRequest,
  CancellationReasons,
  CancelRequest,
  RescheduleRequest,
  SiteCancelRequest,
  SiteSlotsQuery,
  USAddressInput,
  VisitRequest,
} from './booking.schema.ts'
import type { BookingParts } from './booking-parts.ts'
import { CANCELLATION_REASONS } from './cancellation-reasons.registry.ts'
import { bookVisit, requestVisit } from './commands/book-visit.service.ts'
import { cancelAppointment, rescheduleAppointment } from './commands/change-appointment.service.ts'
import { replyToBooking } from './idempotent-booking.ts'
import { listAppointments, readAppointment } from './read-appointment.service.ts'

const tags = ['Appointments']
const params = Type.Object({ order_id: Uuid })
const response = { 200: Appointment }

/** Slots and appointments (docs/contract/14-appointments-and-psc.md). */
export function registerBookingRoutes(app: App, parts: BookingParts): void {
  registerVisitBookingRoutes(app, parts)
  registerVisitRoutes(app, parts)
  registerSiteBookingRoutes(app, parts)
  registerSiteRoutes(app, parts)
  app.get(
    '/v3/user/:user_id/appointment',
    {
      schema: {
        tags,
        summary: 'List the appointments of a person',
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
        tags,
        summary: 'Find slots of visits at an address',
        querystring: AreaSlotsQuery,
        body: USAddressInput,
        response: { 200: AvailabilitySlots },
      },
    },
    ({ scope, query, body }) => findVisitSlots(scope, parts, body, { startDate: query.start_date }),
  )
  app.post(
    `${ofVisit}/book`,
    { schema: { tags, summary: 'Book a visit', params, body: BookingRequest, response } },
    ({ scope, params: { order_id: orderId }, body }) => bookVisit(scope, parts, orderId, body),
  )
  app.post(
    `${ofVisit}/request`,
    { schema: { tags, summary: 'Request a visit', params, body: VisitRequest, response } },
    ({ scope, params: { order_id: orderId }, body }) => requestVisit(scope, parts, orderId, body),
  )
}

function registerVisitRoutes(app: App, parts: BookingParts): void {
  const type = 'phlebotomy'
  app.patch(
    `${ofVisit}/reschedule`,
    { schema: { tags, summary: 'Move a visit', params, body: RescheduleRequest, response } },
    ({ scope, params: { order_id: orderId }, body }) =>
      rescheduleAppointment(scope, parts, { orderId, type, body }),
  )
  app.patch(
    `${ofVisit}/cancel`,
    { schema: { tags, summary: 'Cancel a visit', params, body: CancelRequest, response } },
    ({ scope, params: { order_id: orderId }, body }) => {
      const { cancellation_reason_id: reasonId, notes = null } = body
      return cancelAppointment(scope, { orderId, type, reasonId, notes })
    },
  )
  app.get(
    `${ofVisits}/cancellation-reasons`,
    {
      schema: {
        tags,
        summary: 'List reasons to cancel a visit',
        response: { 200: CancellationReasons },
      },
    },
    () => [...CANCELLATION_REASONS[type]],
  )
  app.get(
    ofVisit,
    { schema: { tags, summary: 'Read the visit of an order', params, response } },
    (request) => readAppointment(request.scope, request.params.order_id, type),
  )
}

const ofSites = '/v3/order/psc/appointment'
const ofSite = '/v3/order/:order_id/psc/appointment'

function registerSiteBookingRoutes(app: App, parts: BookingParts): void {
  const cache = new SlotCache()
  app.post(
    `${ofSites}/availability`,
    {
      config: { isRead: true },
      schema: {
        tags,
        summary: 'Find slots at service centers',
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
        tags,
        summary: 'Book a slot at a service center',
        params,
        headers: IdempotencyHeaders,
        body: BookingRequest,
        response,
      },
    },
    (request, reply) => replyToBooking(parts, request, reply) as Promise<never>,
  )
}

function registerSiteRoutes(app: App, parts: BookingParts): void {
  const type = 'patient_service_center'
  app.patch(
    `${ofSite}/reschedule`,
    {
      schema: {
        tags,
        summary: 'Move an appointment at a service center',
        params,
        body: RescheduleRequest,
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) =>
      rescheduleAppointment(scope, parts, { orderId, type, body }),
  )
  app.patch(
    `${ofSite}/cancel`,
    {
      schema: {
        tags,
        summary: 'Cancel an appointment at a service center',
        params,
        body: SiteCancelRequest,
        response,
      },
    },
    ({ scope, params: { order_id: orderId }, body }) =>
      cancelAppointment(scope, { orderId, type, ...readCancellation(body) }),
  )
  app.get(
    `${ofSites}/cancellation-reasons`,
    {
      schema: {
        tags,
        summary: 'List reasons to cancel an appointment at a service center',
        response: { 200: CancellationReasons },
      },
    },
    () => [...CANCELLATION_REASONS[type]],
  )
  app.get(
    ofSite,
    {
      schema: {
        tags,
        summary: "Read an order's appointment at a service center",
        params,
        response,
      },
    },
    (request) => readAppointment(request.scope, request.params.order_id, type),
  )
}

/** In either spelling. @throws InputError when it names no reason */
function readCancellation(body: SiteCancelRequest): { reasonId: string; notes: string | null } {
  const reasonId = body.cancellationReasonId ?? body.cancellation_reason_id
  if (reasonId === undefined) {
    throw invalidInput(['body', 'cancellationReasonId'], 'Field required', 'missing')
  }
  return { reasonId, notes: body.note ?? body.notes ?? null }
}
