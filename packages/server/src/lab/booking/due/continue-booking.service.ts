import { addJob } from '../../../platform/jobs/jobs.ts'
import { environmentNow, type Scope, type TransactionScope } from '../../../platform/scope.ts'
import {
  type AppointmentRow,
  CANCEL_AT_PROVIDER,
  lockAppointment,
  transitionAppointment,
} from '../../appointments/index.ts'
import { type BookingAnswer, ProviderUnavailable } from '../../gateways/index.ts'
import { findOrder, followAppointment, lockOrder, type OrderRow } from '../../orders/index.ts'
import { CONTINUE_BOOKING } from '../booking-job.ts'
import { visitOf } from '../visit.ts'
import { findPendingBooking, postponeAsking } from './due-appointments.repository.ts'
import type { DueParts } from './run-due-appointments.service.ts'

const SHORTEST_PAUSE_MS = 5_000
const LONGEST_PAUSE_MS = 3_600_000

/** When a provider that was silent is asked again: pauses are as long as all of the time before them. */
function nextAsk({ created_at: since }: AppointmentRow, at: Date): Date {
  const pause = Math.max(at.getTime() - since.getTime(), SHORTEST_PAUSE_MS)
  return new Date(at.getTime() + Math.min(pause, LONGEST_PAUSE_MS))
}

/**
 * Asks the provider of a pending booking whether it stands, and notes what it says
 * (docs/contract/14-appointments-and-psc.md#appointment-states). A silent one is asked again later, until
 * the booking is given up. Does nothing for what is settled, and before its time has come.
 * @param at in the environment's own time
 * @param patienceMs how long the provider may take
 */
export async function continueBooking(
  scope: Scope,
  { scheduling }: DueParts,
  appointmentId: string,
  { at, patienceMs }: { at: Date; patienceMs: number },
): Promise<void> {
  const row = await findPendingBooking(scope, appointmentId)
  if (row === undefined || row.ask_at === null || row.ask_at > at) return
  const order = await findOrder(scope, row.order_id)
  const { start_at: start, end_at: end } = row
  if (order === undefined || start === null || end === null) return
  const gateway = scheduling.find(scope.environment.kind, row.provider)
  const visit = await visitOf(scope, order, row)
  const signal = AbortSignal.timeout(patienceMs)
  try {
    const answer = await gateway?.book(visit, { start, end }, at, signal)
    if (answer !== undefined) return await note(scope, row, answer, at)
  } catch (error) {
    if (!(error instanceof ProviderUnavailable)) throw error
  }
  await askLater(scope, row, nextAsk(row, at))
}

/** Has the provider asked at a time of the environment's own. */
export async function askLater(scope: Scope, row: AppointmentRow, askAt: Date): Promise<void> {
  await scope.transaction(async (tx) => {
    if (!(await postponeAsking(tx, row.id, askAt))) return
    // The queue goes by the clock of the process, which the sandbox's runs ahead of.
    const runAt = new Date(askAt.getTime() - tx.environment.clockOffsetSeconds * 1000)
    const job = { environmentId: tx.environment.id, appointmentId: row.id }
    await addJob(tx.db, CONTINUE_BOOKING, job, { runAt })
  })
}

function note(scope: Scope, seen: AppointmentRow, answer: BookingAnswer, at: Date): Promise<void> {
  return scope.transaction(async (tx) => {
    const order = await lockOrder(tx, seen.order_id)
    const row = await lockAppointment(tx, seen.id)
    if (order === undefined || row === undefined) return
    if (row.status === 'pending') await settle(tx, { order, row }, answer, at)
    // It was cancelled meanwhile, and the provider was told perhaps before it took the booking.
    else if (answer.state === 'booked' && row.status === 'cancelled') await cancelAgain(tx, row)
  })
}
