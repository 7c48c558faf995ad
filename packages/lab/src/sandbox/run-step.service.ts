import type { KnownAppointment, SimulatedOccurrence } from '@salus/contracts/lab-gateway'
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
  cancelLockedOrder,
  findOrder,
  isSampleIdTaken,
  lockOrder,
  makeRequisition,
  mayCancel,
  type OrderRow,
  readOrderFacts,
} from '../orders/index.ts'
import { findNewestMessage } from '../results/index.ts'
import { causesFor } from './plan-path.ts'
import type { SandboxStep } from './sandbox.tables.ts'
import {
  deleteStep,
  findDueOrder,
  findDueStep,
  type SandboxStepRow,
} from './sandbox-steps.repository.ts'

/** Hours between the collection and the results. */
const HOURS_TO_REPORT = 20

/**
 * Runs the next step that is due in a sandbox: the simulator delivers a message, which is stored,
 * acknowledged and applied like any other. Then the step is removed; a repetition after a crash or
 * in another process delivers the same message. A step that the order cannot take any more is
 * dropped.
 * @returns false when no step was due
 * @throws Error when the message could not be applied now; it is retried
 */
export async function runDueStep(
  scope: Scope,
  inbox: Inbox,
  due: { until: Date; orderId?: string },
): Promise<boolean> {
  const orderId = due.orderId ?? (await findDueOrder(scope, due.until))
  if (orderId === undefined) return false
  // The step is read before its order: it is the next one only after the previous one was applied.
  const row = await findDueStep(scope, orderId, due.until)
  const order = row && (await findOrder(scope, orderId))
  if (row === undefined || order === undefined || order.is_hidden) return false
  const appointment = await findActiveAppointment(scope, orderId)
  const transitions = allowedTransitions(await readOrderFacts(scope, order))
  const cause = chooseCause(transitions, row.step, appointment)
  if (cause === 'cancel_order') await cancelSimulatedOrder(scope, row)
  else if (cause !== undefined) {
    const happening = await describeHappening(scope, { order, appointment, row, cause })
    const { messageId } = await inbox.gateways.simulator.simulate(happening)
    await processMessage(scope, inbox, messageId)
  }
  await deleteStep(scope, row)
  return true
}

/** Returns the cause of a step: an update from outside if possible, or else the cancel command. */
function chooseCause(
  transitions: Transition[],
  step: SandboxStep,
  appointment: AppointmentRow | undefined,
): SimulatedOccurrence['cause'] | 'cancel_order' | undefined {
  const { to, detail, isMove } = step
  if (to === 'appointment_in_progress') return appointment?.status === 'confirmed' ? to : undefined
  if (appointment !== undefined) {
    // The order took this status when the appointment was created.
    if (to === 'appointment_pending') return undefined
    if (to === 'appointment_scheduled') return isOpen(appointment) || isMove ? to : undefined
  }
  const causes = transitions.find((transition) => transition.to === to)?.causes ?? []
  const [cause] = causesFor(causes, detail)
  return cause !== undefined && (cause === 'cancel_order' || isFromOutside(cause))
    ? cause
    : undefined
}

/** Returns whether the provider has not confirmed the appointment. */
const isOpen = ({ status }: AppointmentRow): boolean =>
  status === 'pending' || status === 'reserved'

function cancelSimulatedOrder(
  scope: Scope,
  { order_id: orderId, step, due_at: at }: SandboxStepRow,
) {
  return scope.transaction(async (tx) => {
    const order = await lockOrder(tx, orderId)
    if (order === undefined || !(await mayCancel(tx, order))) return
    await cancelLockedOrder(tx, order, at, step.detail)
  })
}

interface Due {
  order: OrderRow
  appointment: AppointmentRow | undefined
  row: SandboxStepRow
  cause: SimulatedOccurrence['cause']
}

async function describeHappening(
  scope: Scope,
  { order, appointment, row, cause }: Due,
): Promise<SimulatedOccurrence> {
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
      previous: await findNewestMessage(scope, order.id),
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
 * Returns the time of collection: as recorded, or the end of the appointment, or some hours before
 * the results, but never before the order.
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
