import {
  type BookingAnswer,
  ProviderUnavailable,
  SCHEDULING_PROVIDERS,
} from '@salus/contracts/lab-gateway'
import { HOUR_MS } from '@salus/contracts/time-units'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import {
  type AppointmentRow,
  CANCEL_AT_PROVIDER,
  findAppointment,
  lockAppointment,
  postponeProviderCall,
  transitionAppointment,
} from '../../appointments/index.ts'
import {
  findOrder,
  lockOrder,
  moveOrderWithAppointment,
  type OrderRow,
} from '../../orders/index.ts'
import { CONTINUE_BOOKING } from '../booking-job.ts'
import type { BookingParts } from '../booking-parts.ts'
import { hasRequisition } from '../booking-rules.ts'
import { callProvider } from '../provider-calls.ts'
import { meetingPointOf, toVisit } from '../visits.ts'

const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = HOUR_MS

/**
 * Returns when to call a provider again that did not answer. Each pause is as long as the time
 * since the booking.
 */
function nextCallAt({ created_at: since }: AppointmentRow, at: Date): Date {
  const pause = Math.max(at.getTime() - since.getTime(), SHORTEST_PAUSE_MS)
  return new Date(at.getTime() + Math.min(pause, LONGEST_PAUSE_MS))
}

/**
 * Calls the provider of a pending booking again, which recognizes the booking by its id, and
 * records the answer (docs/contract/14-appointments-and-psc.md#appointment-states). Without an
 * answer the call is repeated later, until the booking is cancelled. Does nothing before the call
 * is due, or when the booking is no longer pending.
 * @param at in the environment's own time
 * @param limitMs timeout of the call
 */
export async function continueBooking(
  scope: Scope,
  parts: Pick<BookingParts, 'scheduling'>,
  appointmentId: string,
  { at, limitMs }: { at: Date; limitMs?: number },
): Promise<void> {
  const row = await findAppointment(scope, appointmentId)
  if (row === undefined || row.ask_at === null || row.ask_at > at) return
  const order = await findOrder(scope, row.order_id)
  if (order === undefined || order.is_hidden) return
  const begun = scope.clock.now().getTime()
  const answer = await callGateway(scope, parts, { order, row, at, limitMs })
  const answeredAt = new Date(at.getTime() + scope.clock.now().getTime() - begun)
  if (answer === undefined) await scheduleNextCall(scope, row, nextCallAt(row, answeredAt))
  else await scope.transaction((tx) => recordAnswer(tx, row, answer, answeredAt))
}

/** Returns undefined when the provider does not answer. */
async function callGateway(
  scope: Scope,
  { scheduling }: Pick<BookingParts, 'scheduling'>,
  { order, row, at, limitMs }: { order: OrderRow; row: AppointmentRow; at: Date; limitMs?: number },
): Promise<BookingAnswer | undefined> {
  const gateway = scheduling.find(scope.environment.kind, row.provider)
  const { start_at: start, end_at: end } = row
  if (gateway === undefined || start === null || end === null) return undefined
  const visit = toVisit(order, row.id, meetingPointOf(row), row.notes)
  try {
    return await callProvider((signal) => gateway.book(visit, { start, end }, at, signal), limitMs)
  } catch (error) {
    if (error instanceof ProviderUnavailable) return undefined
    throw error
  }
}

async function scheduleNextCall(scope: Scope, row: AppointmentRow, askAt: Date): Promise<void> {
  await scope.transaction(async (tx) => {
    if (!(await postponeProviderCall(tx, row.id, askAt))) return
    await addContinueJob(tx, row.id, askAt)
  })
}

/**
 * Adds the job for the next call. The queue uses real time, so the offset of a sandbox's clock is
 * subtracted.
 */
export function addContinueJob(
  { db, environment }: TransactionScope,
  appointmentId: string,
  askAt: Date,
): Promise<void> {
  const runAt = new Date(askAt.getTime() - environment.clockOffsetSeconds * 1000)
  const job = { environmentId: environment.id, appointmentId }
  return addJob(db, CONTINUE_BOOKING, job, { runAt })
}

async function recordAnswer(
  tx: TransactionScope,
  seen: AppointmentRow,
  answer: BookingAnswer,
  at: Date,
): Promise<void> {
  const order = await lockOrder(tx, seen.order_id)
  const row = await lockAppointment(tx, seen.id)
  if (order === undefined || row === undefined) return
  if (row.status === 'cancelled' && answer.state === 'booked') {
    // The provider may have received the cancellation before it accepted the booking.
    const job = { environmentId: row.environment_id, appointmentId: row.id, provider: row.provider }
    return addJob(tx.db, CANCEL_AT_PROVIDER, job)
  }
  if (row.status !== 'pending') return
  const data = { origin: 'provider' } as const
  if (answer.state !== 'booked') {
    await transitionAppointment(tx, row, { to: 'cancelled', at, data })
    await moveOrderWithAppointment(tx, order, 'cancelled', at)
    return
  }
  const { providerId: provider_id, externalId: external_id } = answer
  const isHeld = answer.isHeld || !hasRequisition(order)
  const to = isHeld ? 'reserved' : 'confirmed'
  const { isChangeable: can_reschedule } = SCHEDULING_PROVIDERS[row.provider]
  const changes = { provider_id, external_id, can_reschedule }
  await transitionAppointment(tx, row, { to, at, data, changes })
  if (!answer.isHeld) await moveOrderWithAppointment(tx, order, 'scheduled', at)
}
