import { SCHEDULING_PROVIDERS } from '@salus/contracts/lab-gateway'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import {
  type Appointment,
  type AppointmentRow,
  type AppointmentStatus,
  createAppointment,
} from '../../appointments/index.ts'
import { moveOrderWithAppointment } from '../../orders/index.ts'
import {
  hasRequisition,
  type LockedOrder,
  requireBookable,
  requisitionDeadline,
} from '../booking-rules.ts'
import { toColumns } from '../visits.ts'
import type { RequestedBooking } from './request-booking.service.ts'

/**
 * Stores the appointment that a provider accepted or has not answered yet, and moves the locked
 * order on (docs/contract/14-appointments-and-psc.md#appointment-states). The order of a laboratory
 * that confirms later waits for the confirmation.
 * @param confirmBy when an unanswered booking is cancelled
 * @throws AppError when the order changed in the meantime
 */
export async function storeBooking(
  tx: TransactionScope,
  locked: LockedOrder,
  { plan, attempt, booked }: RequestedBooking,
  confirmBy: Date | null = null,
): Promise<{ row: AppointmentRow; appointment: Appointment }> {
  requireBookable(tx, locked)
  const { order } = locked
  const { gateway, slot, point, notes } = plan
  const at = environmentNow(tx)
  const { type, isChangeable, confirmsLater } = SCHEDULING_PROVIDERS[gateway.provider]
  const isTimed = booked !== undefined && slot !== null
  const isFixed = isTimed && !booked.isHeld && hasRequisition(order)
  const status: AppointmentStatus = isFixed ? 'confirmed' : isTimed ? 'reserved' : 'pending'
  const draft = {
    id: attempt.appointment_id,
    user_id: order.user_id,
    order_id: order.id,
    order_transaction_id: order.transaction_id,
    type,
    provider: gateway.provider,
    status,
    ...toColumns(point),
    start_at: slot?.start ?? null,
    end_at: slot?.end ?? null,
    provider_id: booked?.providerId ?? '',
    external_id: booked?.externalId ?? null,
    can_reschedule: isChangeable && isTimed,
    notes,
    confirm_by: confirmBy,
    cancel_at: requisitionDeadline(order, slot?.start ?? null, at),
    eventData: { origin: 'customer' as const },
  }
  const isOfLab = confirmsLater && type === 'patient_service_center'
  const change = isTimed ? 'scheduled' : 'requested'
  // The appointment and its events come first; the order does not wait for the answers.
  const [created] = await Promise.all([
    createAppointment(tx, draft, at),
    isOfLab ? undefined : moveOrderWithAppointment(tx, order, change, at),
  ])
  return created
}
