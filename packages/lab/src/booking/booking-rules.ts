import type { AppointmentType } from '@salus/contracts/lab-gateway'
import type { CollectionMethod, LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { HOUR_MS } from '@salus/contracts/time-units'
import { badRequest, forbidden, invalidInput, notFoundCode } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { dateInZone } from '@salus/kernel/time/instants'
import { type AppointmentRow, lockActiveAppointment } from '../appointments/index.ts'
import { requireState } from '../insurance/index.ts'
import { lockOrder, type OrderRow } from '../orders/index.ts'

/**
 * Rules for orders with appointments (docs/contract/14-appointments-and-psc.md#errors and #rules).
 */

const METHOD_OF: Readonly<Record<AppointmentType, CollectionMethod>> = {
  phlebotomy: 'at_home_phlebotomy',
  patient_service_center: 'walk_in_test',
}

/** Statuses of an order in which an appointment may be booked. */
const BOOKABLE: readonly LowLevelStatus[] = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'appointment_cancelled',
]

/** Without a requisition an appointment is cancelled this long after the order was placed, */
const MOST_WAITING_MS = 8 * HOUR_MS
/** and this long before it starts. */
const LEAST_NOTICE_MS = 2 * HOUR_MS
const ADULT_YEARS = 18

/** Checks that the team may schedule appointments. @throws AppError 403 `feature_not_enabled` */
export function requireScheduling({ environment }: Scope): void {
  if (environment.settings.appointment_scheduling_enabled) return
  throw forbidden('feature_not_enabled', 'Appointments are not enabled for the team.')
}

/**
 * Checks the address of a visit, which needs a house number for the phlebotomist.
 * @param path of the address in the body
 * @throws InputError 422 for an unknown state, and for a street without a number
 */
export function requireVisitAddress(
  { state, first_line: street }: { state: string; first_line: string },
  path: readonly string[],
): void {
  requireState(state, path)
  if (/\d/.test(street)) return
  const message = 'Input should have a house number'
  throw invalidInput(['body', ...path, 'first_line'], message, 'street_number')
}

/** An order and its active appointment, both locked until the transaction ends. */
export interface LockedOrder {
  order: OrderRow
  active: AppointmentRow | undefined
}

/**
 * Returns the order with its active appointment, both locked. The lock of the order comes first.
 * @throws AppError as lockOrderForBooking
 */
export async function lockOrderForNewAppointment(
  tx: TransactionScope,
  orderId: string,
  type: AppointmentType,
): Promise<LockedOrder> {
  requireScheduling(tx)
  const [order, active] = await Promise.all([
    lockOrder(tx, orderId),
    lockActiveAppointment(tx, orderId),
  ])
  return { order: requireMethodOf(order, type), active }
}

/**
 * Returns the order, locked until the transaction ends.
 * @throws AppError 403 `feature_not_enabled`; 404 `order_not_found`; 400 `wrong_collection_method`
 */
export async function lockOrderForBooking(
  tx: TransactionScope,
  orderId: string,
  type: AppointmentType,
): Promise<OrderRow> {
  requireScheduling(tx)
  return requireMethodOf(await lockOrder(tx, orderId), type)
}

function requireMethodOf(order: OrderRow | undefined, type: AppointmentType): OrderRow {
  if (order === undefined || order.is_hidden) throw notFoundCode('order_not_found')
  if (order.method !== METHOD_OF[type]) {
    throw badRequest(
      'wrong_collection_method',
      'Orders with this collection method have another type of appointment.',
    )
  }
  return order
}

/**
 * Checks that the order may get an appointment.
 * @throws AppError 400 `appointment_exists`, `order_state`, `requisition_missing`
 */
export function requireBookable(
  { environment }: Pick<Scope, 'environment'>,
  { order, active }: LockedOrder,
): void {
  if (active !== undefined) throw appointmentExists()
  if (!BOOKABLE.includes(order.last_status)) throw orderState(order)
  const isEarlyAllowed = environment.settings.early_appointment_booking_enabled
  if (!hasRequisition(order) && !isEarlyAllowed) throw requisitionMissing()
}

export const appointmentExists = () =>
  badRequest('appointment_exists', 'The order has an active appointment, or one is being booked.')

/** Returns the refusal 400 `order_state` with the status of the order. */
export const orderState = ({ last_status: status }: OrderRow) =>
  badRequest(
    'order_state',
    'The status of the order does not allow this change of its appointment.',
    {
      status,
    },
  )

const requisitionMissing = () =>
  badRequest('requisition_missing', 'The laboratory does not have the requisition yet.')

/**
 * Returns whether the laboratory has the requisition, which it lacks only while the order is
 * `ordered`.
 */
export const hasRequisition = ({ last_status: status }: OrderRow): boolean => status !== 'ordered'

/**
 * Returns when an appointment without a requisition is cancelled; null when the order has one.
 * @throws AppError 400 `requisition_missing` when that time has passed
 */
export function requisitionDeadline(order: OrderRow, start: Date | null, now: Date): Date | null {
  if (hasRequisition(order)) return null
  const ends = [
    ...(order.is_scheduled ? [] : [order.created_at.getTime() + MOST_WAITING_MS]),
    ...(start === null ? [] : [start.getTime() - LEAST_NOTICE_MS]),
  ]
  if (ends.length === 0) return null
  const end = Math.min(...ends)
  if (end <= now.getTime()) throw requisitionMissing()
  return new Date(end)
}

/**
 * Checks that the patient is an adult on the current day at the visit.
 * @throws AppError 400 `patient_too_young`
 */
export function requireAdult(scope: Scope, order: OrderRow, timeZone: string): void {
  const birth = order.patient_details?.dob
  if (birth === undefined) return
  const today = dateInZone(environmentNow(scope), timeZone)
  const years = Number(today.slice(0, 4)) - ADULT_YEARS
  if (birth <= `${years}${today.slice(4)}`) return
  throw badRequest('patient_too_young', 'Visits are not available for patients under 18.')
}

/** Checks that the slot has not begun. @throws AppError 400 `slot_in_past` */
export function requireFutureSlot(start: Date, now: Date): void {
  if (start <= now) throw badRequest('slot_in_past', 'The slot has begun.')
}

export const invalidBookingKey = () =>
  badRequest(
    'invalid_booking_key',
    'The booking key is malformed, has expired, or is for another slot.',
  )

export const areaNotServed = () =>
  badRequest('area_not_served', 'The provider does not serve the address.')

export const labNotSchedulable = () =>
  badRequest('lab_not_schedulable', "Appointments at the order's laboratory cannot be booked here.")
