import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import {
  type AppointmentRow,
  forgetReminder,
  lockAppointment,
  remind,
  transitionAppointment,
} from '../../appointments/index.ts'
import { followAppointment, lockOrder, type OrderRow } from '../../orders/index.ts'
import type { BookingParts } from '../booking-parts.ts'
import { continueBooking } from './continue-booking.service.ts'
import { type DueAppointment, findDueAppointment } from './due-appointments.repository.ts'

export interface DueOptions {
  /** In the environment's own time; up to now without it. */
  until?: Date
  /** How the provider of a pending booking is asked; without it at once, with little patience. */
  askProvider?: (scope: Scope, due: DueAppointment) => Promise<void>
}

/** Whoever advances a sandbox does not wait for one provider after the other. */
const PATIENCE_MS = 500

/**
 * Lets happen whatever is due for the appointments of an environment, in order and each dated by
 * when it was due (docs/contract/14-appointments-and-psc.md#rules). What fails is logged and left
 * for the next time; it keeps nothing else waiting.
 */
export async function runDueAppointments(
  scope: Scope,
  parts: Pick<BookingParts, 'scheduling'>,
  options: DueOptions = {},
): Promise<void> {
  const {
    until = environmentNow(scope),
    askProvider = (inner, { id, at }) =>
      continueBooking(inner, parts, id, { at, limitMs: PATIENCE_MS }),
  } = options
  const left: string[] = []
  for (let last: DueAppointment | undefined; ; ) {
    const due = await findDueAppointment(scope, until, left)
    if (due === undefined) return
    if (isSame(due, last)) {
      // It failed, or was left to a job.
      left.push(due.id)
      continue
    }
    last = due
    try {
      if (due.kind === 'ask') await askProvider(scope, due)
      else await happen(scope, due)
    } catch (error) {
      const { id: appointmentId, kind } = due
      scope.log.error({ err: error, appointmentId, kind }, 'due appointment could not be processed')
    }
  }
}

const isSame = (one: DueAppointment, other: DueAppointment | undefined): boolean =>
  one.id === other?.id && one.kind === other.kind && one.at.getTime() === other.at.getTime()

/** Does it under the locks, if it is still due there. */
function happen(scope: Scope, { id, orderId, kind, at }: DueAppointment): Promise<void> {
  return scope.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    const row = await lockAppointment(tx, id)
    if (order === undefined || row === undefined) return
    if (kind === 'give_up' && isDue(row.confirm_by, at)) await cancel(tx, { order, row }, at)
    if (kind === 'cancel' && isDue(row.cancel_at, at)) await cancel(tx, { order, row }, at)
    if (kind === 'remind' && isDue(row.remind_at, at)) await remindInTime(tx, row)
  })
}

const isDue = (instant: Date | null, at: Date): boolean => instant !== null && instant <= at

/** Its provider is told by the job that the transition adds. */
async function cancel(
  tx: TransactionScope,
  { order, row }: { order: OrderRow; row: AppointmentRow },
  at: Date,
): Promise<void> {
  await transitionAppointment(tx, row, { to: 'cancelled', at, data: { origin: 'system' } })
  await followAppointment(tx, order, 'cancelled', at)
}

/**
 * A server that was down for more than a day says nothing of what has begun meanwhile. In a sandbox
 * that was advanced over both, the reminder is what happened first.
 */
async function remindInTime(tx: TransactionScope, row: AppointmentRow): Promise<void> {
  const hasBegun = row.start_at !== null && row.start_at <= environmentNow(tx)
  if (hasBegun && tx.environment.clockOffsetSeconds === 0) await forgetReminder(tx, row.id)
  else await remind(tx, row)
}
