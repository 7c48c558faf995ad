import type { AppointmentUpdate } from '@salus/contracts/lab-gateway'
import type { TransactionScope } from '@salus/kernel/scope'
import {
  type AppointmentChanges,
  type AppointmentRow,
  findLastAppointmentEvent,
  isConfirmedByLab,
  lockActiveAppointment,
  transitionAppointment,
  updateAppointment,
} from '../../appointments/index.ts'
import type { OrderRow } from '../orders.repository.ts'
import type { AppliedUpdate } from '../transitions/transition-order.service.ts'
import {
  type AppointmentChange,
  moveOrderWithAppointment,
} from './move-order-with-appointment.service.ts'

/** The active appointment of an order, both locked, and the time of an update. */
interface UpdateTarget {
  order: OrderRow
  appointment: AppointmentRow
  at: Date
}

/**
 * Applies an update of a provider to the active appointment of a locked order, and moves the order
 * accordingly. An update that the appointment cannot follow is ignored: a repeated or late one, or
 * one about another appointment.
 * @returns undefined when the order has no active appointment and the update names none; it then
 *   concerns the order alone
 */
export async function applyToAppointment(
  tx: TransactionScope,
  order: OrderRow,
  update: AppointmentUpdate,
  at: Date,
): Promise<AppliedUpdate | undefined> {
  const appointment = await lockActiveAppointment(tx, order.id)
  const { appointmentId } = update
  const isOfOther = appointmentId !== undefined && appointmentId !== appointment?.id
  if (isOfOther) return { row: order, effect: 'ignored' }
  if (appointment === undefined) return undefined
  const target = { order, appointment, at }
  switch (update.kind) {
    case 'appointment_pending':
      // The appointment is pending or in a later status.
      return { row: order, effect: 'ignored' }
    case 'appointment_scheduled':
      return applyTime(tx, target, update)
    case 'appointment_in_progress':
      return beginVisit(tx, target)
    case 'appointment_cancelled':
      return cancelByProvider(tx, target, update.reason)
  }
}

/**
 * Applies the time of an update to the appointment: sets it, reschedules it, or confirms it
 * unchanged.
 */
async function applyTime(
  tx: TransactionScope,
  { order, appointment, at }: UpdateTarget,
  update: Extract<AppointmentUpdate, { kind: 'appointment_scheduled' }>,
): Promise<AppliedUpdate> {
  const changes = readChanges(appointment, update)
  const ignored: AppliedUpdate = { row: order, effect: 'ignored' }
  // A running visit is not rescheduled, and none is confirmed without a time.
  if (changes === undefined || appointment.status === 'in_progress') return ignored
  const to = confirmedStatus(order, appointment)
  const isMove = appointment.status === to
  if (isMove && changes.start_at === undefined) {
    if (changes.external_id === undefined) return ignored
    await updateAppointment(tx, appointment, changes, at)
    return { row: order, effect: 'shown' }
  }
  const last = isMove ? await findLastAppointmentEvent(tx, appointment.id) : undefined
  if (last !== undefined && at < last.created_at) return ignored
  const data = { origin: 'provider' as const, ...(isMove && { is_reschedule: true }) }
  await transitionAppointment(tx, appointment, { to, at, data, changes })
  if (to === 'reserved') return { row: order, effect: 'shown' }
  return moveOrder(tx, order, isMove ? 'rescheduled' : 'scheduled', at)
}

/** Returns the status of an appointment that its provider confirms. */
function confirmedStatus(
  order: OrderRow,
  { status, provider }: AppointmentRow,
): 'reserved' | 'confirmed' {
  const isHeld = order.last_status === 'ordered' && !isConfirmedByLab(provider)
  return isHeld && status !== 'confirmed' ? 'reserved' : 'confirmed'
}

/**
 * Returns the changes of an appointment by an update; undefined when its time would be missing or
 * invalid.
 */
function readChanges(
  appointment: AppointmentRow,
  update: Extract<AppointmentUpdate, { kind: 'appointment_scheduled' }>,
): AppointmentChanges | undefined {
  const changes: AppointmentChanges = {}
  const { externalId } = update
  if (externalId !== undefined && externalId !== appointment.external_id) {
    changes.external_id = externalId
  }
  if (!('startAt' in update)) return appointment.start_at === null ? undefined : changes
  const [start, end] = [new Date(update.startAt), new Date(update.endAt)]
  if (end <= start) return undefined
  const isSame =
    appointment.start_at?.getTime() === start.getTime() &&
    appointment.end_at?.getTime() === end.getTime()
  return isSame ? changes : { ...changes, start_at: start, end_at: end }
}

/** The phlebotomist is on the way or collecting, which does not move the order. */
async function beginVisit(
  tx: TransactionScope,
  { order, appointment, at }: UpdateTarget,
): Promise<AppliedUpdate> {
  if (appointment.status !== 'confirmed') return { row: order, effect: 'ignored' }
  const data = { origin: 'provider' as const }
  await transitionAppointment(tx, appointment, { to: 'in_progress', at, data })
  return { row: order, effect: 'shown' }
}

/**
 * Applies a cancellation, refusal or failed visit to an active appointment, also when it arrives
 * late.
 */
async function cancelByProvider(
  tx: TransactionScope,
  { order, appointment, at }: UpdateTarget,
  reason: string | undefined,
): Promise<AppliedUpdate> {
  const data = {
    origin: 'provider' as const,
    ...(reason !== undefined && { cancellation_reason: reason }),
  }
  await transitionAppointment(tx, appointment, { to: 'cancelled', at, data })
  return moveOrder(tx, order, 'cancelled', at)
}

async function moveOrder(
  tx: TransactionScope,
  order: OrderRow,
  change: AppointmentChange,
  at: Date,
): Promise<AppliedUpdate> {
  const row = await moveOrderWithAppointment(tx, order, change, at)
  return { row, effect: row === order ? 'shown' : 'transitioned' }
}
