import { environmentNow, type Scope, type TransactionScope } from '../../../platform/scope.ts'
import {
  type AppointmentRow,
  lockAppointment,
  remind,
  transitionAppointment,
} from '../../appointments/index.ts'
import type { SchedulingGateways } from '../../gateways/index.ts'
import { followAppointment, lockOrder, type OrderRow } from '../../orders/index.ts'
import { askProvider } from './ask-provider.service.ts'
import { type DueAppointment, findDueAppointment } from './due-appointments.repository.ts'

/** What happens to appointments by themselves happens through these. */
export interface DueParts {
  scheduling: SchedulingGateways
}

/** Asks the provider of an appointment for which that is due: at once, or by a job. */
export type Ask = (scope: Scope, due: DueAppointment) => Promise<void>

/**
 * Lets happen whatever is due for the appointments of an environment up to an instant of its own time, in
 * order and each dated by when it was due (docs/contract/14-appointments-and-psc.md#rules). What fails is
 * logged and left for the next time; it keeps nothing else waiting.
 * @returns how many things happened
 */
export async function runDueAppointments(
  scope: Scope,
  parts: DueParts,
  until: Date = environmentNow(scope),
  ask: Ask = (inner, { id, at }) => askProvider(inner, parts, id, at),
): Promise<number> {
  const left: string[] = []
  let count = 0
  for (;;) {
    const due = await findDueAppointment(scope, until, left)
    if (due === undefined) return count
    try {
      if (due.kind === 'ask') await ask(scope, due)
      else await happen(scope, due)
      count += 1
    } catch (error) {
      const { id: appointmentId, kind } = due
      scope.log.error({ err: error, appointmentId, kind }, 'what was due could not be done')
      left.push(due.id)
    }
  }
}

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

/** The provider is told by the job that the transition adds. */
async function cancel(
  tx: TransactionScope,
  { order, row }: { order: OrderRow; row: AppointmentRow },
  at: Date,
): Promise<void> {
  await transitionAppointment(tx, row, { to: 'cancelled', at, data: { origin: 'system' } })
  await followAppointment(tx, order, 'cancelled', at)
}

/**
 * Whoever was down for more than a day says nothing of what is over. Only in a sandbox that was advanced
 * over both is it the order in which things happened.
 */
async function remindInTime(tx: TransactionScope, row: AppointmentRow): Promise<void> {
  const isOver = row.start_at !== null && row.start_at <= environmentNow(tx)
  if (isOver && tx.environment.clockOffsetSeconds === 0) await forgetReminder(tx, row.id)
  else await remind(tx, row)
}
