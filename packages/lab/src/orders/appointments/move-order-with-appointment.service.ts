import type { LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { TransactionScope } from '@salus/kernel/scope'
import {
  clearCancellationTime,
  isConfirmedByLab,
  lockActiveAppointment,
  transitionAppointment,
} from '../../appointments/index.ts'
import type { OrderRow } from '../orders.repository.ts'
import { mayTransition, transitionOrder } from '../transitions/transition-order.service.ts'

/** A change of the appointment of an order. */
export type AppointmentChange = 'requested' | 'scheduled' | 'rescheduled' | 'cancelled'

const LEADS_TO: Record<AppointmentChange, LowLevelStatus> = {
  requested: 'appointment_pending',
  scheduled: 'appointment_scheduled',
  rescheduled: 'appointment_scheduled',
  cancelled: 'appointment_cancelled',
}

/**
 * Moves a locked order after a change of its appointment, each status with its event. Where the
 * state machine requires it, `appointment_pending` precedes a scheduled time
 * (docs/contract/14-appointments-and-psc.md#effect-on-the-order). An order that cannot follow
 * stays: one without a requisition, or one past its appointment.
 */
export async function moveOrderWithAppointment(
  tx: TransactionScope,
  order: OrderRow,
  change: AppointmentChange,
  at: Date,
): Promise<OrderRow> {
  const to = LEADS_TO[change]
  if (await mayTransition(tx, order, to)) return transitionOrder(tx, order, { to, at })
  const isTimed = to === 'appointment_scheduled'
  if (!isTimed || !(await mayTransition(tx, order, 'appointment_pending'))) return order
  return transitionOrder(tx, order, { to, through: 'appointment_pending', at })
}

/**
 * Confirms the appointment that was booked before the requisition, unless the laboratory confirms
 * it, and moves the order
 * (docs/contract/12-order-lifecycle.md#appointments-before-the-requisition).
 */
export async function confirmByRequisition(
  tx: TransactionScope,
  order: OrderRow,
  at: Date,
): Promise<OrderRow> {
  const active = await lockActiveAppointment(tx, order.id)
  if (active === undefined) return order
  const appointment = await clearCancellationTime(tx, active)
  if (appointment.status === 'pending') return moveOrderWithAppointment(tx, order, 'requested', at)
  if (appointment.status === 'reserved') {
    if (isConfirmedByLab(appointment.provider)) return order
    await transitionAppointment(tx, appointment, {
      to: 'confirmed',
      at,
      data: { origin: 'system' },
    })
  }
  return moveOrderWithAppointment(tx, order, 'scheduled', at)
}
