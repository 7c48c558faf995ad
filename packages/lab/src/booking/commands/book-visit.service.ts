import { SCHEDULING_PROVIDERS, type VisitAddress } from '@salus/contracts/lab-gateway'
import { badRequest } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import type { Appointment } from '../../appointments/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import type { BookingRequest, USAddressInput, VisitRequest } from '../booking.schema.ts'
import type { BookingParts } from '../booking-parts.ts'
import {
  appointmentExists,
  areaNotServed,
  invalidBookingKey,
  lockOrderForNewAppointment,
  requireAdult,
  requireBookable,
  requireFutureSlot,
  requireVisitAddress,
  requisitionDeadline,
} from '../booking-rules.ts'
import { readFromProvider } from '../provider-calls.ts'
import { homeAddressOf, locateHome } from '../visits.ts'
import { refuseAsyncFields } from './async-fields.ts'
import { readBookingKey } from './read-booking-key.ts'
import {
  type BookingPlan,
  concludeAttempt,
  refuseUnanswered,
  requestBooking,
} from './request-booking.service.ts'
import { storeBooking } from './store-booking.service.ts'

/**
 * Books a slot for a visit at the patient's address
 * (docs/contract/14-appointments-and-psc.md#post-v3orderorder_idphlebotomyappointmentbook).
 * @throws AppError of the table "Errors" there
 */
export function bookVisit(
  scope: Scope,
  parts: BookingParts,
  orderId: string,
  body: BookingRequest,
): Promise<Appointment> {
  refuseAsyncFields(body)
  return bookWithProvider(scope, parts, async (tx) => {
    const locked = await lockOrderForNewAppointment(tx, orderId, 'phlebotomy')
    requireBookable(tx, locked)
    const { order } = locked
    const { gateway, slot } = readBookingKey(tx, parts, body.booking_key, 'phlebotomy')
    const point = await locateHome(homeAddressOf(order))
    if (point.address.zip_code.slice(0, 5) !== slot.location) throw invalidBookingKey()
    requireAdult(tx, order, point.place.timeZone)
    const now = environmentNow(tx)
    requireFutureSlot(slot.start, now)
    requisitionDeadline(order, slot.start, now)
    return { order, gateway, slot, point, notes: body.appointment_notes ?? null }
  })
}

/**
 * Requests a visit at a time that the provider sets
 * (docs/contract/14-appointments-and-psc.md#post-v3orderorder_idphlebotomyappointmentrequest).
 * @throws AppError of the table "Errors" there
 */
export async function requestVisit(
  scope: Scope,
  parts: BookingParts,
  orderId: string,
  { provider, address, appointment_notes: notes = null }: VisitRequest,
): Promise<Appointment> {
  requireVisitAddress(address, ['address'])
  const gateway = parts.scheduling.find(scope.environment.kind, provider)
  const area = { environmentId: scope.environment.id, zip: address.zip_code.slice(0, 5) }
  const served = gateway && (await readFromProvider(() => gateway.serviceTypes(area)))
  return bookWithProvider(scope, parts, async (tx) => {
    const locked = await lockOrderForNewAppointment(tx, orderId, 'phlebotomy')
    requireBookable(tx, locked)
    const { order } = locked
    if (!SCHEDULING_PROVIDERS[provider].serviceTypes.includes('appointment-request')) {
      throw badRequest(
        'provider_not_requestable',
        'The provider does not accept requests without a slot.',
      )
    }
    const point = await locateHome(toVisitAddress(address, order))
    if (gateway === undefined || !served?.includes('appointment-request')) throw areaNotServed()
    requireAdult(tx, order, point.place.timeZone)
    requisitionDeadline(order, null, environmentNow(tx))
    return { order, gateway, slot: null, point, notes }
  })
}

async function bookWithProvider(
  scope: Scope,
  parts: BookingParts,
  planBooking: (tx: TransactionScope) => Promise<BookingPlan>,
): Promise<Appointment> {
  const requested = await requestBooking(scope, parts, {
    planBooking,
    refuseBusy: appointmentExists,
  })
  if (requested.booked === undefined) return refuseUnanswered(scope, requested)
  return concludeAttempt(scope, requested, async (tx, locked) => {
    return (await storeBooking(tx, locked, requested)).appointment
  })
}

/**
 * Returns the address of the request. Access notes come from the order when the request has none.
 */
function toVisitAddress(address: USAddressInput, order: OrderRow): VisitAddress {
  const { first_line, second_line, unit, city, state, zip_code, access_notes } = address
  return {
    first_line,
    second_line: second_line || unit || null,
    city,
    state,
    zip_code,
    access_notes: access_notes ?? order.patient_address?.access_notes ?? null,
  }
}
