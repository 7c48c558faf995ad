import { type AppointmentType, SCHEDULING_PROVIDERS } from '@salus/contracts/lab-gateway'
import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { AppError, badRequest, notFoundCode } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  type Appointment,
  type AppointmentRow,
  findNewestAppointment,
  lockActiveAppointment,
  lockAppointment,
  showAppointment,
  transitionAppointment,
} from '../../appointments/index.ts'
import { moveOrderWithAppointment, type OrderRow } from '../../orders/index.ts'
import type { RescheduleRequest } from '../booking.schema.ts'
import type { BookingParts } from '../booking-parts.ts'
import {
  invalidBookingKey,
  lockOrderForBooking,
  orderState,
  requireFutureSlot,
  requisitionDeadline,
} from '../booking-rules.ts'
import { CANCELLATION_REASONS } from '../cancellation-reasons.registry.ts'
import {
  homeAddressOf,
  locateSite,
  type MeetingPoint,
  meetingPointOf,
  toColumns,
} from '../visits.ts'
import { removeAttemptOfOrder } from './booking-attempts.repository.ts'
import { readBookingKey } from './read-booking-key.ts'
import {
  type BookingPlan,
  concludeAttempt,
  type RequestedBooking,
  refuseUnanswered,
  requestBooking,
} from './request-booking.service.ts'

/** Statuses of an order in which its appointment may be rescheduled. */
const MOVABLE: readonly LowLevelStatus[] = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'appointment_pending',
  'appointment_scheduled',
  'appointment_cancelled',
]
/** An order that was cancelled may still have an appointment at a site, which can be cancelled. */
const CANCELLABLE: readonly LowLevelStatus[] = [...MOVABLE, 'cancelled']

/**
 * Moves an appointment to another slot of its provider
 * (docs/contract/14-appointments-and-psc.md#patch-v3orderorder_idphlebotomyappointmentreschedule).
 * @throws AppError of the table "Errors" there
 */
export async function rescheduleAppointment(
  scope: Scope,
  parts: BookingParts,
  asked: { orderId: string; type: AppointmentType; body: RescheduleRequest },
): Promise<Appointment> {
  const { orderId, type, body } = asked
  const move = await requestBooking(scope, parts, {
    refuseBusy: appointmentBusy,
    async planBooking(tx): Promise<BookingPlan> {
      const order = await lockOrderForBooking(tx, orderId, type)
      const row = await getActiveAppointment(tx, order, type)
      if (!MOVABLE.includes(order.last_status)) throw orderState(order)
      requireMovable(row)
      const { gateway, slot } = readBookingKey(tx, parts, body.booking_key, type)
      if (gateway.provider !== row.provider) throw invalidBookingKey()
      const point = await locateNewSlot(tx, order, row, slot.location)
      const now = environmentNow(tx)
      requireFutureSlot(slot.start, now)
      requisitionDeadline(order, slot.start, now)
      const notes = body.appointment_notes === undefined ? row.notes : body.appointment_notes
      return { order, gateway, slot, point, notes, movedId: row.id }
    },
  })
  if (move.booked === undefined) return refuseUnanswered(scope, move)
  return concludeAttempt(scope, move, (tx, { order }) => storeMove(tx, order, move))
}

const appointmentBusy = () =>
  new AppError(409, 'appointment_busy', 'Another request is moving the appointment. Try again.')

/** Checks that the appointment can be rescheduled. @throws AppError 400 `not_reschedulable` */
function requireMovable({ can_reschedule: canMove, status }: AppointmentRow): void {
  if (canMove && (status === 'confirmed' || status === 'reserved')) return
  throw badRequest('not_reschedulable', 'The appointment cannot be rescheduled through Salus.')
}

/** Returns the other site, or the same address with the current access notes of the order. */
async function locateNewSlot(
  tx: TransactionScope,
  order: OrderRow,
  row: AppointmentRow,
  location: string,
): Promise<MeetingPoint> {
  if (row.site_code !== null) return locateSite(tx, row.provider, location)
  const point = meetingPointOf(row)
  if (row.address.zip_code.slice(0, 5) !== location) throw invalidBookingKey()
  const { access_notes } = homeAddressOf(order)
  return { ...point, address: { ...point.address, access_notes } }
}

async function storeMove(
  tx: TransactionScope,
  order: OrderRow,
  { plan, attempt, booked }: RequestedBooking,
): Promise<Appointment> {
  const row = await lockAppointment(tx, attempt.appointment_id)
  if (row === undefined) throw noAppointment()
  requireOpen(row)
  requireMovable(row)
  const { slot, point, notes } = plan
  const at = environmentNow(tx)
  const moved = await transitionAppointment(tx, row, {
    to: row.status,
    at,
    data: { origin: 'customer', is_reschedule: true },
    changes: {
      ...toColumns(point),
      start_at: slot?.start ?? null,
      end_at: slot?.end ?? null,
      provider_id: booked?.providerId ?? row.provider_id,
      external_id: booked?.externalId ?? row.external_id,
      notes,
      cancel_at: requisitionDeadline(order, slot?.start ?? null, at),
    },
  })
  await moveOrderWithAppointment(tx, order, 'rescheduled', at)
  return showAppointment(tx, moved)
}

/**
 * Cancels an appointment. A job cancels it at the provider.
 * @throws AppError of the table docs/contract/14-appointments-and-psc.md#errors
 */
export function cancelAppointment(
  scope: Scope,
  asked: { orderId: string; type: AppointmentType; reasonId: string; notes: string | null },
): Promise<Appointment> {
  const { orderId, type, reasonId, notes } = asked
  return scope.transaction(async (tx) => {
    const order = await lockOrderForBooking(tx, orderId, type)
    const reason = CANCELLATION_REASONS[type].find(({ id }) => id === reasonId.toLowerCase())
    if (reason === undefined) throw notFoundCode('cancellation_reason_not_found')
    const row = await getActiveAppointment(tx, order, type, alreadyCancelled)
    const isOurs = SCHEDULING_PROVIDERS[row.provider].isChangeable && row.status !== 'in_progress'
    if (!isOurs || !CANCELLABLE.includes(order.last_status)) throw orderState(order)
    // A concurrent reschedule then finds the cancellation and cancels at the provider once more.
    await removeAttemptOfOrder(tx, order.id)
    const at = environmentNow(tx)
    const cancelled = await transitionAppointment(tx, row, {
      to: 'cancelled',
      at,
      data: {
        origin: 'customer',
        cancellation_reason_id: reason.id,
        cancellation_reason: reason.name,
        ...(notes !== null && { notes }),
      },
    })
    await moveOrderWithAppointment(tx, order, 'cancelled', at)
    return showAppointment(tx, cancelled)
  })
}

/**
 * Returns the active appointment of a locked order, locked.
 * @throws AppError 400 `no_appointment`, `appointment_closed`; the error of `ofCancelled` for a
 *   cancelled one
 */
async function getActiveAppointment(
  tx: TransactionScope,
  order: OrderRow,
  type: AppointmentType,
  ofCancelled = appointmentClosed,
): Promise<AppointmentRow> {
  const active = await lockActiveAppointment(tx, order.id)
  if (active !== undefined) return active
  const newest = await findNewestAppointment(tx, order.id, type)
  if (newest === undefined) throw noAppointment()
  throw newest.status === 'cancelled' ? ofCancelled() : appointmentClosed()
}

function requireOpen({ status }: AppointmentRow): void {
  if (status === 'cancelled' || status === 'completed') throw appointmentClosed()
}

const noAppointment = () => badRequest('no_appointment', 'The order has no appointment.')
const appointmentClosed = () =>
  badRequest('appointment_closed', 'The appointment is completed or cancelled.')
const alreadyCancelled = () =>
  badRequest('appointment_already_cancelled', 'The appointment is already cancelled.')
