import {
  type BookingAnswer,
  ProviderUnavailable,
  type SchedulingGateway,
  type Slot,
} from '@salus/contracts/lab-gateway'
import { AppError, badRequest, notFoundCode } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import { awaitWithCommit } from '@salus/kernel/postgres/transaction'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  CANCEL_AT_PROVIDER,
  isActiveStatus,
  lockActiveAppointment,
  lockAppointment,
} from '../../appointments/index.ts'
import { lockOrder, type OrderRow } from '../../orders/index.ts'
import type { BookingParts } from '../booking-parts.ts'
import type { LockedOrder } from '../booking-rules.ts'
import { callProvider, providerUnavailable } from '../provider-calls.ts'
import { type MeetingPoint, toColumns, toVisit } from '../visits.ts'
import {
  type AttemptRow,
  claimAttempt,
  findAttempt,
  findAttemptOfOrder,
  insertAttempt,
  releaseAttempt,
  removeAttempt,
} from './booking-attempts.repository.ts'
import { settleAttempt } from './settle-attempt.service.ts'

/**
 * A booking takes three steps: a transaction checks the rules under the lock of the order and
 * stores an attempt; the provider is called outside of transactions; a second transaction replaces
 * the attempt by the appointment (docs/decisions/0033-bookings-in-two-transactions.md).
 */

/** A booking or reschedule that passed the rules. */
export interface BookingPlan {
  order: OrderRow
  gateway: SchedulingGateway
  /** Null when the provider sets the time. */
  slot: Slot | null
  point: MeetingPoint
  notes: string | null
  /** Id of the appointment to reschedule. */
  movedId?: string
}

/** An attempt that the provider accepted or did not answer in time. */
export interface RequestedBooking {
  plan: BookingPlan
  attempt: AttemptRow
  /** Undefined when the provider did not answer. */
  booked: Extract<BookingAnswer, { state: 'booked' }> | undefined
}

interface BookingOptions {
  /** Checks the rules in a transaction. */
  planBooking: (tx: TransactionScope) => Promise<BookingPlan>
  /** Returns the refusal for a request while another one is in progress. */
  refuseBusy: () => AppError
}

/**
 * Longer than the timeout of a provider, so that after a crash other requests wait and no provider
 * is called twice at once.
 */
const HELD_MS = 60_000

/**
 * Calls a provider after the rules were checked. A repeated request resumes its interrupted
 * attempt; a different request first settles the earlier attempt.
 * @throws AppError 404 `slot_unavailable`; 400 `booking_refused`; errors of `planBooking`
 */
export async function requestBooking(
  scope: Scope,
  parts: BookingParts,
  options: BookingOptions & { limitMs?: number | undefined },
): Promise<RequestedBooking> {
  const { plan, attempt } = await beginAttempt(scope, parts, options)
  const answer = await callGateway(scope, plan, attempt, options.limitMs)
  if (answer === undefined) return { plan, attempt, booked: undefined }
  if (answer.state === 'booked') return { plan, attempt, booked: answer }
  await removeAttempt(scope, attempt)
  if (answer.state === 'slot_unavailable') throw notFoundCode('slot_unavailable')
  throw badRequest('booking_refused', 'The provider does not serve the patient or the address.')
}

async function beginAttempt(
  scope: Scope,
  parts: BookingParts,
  options: BookingOptions,
): Promise<Omit<RequestedBooking, 'booked'>> {
  const begun = await scope.transaction(async (tx) => {
    const plan = await options.planBooking(tx)
    const made = insertAttempt(tx, { ...attemptOf(plan), ...newHold(tx.clock.now()) })
    await awaitWithCommit(tx.db, made)
    // The audit log names the user of the order.
    return { plan, order: plan.order, made }
  })
  const attempt = await begun.made
  return attempt === undefined
    ? resumeAttempt(scope, parts, options)
    : { plan: begun.plan, attempt }
}

const newHold = (now: Date) => ({
  holder: newId(),
  held_until: new Date(now.getTime() + HELD_MS),
})

/** Claims the attempt that an order already has, or ends it and begins another one. */
async function resumeAttempt(
  scope: Scope,
  parts: BookingParts,
  options: BookingOptions,
): Promise<Omit<RequestedBooking, 'booked'>> {
  const { planBooking, refuseBusy } = options
  const begun = await scope.transaction(async (tx) => {
    const plan = await planBooking(tx)
    const now = tx.clock.now()
    const earlier = await findAttemptOfOrder(tx, plan.order.id)
    // An attempt that ended at this very moment counts as well.
    if (earlier === undefined || earlier.held_until > now) throw refuseBusy()
    if (!(await isSameBooking(tx, earlier, plan))) return { earlier }
    const attempt = await claimAttempt(tx, earlier.appointment_id, { ...newHold(now), now })
    if (attempt === undefined) throw refuseBusy()
    return { plan, attempt }
  })
  if (begun.earlier === undefined) return begun
  await settleAttempt(scope, parts, begun.earlier.appointment_id).catch((error) => {
    throw error instanceof ProviderUnavailable ? providerUnavailable(error) : error
  })
  return beginAttempt(scope, parts, options)
}

function attemptOf({ order, gateway, slot, point, movedId = newId() }: BookingPlan) {
  return {
    appointment_id: movedId,
    order_id: order.id,
    provider: gateway.provider,
    start_at: slot?.start ?? null,
    end_at: slot?.end ?? null,
    site_code: toColumns(point).site_code,
  }
}

/**
 * Returns whether a request repeats an attempt. A request without a slot may have another address,
 * and the reschedule of an appointment that has ended since is not a booking.
 */
async function isSameBooking(
  tx: TransactionScope,
  attempt: AttemptRow,
  { gateway, slot, point, movedId }: BookingPlan,
): Promise<boolean> {
  const row = await lockAppointment(tx, attempt.appointment_id)
  return (
    slot !== null &&
    row?.id === movedId &&
    attempt.provider === gateway.provider &&
    attempt.site_code === toColumns(point).site_code &&
    attempt.start_at?.getTime() === slot.start.getTime() &&
    attempt.end_at?.getTime() === slot.end.getTime()
  )
}

async function callGateway(
  scope: Scope,
  { order, gateway, slot, point, notes, movedId }: BookingPlan,
  attempt: AttemptRow,
  limitMs: number | undefined,
): Promise<BookingAnswer | undefined> {
  const visit = toVisit(order, attempt.appointment_id, point, notes)
  const now = environmentNow(scope)
  try {
    return await callProvider((signal) => {
      if (slot === null) return gateway.request(visit, now, signal)
      if (movedId === undefined) return gateway.book(visit, slot, now, signal)
      return gateway.reschedule(visit, slot, now, signal)
    }, limitMs)
  } catch (error) {
    if (error instanceof ProviderUnavailable) return undefined
    await releaseHeld(scope, attempt)
    throw error
  }
}

/**
 * Releases the attempt after a provider did not answer, so that the same request can resume it.
 * @throws AppError 502 `provider_unavailable`
 */
export async function refuseUnanswered(
  scope: Scope,
  { attempt }: RequestedBooking,
): Promise<never> {
  await releaseHeld(scope, attempt)
  throw providerUnavailable()
}

function releaseHeld(scope: Scope, attempt: AttemptRow): Promise<void> {
  return releaseAttempt(scope, attempt, scope.clock.now())
}

/**
 * Runs `work` in one transaction under the lock of the order and ends the attempt. After a failure
 * the booking is cancelled at the provider, or the attempt is settled later, so that no booking is
 * left behind.
 */
export async function concludeAttempt<T>(
  scope: Scope,
  { attempt }: RequestedBooking,
  work: (tx: TransactionScope, locked: LockedOrder) => Promise<T>,
): Promise<T> {
  try {
    return await scope.transaction(async (tx) => {
      // The lock is the first of the statements, which share a round trip.
      const [order, isOurs, active] = await Promise.all([
        lockOrder(tx, attempt.order_id),
        removeAttempt(tx, attempt),
        lockActiveAppointment(tx, attempt.order_id),
      ])
      if (order === undefined || order.is_hidden) throw notFoundCode('order_not_found')
      if (!isOurs) throw cancelledMeanwhile()
      return work(tx, { order, active })
    })
  } catch (error) {
    // An internal error may be temporary: a repeated request can resume the attempt.
    if (error instanceof AppError) await abandonAttempt(scope, attempt)
    else await releaseHeld(scope, attempt)
    throw error
  }
}

const cancelledMeanwhile = () =>
  badRequest('appointment_closed', 'The appointment was cancelled in the meantime.')

/**
 * Cancels a booking at the provider that has no use, unless another request resumed it. A
 * reschedule is settled later.
 */
async function abandonAttempt(scope: Scope, attempt: AttemptRow): Promise<void> {
  const { appointment_id: appointmentId, provider } = attempt
  await scope.transaction(async (tx) => {
    const row = await lockAppointment(tx, appointmentId)
    if (row !== undefined && isActiveStatus(row.status)) return releaseHeld(tx, attempt)
    const isOurs = await removeAttempt(tx, attempt)
    if (!isOurs && (await findAttempt(tx, appointmentId)) !== undefined) return
    const job = { environmentId: tx.environment.id, appointmentId, provider }
    await addJob(tx.db, CANCEL_AT_PROVIDER, job)
  })
}
