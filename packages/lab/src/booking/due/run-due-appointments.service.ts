import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  type AppointmentRow,
  clearReminder,
  emitReminder,
  lockAppointment,
  transitionAppointment,
} from '../../appointments/index.ts'
import { lockOrder, moveOrderWithAppointment, type OrderRow } from '../../orders/index.ts'
import type { BookingParts } from '../booking-parts.ts'
import { continueBooking } from './continue-booking.service.ts'
import { type DueAppointment, findDueAppointment } from './due-appointments.repository.ts'

export interface DueOptions {
  /** In the environment's own time; now by default. */
  until?: Date
  /** Calls the provider of a pending booking; by default directly, with a short timeout. */
  callProvider?: (scope: Scope, due: DueAppointment) => Promise<void>
}

/** Short, because a request that advances a sandbox waits for the calls. */
const PATIENCE_MS = 500

/**
 * Applies the timed changes of an environment's appointments in order, each at the time at which it
 * was due (docs/contract/14-appointments-and-psc.md#rules). A failure is logged and retried next
 * time, and does not delay the others.
 */
export async function runDueAppointments(
  scope: Scope,
  parts: Pick<BookingParts, 'scheduling'>,
  options: DueOptions = {},
): Promise<void> {
  const {
    until = environmentNow(scope),
    callProvider = (inner, { id, at }) =>
      continueBooking(inner, parts, id, { at, limitMs: PATIENCE_MS }),
  } = options
  const left: string[] = []
  for (let last: DueAppointment | undefined; ; ) {
    const due = await findDueAppointment(scope, until, left)
    if (due === undefined) return
    if (isSame(due, last)) {
      // It failed, or was passed to a job.
      left.push(due.id)
      continue
    }
    last = due
    try {
      if (due.kind === 'ask') await callProvider(scope, due)
      else await applyDueChange(scope, due)
    } catch (error) {
      const { id: appointmentId, kind } = due
      scope.log.error({ err: error, appointmentId, kind }, 'due appointment could not be processed')
    }
  }
}

const isSame = (one: DueAppointment, other: DueAppointment | undefined): boolean =>
  one.id === other?.id && one.kind === other.kind && one.at.getTime() === other.at.getTime()

/** Applies a change under the locks if it is still due. */
function applyDueChange(scope: Scope, { id, orderId, kind, at }: DueAppointment): Promise<void> {
  return scope.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const row = await lockAppointment(tx, id)
    if (order === undefined || row === undefined) return
    if (kind === 'give_up' && isDue(row.confirm_by, at))
      await cancelDueAppointment(tx, { order, row }, at)
    if (kind === 'cancel' && isDue(row.cancel_at, at))
      await cancelDueAppointment(tx, { order, row }, at)
    if (kind === 'remind' && isDue(row.remind_at, at)) await remindInTime(tx, row)
  })
}

const isDue = (instant: Date | null, at: Date): boolean => instant !== null && instant <= at

/** Cancels the appointment; the job that the transition adds cancels it at the provider. */
async function cancelDueAppointment(
  tx: TransactionScope,
  { order, row }: { order: OrderRow; row: AppointmentRow },
  at: Date,
): Promise<void> {
  await transitionAppointment(tx, row, { to: 'cancelled', at, data: { origin: 'system' } })
  await moveOrderWithAppointment(tx, order, 'cancelled', at)
}

/**
 * Skips the reminder when the appointment has begun, as after a downtime of more than a day. In a
 * sandbox that was advanced past both, the reminder is emitted.
 */
async function remindInTime(tx: TransactionScope, row: AppointmentRow): Promise<void> {
  const hasBegun = row.start_at !== null && row.start_at <= environmentNow(tx)
  if (hasBegun && tx.environment.clockOffsetSeconds === 0) await clearReminder(tx, row.id)
  else await emitReminder(tx, row)
}
