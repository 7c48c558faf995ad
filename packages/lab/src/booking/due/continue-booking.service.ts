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
  postponeAsking,
  transitionAppointment,
} from '../../appointments/index.ts'
import { findOrder, followAppointment, lockOrder, type OrderRow } from '../../orders/index.ts'
import { CONTINUE_BOOKING } from '../booking-job.ts'
import type { BookingParts } from '../booking-parts.ts'
import { hasRequisition } from '../booking-rules.ts'
import { callProvider } from '../provider-calls.ts'
import { meetingPointOf, toVisit } from '../visits.ts'

const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = HOUR_MS

/**
 * When a provider that was silent is asked again: pauses are as long as all of the time before
 * them.
 */
function nextAsk({ created_at: since }: AppointmentRow, at: Date): Date {
  const pause = Math.max(at.getTime() - since.getTime(), SHORTEST_PAUSE_MS)
  return new Date(at.getTime() + Math.min(pause, LONGEST_PAUSE_MS))
}

/**
 * Asks the provider of a pending booking once more, which it knows by its id, and records what it
 * says (docs/contract/14-appointments-and-psc.md#appointment-states). A silent one is asked again
 * later, until the booking is given up. Does nothing before it is due, and for what is pending no
 * more.
 * @param at in the environment's own time
 * @param limitMs how long the provider may take
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
  const answer = await ask(scope, parts, { order, row, at, limitMs })
  const answeredAt = new Date(at.getTime() + scope.clock.now().getTime() - begun)
  if (answer === undefined) await askLater(scope, row, nextAsk(row, answeredAt))
  else await scope.transaction((tx) => recordAnswer(tx, row, answer, answeredAt))
}

/** Undefined when the provider is silent. */
async function ask(
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

async function askLater(scope: Scope, row: AppointmentRow, askAt: Date): Promise<void> {
  await scope.transaction(async (tx) => {
    if (!(await postponeAsking(tx, row.id, askAt))) return
    await addContinueJob(tx, row.id, askAt)
  })
}

/** The queue goes by the clock of the process, which the sandbox's runs ahead of. */
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
    // It was told of that perhaps before it took the booking.
    const job = { environmentId: row.environment_id, appointmentId: row.id, provider: row.provider }
    return addJob(tx.db, CANCEL_AT_PROVIDER, job)
  }
  if (row.status !== 'pending') return
  const data = { origin: 'provider' } as const
  if (answer.state !== 'booked') {
    await transitionAppointment(tx, row, { to: 'cancelled', at, data })
    await followAppointment(tx, order, 'cancelled', at)
    return
  }
  const { providerId: provider_id, externalId: external_id } = answer
  const isHeld = answer.isHeld || !hasRequisition(order)
  const to = isHeld ? 'reserved' : 'confirmed'
  const { isChangeable: can_reschedule } = SCHEDULING_PROVIDERS[row.provider]
  const changes = { provider_id, external_id, can_reschedule }
  await transitionAppointment(tx, row, { to, at, data, changes })
  if (!answer.isHeld) await followAppointment(tx, order, 'scheduled', at)
}
