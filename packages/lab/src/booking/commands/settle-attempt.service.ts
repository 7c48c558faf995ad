import type { SchedulingGateway } from '@salus/contracts/lab-gateway'
import { newId } from '@salus/kernel/ids'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  type AppointmentRow,
  isActiveStatus,
  lockAppointment,
  transitionAppointment,
} from '../../appointments/index.ts'
import { findOrder, lockOrder, moveOrderWithAppointment } from '../../orders/index.ts'
import type { BookingParts } from '../booking-parts.ts'
import { callProvider } from '../provider-calls.ts'
import { locateSite, meetingPointOf, toColumns, toVisit } from '../visits.ts'
import {
  type AttemptRow,
  claimAttempt,
  releaseAttempt,
  removeAttempt,
} from './booking-attempts.repository.ts'

const HELD_MS = 60_000

/**
 * Ends an attempt whose outcome at the provider is unknown: cancels a booking there, or restores
 * the former slot of a reschedule. Does nothing when the attempt has ended or another process holds
 * it.
 * @throws ProviderUnavailable
 */
export async function settleAttempt(
  scope: Scope,
  { scheduling }: Pick<BookingParts, 'scheduling'>,
  appointmentId: string,
): Promise<void> {
  const now = scope.clock.now()
  const hold = { holder: newId(), held_until: new Date(now.getTime() + HELD_MS) }
  const attempt = await claimAttempt(scope, appointmentId, { ...hold, now })
  if (attempt === undefined) return
  const gateway = scheduling.find(scope.environment.kind, attempt.provider)
  try {
    const row = await scope.transaction((tx) => lockAppointment(tx, appointmentId))
    const isMove = row !== undefined && isActiveStatus(row.status)
    if (gateway !== undefined && isMove) await restoreFormerSlot(scope, gateway, attempt, row)
    else await gateway?.cancel({ environmentId: scope.environment.id, appointmentId })
  } catch (error) {
    await releaseAttempt(scope, attempt, scope.clock.now())
    throw error
  }
  await removeAttempt(scope, attempt)
}

/**
 * Requests the former slot again. When it is no longer available, the reschedule is applied here
 * too.
 */
async function restoreFormerSlot(
  scope: Scope,
  gateway: SchedulingGateway,
  attempt: AttemptRow,
  row: AppointmentRow,
): Promise<void> {
  const { start_at: start, end_at: end } = row
  const order = await findOrder(scope, row.order_id)
  if (start === null || end === null || order === undefined) return
  const visit = toVisit(order, row.id, meetingPointOf(row), row.notes)
  const now = environmentNow(scope)
  const answer = await callProvider((signal) =>
    gateway.reschedule(visit, { start, end }, now, signal),
  )
  if (answer.state === 'booked') return
  await scope.transaction((tx) => applyProviderMove(tx, attempt))
}

/** Reschedules the appointment to the slot that it has at the provider. */
async function applyProviderMove(tx: TransactionScope, attempt: AttemptRow): Promise<void> {
  const order = await lockOrder(tx, attempt.order_id)
  const row = await lockAppointment(tx, attempt.appointment_id)
  if (order === undefined || (row?.status !== 'confirmed' && row?.status !== 'reserved')) return
  const { start_at, end_at, site_code: siteCode, provider } = attempt
  const isOtherSite = siteCode !== null && siteCode !== row.site_code
  const moved = isOtherSite ? toColumns(await locateSite(tx, provider, siteCode)) : {}
  const at = environmentNow(tx)
  await transitionAppointment(tx, row, {
    to: row.status,
    at,
    data: { origin: 'system', is_reschedule: true },
    changes: { start_at, end_at, ...moved },
  })
  await moveOrderWithAppointment(tx, order, 'rescheduled', at)
}
