import type { AppointmentType } from '@salus/contracts/lab-gateway'
import type { CollectionMethod, LowLevelStatus } from '@salus/contracts/order-lifecycle'
import { HOUR_MS } from '@salus/contracts/time-units'
import { badRequest, forbidden, invalidInput, notFoundCode } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { dateInZone } from '@salus/kernel/time/instants'
import { lockActiveAppointment } from '../appointments/index.ts'
import { requireState } from '../insurance/index.ts'
import { lockOrder, type OrderRow } from '../orders/index.ts'

/**
 * What the tables of docs/contract/14-appointments-and-psc.md#errors and #rules ask of an order.
 */

const METHOD_OF: Readonly<Record<AppointmentType, CollectionMethod>> = {
  phlebotomy: 'at_home_phlebotomy',
  patient_service_center: 'walk_in_test',
}

/** Statuses from which an appointment may be made. */
const BOOKABLE: readonly LowLevelStatus[] = [
  'ordered',
  'requisition_created',
  'requisition_bypassed',
  'appointment_cancelled',
]

/** Without a requisition a booking ends so long after the order was placed, */
const MOST_WAITING_MS = 8 * HOUR_MS
/** and so long before it starts. */
const LEAST_NOTICE_MS = 2 * HOUR_MS
const ADULT_YEARS = 18

/** @throws AppError 403 `feature_not_enabled` */
export function requireScheduling({ environment }: Scope): void {
  if (environment.settings.appointment_scheduling_enabled) return
  throw forbidden('feature_not_enabled', 'Appointments are not enabled for the team.')
}

/**
 * A phlebotomist finds an address by its number.
 * @param path of the address in the body
 * @throws InputError 422 for a state that is none, and for a street without a number
 */
export function requireVisitAddress(
  { state, first_line: street }: { state: string; first_line: string },
  path: readonly string[],
): void {
  requireState(state, path)
  if (/\d/.test(street)) return
  const message = 'Input should have the number of the house'
  throw invalidInput(['body', ...path, 'first_line'], message, 'street_number')
}

/**
 * The order, locked until the transaction ends.
 * @throws AppError 403 `feature_not_enabled`; 404 `order_not_found`; 400 `wrong_collection_method`
 */
export async function lockOrderFor(
  tx: TransactionScope,
  orderId: string,
  type: AppointmentType,
): Promise<OrderRow> {
  requireScheduling(tx)
  const order = await lockOrder(tx, orderId)
  if (order === undefined || order.is_hidden) throw notFoundCode('order_not_found')
  if (order.method !== METHOD_OF[type]) {
    throw badRequest('wrong_collection_method', 'Orders of this collection method have others.')
  }
  return order
}

/** @throws AppError 400 `appointment_exists`, `order_state`, `requisition_missing` */
export async function requireBookable(tx: TransactionScope, order: OrderRow): Promise<void> {
  if ((await lockActiveAppointment(tx, order.id)) !== undefined) throw appointmentExists()
  if (!BOOKABLE.includes(order.last_status)) throw orderState(order)
  const isEarlyAllowed = tx.environment.settings.early_appointment_booking_enabled
  if (!hasRequisition(order) && !isEarlyAllowed) throw requisitionMissing()
}

export const appointmentExists = () =>
  badRequest('appointment_exists', 'The order has an active appointment, or is getting one.')

/** Refusal 400 `order_state`, with the status that the order has. */
export const orderState = ({ last_status: status }: OrderRow) =>
  badRequest('order_state', 'The status of the order does not let its appointment change so.', {
    status,
  })

const requisitionMissing = () =>
  badRequest('requisition_missing', 'The laboratory does not have the requisition yet.')

/**
 * False only while the order is `ordered`: until then the laboratory does not have the requisition.
 */
export const hasRequisition = ({ last_status: status }: OrderRow): boolean => status !== 'ordered'

/**
 * When an appointment is cancelled for want of a requisition; null of an order that has one.
 * @throws AppError 400 `requisition_missing` when that would be at once
 */
export function cancelAtOf(order: OrderRow, start: Date | null, now: Date): Date | null {
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

/** By the day that it is where the visit is. @throws AppError 400 `patient_too_young` */
export function requireAdult(scope: Scope, order: OrderRow, timeZone: string): void {
  const birth = order.patient_details?.dob
  if (birth === undefined) return
  const today = dateInZone(environmentNow(scope), timeZone)
  const years = Number(today.slice(0, 4)) - ADULT_YEARS
  if (birth <= `${years}${today.slice(4)}`) return
  throw badRequest('patient_too_young', 'Nobody is sent to patients under 18.')
}

/** @throws AppError 400 `slot_in_past` */
export function requireToCome(start: Date, now: Date): void {
  if (start <= now) throw badRequest('slot_in_past', 'The slot has begun.')
}

export const invalidBookingKey = () =>
  badRequest('invalid_booking_key', 'The booking key is malformed, over, or of another slot.')

export const areaNotServed = () =>
  badRequest('area_not_served', 'No such provider comes to the address.')

export const labNotSchedulable = () =>
  badRequest('lab_not_schedulable', "Appointments at the order's laboratory cannot be booked here.")
