import type { Happening, KnownAppointment } from '@salus/contracts/lab-gateway'
import {
  allowedTransitions,
  isFromOutside,
  type Transition,
} from '@salus/contracts/order-lifecycle'
import { HOUR_MS } from '@salus/contracts/time-units'
import type { Scope } from '@salus/kernel/scope'
import { type AppointmentRow, findActiveAppointment } from '../appointments/index.ts'
import { findLab } from '../catalog/index.ts'
import { type Inbox, processMessage } from '../inbox/index.ts'
import {
  cancelRow,
  findOrder,
  isSampleIdTaken,
  lockOrder,
  makeRequisition,
  mayTransition,
  type OrderRow,
  orderFacts,
} from '../orders/index.ts'
import { findNewestReport } from '../results/index.ts'
import { causesFor } from './plan-path.ts'
import type { SandboxStep } from './sandbox.tables.ts'
import {
  deleteStep,
  findDueOrder,
  findDueStep,
  type SandboxStepRow,
} from './sandbox-steps.repository.ts'

/** The lab report comes a while after the collection. */
const HOURS_TO_REPORT = 20

/**
 * Lets the next step happen that is due in a sandbox: the simulator delivers what the outside world
 * would say, which is stored, acknowledged and then applied like any other message. The step goes
 * when that is done; one that happens a second time, after a crash or beside another process, is
 * the same message. A step that the order cannot make any more is dropped.
 * @returns false when nothing was due
 * @throws Error when the message could not be applied for now; it will be tried again
 */
export async function runDueStep(
  scope: Scope,
  inbox: Inbox,
  due: { until: Date; orderId?: string },
): Promise<boolean> {
  const orderId = due.orderId ?? (await findDueOrder(scope, due.until))
  if (orderId === undefined) return false
  // The step is read before its order: it is the next one only when the one before has been
  // applied.
  const row = await findDueStep(scope, orderId, due.until)
  const order = row && (await findOrder(scope, orderId))
  if (row === undefined || order === undefined || order.is_hidden) return false
  const appointment = await findActiveAppointment(scope, orderId)
  const transitions = allowedTransitions(await orderFacts(scope, order))
  const cause = chooseCause(transitions, row.step, appointment)
  if (cause === 'cancel_order') await cancel(scope, row)
  else if (cause !== undefined) {
    const happening = await describeHappening(scope, { order, appointment, row, cause })
    const { messageId } = await inbox.gateways.simulator.simulate(happening)
    await processMessage(scope, inbox, messageId)
  }
  await deleteStep(scope, row)
  return true
}

/** What brings a step about: what others say where they can, else the command to cancel. */
function chooseCause(
  transitions: Transition[],
  step: SandboxStep,
  appointment: AppointmentRow | undefined,
): Happening['cause'] | 'cancel_order' | undefined {
  const { to, detail, isMove } = step
  if (to === 'appointment_in_progress') return appointment?.status === 'confirmed' ? to : undefined
  if (appointment !== undefined) {
    // The order went there when the appointment was made.
    if (to === 'appointment_pending') return undefined
    if (to === 'appointment_scheduled') return isOpen(appointment) || isMove ? to : undefined
  }
  const causes = transitions.find((transition) => transition.to === to)?.causes ?? []
  const [cause] = causesFor(causes, detail)
  return cause !== undefined && (cause === 'cancel_order' || isFromOutside(cause))
    ? cause
    : undefined
}

/** Its provider has not said that it stands. */
const isOpen = ({ status }: AppointmentRow): boolean =>
  status === 'pending' || status === 'reserved'

function cancel(scope: Scope, { order_id: orderId, step, due_at: at }: SandboxStepRow) {
  return scope.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order === undefined || !(await mayTransition(tx, order, 'cancelled'))) return
    await cancelRow(tx, order, at, step.detail)
  })
}

interface Due {
  order: OrderRow
  appointment: AppointmentRow | undefined
  row: SandboxStepRow
  cause: Happening['cause']
}

async function describeHappening(
  scope: Scope,
  { order, appointment, row, cause }: Due,
): Promise<Happening> {
  const { id, step, due_at: at } = row
  const { db, environment } = scope
  const lab = await findLab(db, order.lab_id)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  const requisition = await makeRequisition(scope, order)
  return {
    environmentId: environment.id,
    id,
    cause,
    appointment: appointment === undefined ? null : describeAppointment(appointment),
    detail: step.detail,
    at,
    requisition,
    report: {
      ...step.results,
      collectedAt: collectionTime({ order, appointment }, at),
      previous: await findNewestReport(scope, order.id),
      labName: lab.name,
      accountId: requisition.accountId,
    },
    isSampleIdTaken: (sampleId) => isSampleIdTaken(db, order.lab_id, sampleId),
  }
}

function describeAppointment(row: AppointmentRow): KnownAppointment {
  const { id, time_zone: timeZone, start_at: startAt } = row
  return { id, timeZone, startAt, isConfirmed: !isOpen(row) }
}

/**
 * When the sample was taken: as noted, or at the end of an appointment, else some hours before its
 * report, never before the order.
 */
function collectionTime(
  { order, appointment }: Pick<Due, 'order' | 'appointment'>,
  reportedAt: Date,
): Date {
  if (order.collected_on !== null) {
    const noon = new Date(`${order.collected_on}T12:00:00Z`)
    if (noon < reportedAt) return noon
  }
  const end = appointment?.end_at ?? null
  if (end !== null && end < reportedAt) return end
  const before = reportedAt.getTime() - HOURS_TO_REPORT * HOUR_MS
  return new Date(Math.max(before, order.created_at.getTime()))
}
