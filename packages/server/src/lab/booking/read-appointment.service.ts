import { notFoundCode } from '../../platform/errors.ts'
import type { Scope } from '../../platform/scope.ts'
import { type Appointment, findNewestAppointment, showAppointment } from '../appointments/index.ts'
import type { AppointmentType } from '../gateways/index.ts'
import { getOrderRow } from '../orders/index.ts'

/**
 * The active appointment of an order, or the newest when none is active.
 * @throws AppError 404 `order_not_found`, `appointment_not_found`
 */
export async function readAppointment(
  scope: Scope,
  orderId: string,
  type: AppointmentType,
): Promise<Appointment> {
  const order = await getOrderRow(scope, orderId)
  const row = await findNewestAppointment(scope, order.id, type)
  if (row === undefined) throw notFoundCode('appointment_not_found')
  return showAppointment(scope, row)
}
