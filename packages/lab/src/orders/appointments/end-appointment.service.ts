import type { CollectionMethod, LowLevelStatus } from '@salus/contracts/order-lifecycle'
import type { TransactionScope } from '@salus/kernel/scope'
import { lockActiveAppointment, transitionAppointment } from '../../appointments/index.ts'
import type { OrderRow } from '../orders.repository.ts'

/** Returns whether orders with the collection method have appointments. */
export const hasAppointments = (method: CollectionMethod): boolean =>
  method === 'walk_in_test' || method === 'at_home_phlebotomy'

/** Statuses after the specimen was collected. */
const SAMPLE_TAKEN = new Set<LowLevelStatus>([
  'draw_completed',
  'partial_results',
  'completed',
  'redraw_available',
  'sample_error',
])

/**
 * Ends the active appointment of an order whose new status ends it. A collected specimen completes
 * the visit, and an unconfirmed appointment is then cancelled. A cancelled order cancels a visit at
 * the patient's, but not an appointment at a site, which the patient may still keep.
 */
export async function endAppointment(
  tx: TransactionScope,
  { id, method }: OrderRow,
  to: LowLevelStatus,
  at: Date,
): Promise<void> {
  const isCalledOff = to === 'cancelled' && method === 'at_home_phlebotomy'
  if (!hasAppointments(method) || !(isCalledOff || SAMPLE_TAKEN.has(to))) return
  const appointment = await lockActiveAppointment(tx, id)
  if (appointment === undefined) return
  const isVisit = appointment.status === 'confirmed' || appointment.status === 'in_progress'
  if (isVisit && !isCalledOff) {
    await transitionAppointment(tx, appointment, {
      to: 'completed',
      at,
      data: { origin: 'provider' },
    })
    return
  }
  const cancellation_reason = isCalledOff
    ? 'The order was cancelled.'
    : 'The specimen was collected without the appointment.'
  const data = { origin: 'system' as const, cancellation_reason }
  await transitionAppointment(tx, appointment, { to: 'cancelled', at, data })
}
