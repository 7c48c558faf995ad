import {
  type BookingAnswer,
  ProviderUnavailable,
  type SchedulingGateway,
  type Slot,
} from '@salus/contracts/lab-gateway'
import { AppError, badRequest, notFoundCode } from '@salus/kernel/errors'
import { newId } from '@salus/kernel/ids'
import { addJob } from '@salus/kernel/jobs/jobs'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { CANCEL_AT_PROVIDER, isActiveStatus, lockAppointment } from '../../appointments/index.ts'
import { lockOrder, type OrderRow } from '../../orders/index.ts'
import type { BookingParts } from '../booking-parts.ts'
import { callProvider, providerUnavailable } from '../provider-calls.ts'
import { type MeetingPoint, toColumns, toVisit } from '../visits.ts'
import {
  type AttemptRow,
  findAttempt,
  findAttemptOfOrder,
  insertAttempt,
  releaseAttempt,
  removeAttempt,
  takeAttempt,
} from './booking-attempts.repository.ts'
import { settleAttempt } from './settle-attempt.service.ts'

/**
 * How a provider is asked to book, and what comes of it: first the rules, under the lock of the
 * order, and an attempt; then, outside of transactions, the provider; then, all or nothing, the
 * appointment in place of the attempt (docs/decisions/0033-bookings-in-two-transactions.md).
 */

/** What is to be asked, as the rules have let it through. */
export interface Asking {
  order: OrderRow
  gateway: SchedulingGateway
  /** Null when the provider is to set the time. */
  slot: Slot | null
  point: MeetingPoint
  notes: string | null
  /** Of the appointment that is to be moved. */
  movedId?: string
}

/** An attempt that the provider took, or to which it did not say anything in time. */
export interface Asked {
  asking: Asking
  attempt: AttemptRow
  /** Undefined when it was silent. */
  booked: Extract<BookingAnswer, { state: 'booked' }> | undefined
}

interface Plan {
  /** Checks the rules, in a transaction. */
  plan: (tx: TransactionScope) => Promise<Asking>
  /** What somebody hears who comes while another request is at work. */
  refuseBusy: () => AppError
}

/**
 * Longer than a provider is waited for, so that a crash only makes others wait, and nobody asks
 * twice at once.
 */
const HELD_MS = 60_000

/**
 * Asks a provider once the rules let it through. A repeated request whose first one was cut short
 * goes on with its attempt; another one has it settled before.
 * @throws AppError 404 `slot_unavailable`; 400 `booking_refused`; what the plan says
 */
export async function askProvider(
  scope: Scope,
  parts: BookingParts,
  options: Plan & { limitMs?: number | undefined },
): Promise<Asked> {
  const { asking, attempt } = await begin(scope, parts, options)
  const answer = await ask(scope, asking, attempt, options.limitMs)
  if (answer === undefined) return { asking, attempt, booked: undefined }
  if (answer.state === 'booked') return { asking, attempt, booked: answer }
  await removeAttempt(scope, attempt)
  if (answer.state === 'slot_unavailable') throw notFoundCode('slot_unavailable')
  throw badRequest('booking_refused', 'The provider does not serve the patient or the address.')
}

async function begin(
  scope: Scope,
  parts: BookingParts,
  options: Plan,
): Promise<Omit<Asked, 'booked'>> {
  const { plan, refuseBusy } = options
  const begun = await scope.transaction(async (tx) => {
    const asking = await plan(tx)
    const now = tx.clock.now()
    const hold = { holder: newId(), held_until: new Date(now.getTime() + HELD_MS) }
    const made = await insertAttempt(tx, { ...attemptOf(asking), ...hold })
    if (made !== undefined) return { asking, attempt: made }
    const earlier = await findAttemptOfOrder(tx, asking.order.id)
    // One that ended in this very moment counts as well.
    if (earlier === undefined || earlier.held_until > now) throw refuseBusy()
    if (!(await isSame(tx, earlier, asking))) return { earlier }
    const attempt = await takeAttempt(tx, earlier.appointment_id, { ...hold, now })
    if (attempt === undefined) throw refuseBusy()
    return { asking, attempt }
  })
  if (begun.earlier === undefined) return begun
  await settleAttempt(scope, parts, begun.earlier.appointment_id).catch((error) => {
    throw error instanceof ProviderUnavailable ? providerUnavailable(error) : error
  })
  return begin(scope, parts, options)
}

function attemptOf({ order, gateway, slot, point, movedId = newId() }: Asking) {
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
 * Whether a request asks for what an attempt asked for. Without a slot it may be for another
 * address, and what was to move an appointment that has ended since is no booking.
 */
async function isSame(
  tx: TransactionScope,
  attempt: AttemptRow,
  { gateway, slot, point, movedId }: Asking,
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

async function ask(
  scope: Scope,
  { order, gateway, slot, point, notes, movedId }: Asking,
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
    await release(scope, attempt)
    throw error
  }
}

/**
 * Of a provider that was silent: the attempt is left to the same request, sent again, or is
 * settled.
 */
export async function refuseSilent(scope: Scope, { attempt }: Asked): Promise<never> {
  await release(scope, attempt)
  throw providerUnavailable()
}

function release(scope: Scope, attempt: AttemptRow): Promise<void> {
  return releaseAttempt(scope, attempt, scope.clock.now())
}

/**
 * Does in one transaction, under the lock of the order, what the provider's answer leads to, and
 * ends the attempt. What fails leaves nothing that nobody knows of: the provider is told to cancel,
 * or the attempt is settled.
 */
export async function concludeAttempt<T>(
  scope: Scope,
  { attempt }: Asked,
  work: (tx: TransactionScope, order: OrderRow) => Promise<T>,
): Promise<T> {
  try {
    return await scope.transaction(async (tx) => {
      const order = await lockOrder(tx, attempt.order_id)
      if (order === undefined || order.is_hidden) throw notFoundCode('order_not_found')
      if (!(await removeAttempt(tx, attempt))) throw overtaken()
      return work(tx, order)
    })
  } catch (error) {
    // A fault of ours may pass: a repeated request goes on then.
    if (error instanceof AppError) await giveUp(scope, attempt)
    else await release(scope, attempt)
    throw error
  }
}

const overtaken = () =>
  badRequest('appointment_closed', 'The appointment was cancelled in the meantime.')

/**
 * The provider has a booking that leads to nothing: it is cancelled, unless somebody else goes on
 * with it. A move that leads to nothing is settled later.
 */
async function giveUp(scope: Scope, attempt: AttemptRow): Promise<void> {
  const { appointment_id: appointmentId, provider } = attempt
  await scope.transaction(async (tx) => {
    const row = await lockAppointment(tx, appointmentId)
    if (row !== undefined && isActiveStatus(row.status)) return release(tx, attempt)
    const isOurs = await removeAttempt(tx, attempt)
    if (!isOurs && (await findAttempt(tx, appointmentId)) !== undefined) return
    const job = { environmentId: tx.environment.id, appointmentId, provider }
    await addJob(tx.db, CANCEL_AT_PROVIDER, job)
  })
}
