import { getUserRow } from '@salus/accounts/users'
import type { AppointmentType } from '@salus/contracts/lab-gateway'
import { notFoundCode } from '@salus/kernel/errors'
import { CREATION_PAGES } from '@salus/kernel/http/keyset-pages'
import type { Scope } from '@salus/kernel/scope'
import {
  type Appointment,
  type AppointmentList,
  type AppointmentListQuery,
  findNewestAppointment,
  listAppointmentsOfUser,
  showAppointment,
  showAppointments,
} from '../appointments/index.ts'
import { getOrderRow } from '../orders/index.ts'

/**
 * Returns the active appointment of an order, or the newest when none is active.
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

/**
 * Returns a page of the appointments of a person, newest first.
 * @throws AppError 404, and 400 `invalid_cursor`
 */
export async function listAppointments(
  scope: Scope,
  userId: string,
  { limit, next_cursor: cursor }: AppointmentListQuery,
): Promise<AppointmentList> {
  const user = await getUserRow(scope, userId)
  const about = ['appointments', scope.environment.id, user.id]
  const after = CREATION_PAGES.read(about, cursor)
  const found = await listAppointmentsOfUser(scope, user.id, { after, limit: limit + 1 })
  const { page, nextCursor } = CREATION_PAGES.cut(about, found, limit)
  return { appointments: await showAppointments(scope, page), next_cursor: nextCursor }
}
