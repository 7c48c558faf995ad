import type { LabGateway, Placement, Requisition } from '@salus/contracts/lab-gateway'
import { BEFORE_HANDING_OVER } from '@salus/contracts/order-lifecycle'
import type { SecretBox } from '@salus/kernel/crypto/secret-box'
import { addJob, type JobAttempt } from '@salus/kernel/jobs/jobs'
import {
  type Environment,
  environmentNow,
  type Scope,
  type TransactionScope,
} from '@salus/kernel/scope'
import { dateInZone } from '@salus/kernel/time/instants'
import { findLab } from '../../catalog/index.ts'
import { addImages } from '../insurance/insurance-images.ts'
import {
  changeOrder,
  changeUndispatchedOrder,
  findOrder,
  lockOrder,
  type OrderRow,
} from '../orders.repository.ts'
import { endStuckTask } from '../stuck/stuck-tasks.service.ts'
import { applyUpdate, SampleIdTaken } from '../transitions/apply-update.service.ts'
import { CANCEL_AT_LAB, type CancelJob, REMATCH_RESULTS } from './dispatch-job.ts'
import type { DispatchProblem } from './dispatch-problems.ts'
import { hasNumbers } from './order-numbers.repository.ts'
import {
  describeRefusal,
  NO_CANCEL_PROBLEM,
  NO_DISPATCH_PROBLEM,
  recordCancelFailure,
  recordDispatchFailure,
} from './record-failure.service.ts'
import { makeRequisition } from './requisition.service.ts'

/** Returns the gateway to a laboratory; undefined without one. */
export type FindGateway = (
  environment: Pick<Environment, 'id' | 'kind'>,
  labSlug: string,
) => Promise<LabGateway | undefined>

/** Dependencies of the dispatch of orders. */
export interface DispatchParts {
  findGateway: FindGateway
  /** Time zone of the day on which scheduled orders are dispatched. */
  timeZone: string
}

/**
 * Sends an order to the laboratory, or to the kit vendor for a kit without a patient. Does nothing
 * for an order that was dispatched, cancelled or rescheduled in the meantime, or whose person was
 * deleted. An order without a gateway, or whose last attempt failed, is recorded as stuck, and an
 * event is emitted.
 * @throws Error when the laboratory cannot be reached, so that the job is retried
 */
export async function dispatchOrder(
  scope: Scope,
  { findGateway, timeZone, secrets }: DispatchParts & { secrets: SecretBox },
  orderId: string,
  { isLast }: JobAttempt,
): Promise<void> {
  const row = await findOrder(scope, orderId)
  if (row === undefined || row.is_hidden) return
  // It was cancelled after an attempt before this one had begun, whose outcome is unknown.
  if (row.last_status === 'cancelled' && row.dispatched_at === null) {
    return scope.transaction((tx) => addCancelJobIfSent(tx, row))
  }
  if (!isDue(row, dateInZone(environmentNow(scope), timeZone))) return
  const requisition = await addImages(scope, secrets, row, await makeRequisition(scope, row))
  const { labSlug: lab } = requisition
  const gateway = await findGateway(scope.environment, lab)
  if (gateway === undefined) return recordFailure(scope, { row, lab }, 'lab_not_connected')
  try {
    const placement = await gateway.place(requisition)
    if (placement.state === 'refused') {
      scope.log.warn({ orderId, code: placement.refusal.code }, 'a laboratory refused an order')
      const detail = describeRefusal(placement.refusal)
      return recordFailure(scope, { row, lab }, 'refused_by_lab', detail)
    }
    await recordPlacement(scope, { row, requisition }, placement)
  } catch (error) {
    const isTaken = error instanceof SampleIdTaken
    if (!isTaken && !isLast) throw error
    const problem = isTaken ? 'sample_id_taken' : 'not_reached'
    scope.log.error({ err: error, orderId, problem }, 'an order could not be dispatched')
    await recordFailure(scope, { row, lab }, problem)
  }
}

/** Records the laboratory's answer in the order. */
async function recordPlacement(
  scope: Scope,
  { row, requisition }: { row: OrderRow; requisition: Requisition },
  placement: Exclude<Placement, { state: 'refused' }>,
): Promise<void> {
  const { id: orderId } = row
  const at = environmentNow(scope)
  const dispatch = { dispatched_at: at, ...NO_DISPATCH_PROBLEM }
  // Nearly always the order is as it was read, and one statement is enough.
  const isAnswered = placement.state === 'accepted'
  if (!isAnswered && (await changeUndispatchedOrder(scope, row, dispatch))) return
  await scope.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId)
    if (locked === undefined || locked.last_status === 'cancelled') {
      // The order was cancelled in the meantime; a job, which is retried, cancels it at the
      // laboratory.
      const given = placement.state === 'accepted' ? placement.sampleId : null
      const { labSlug } = requisition
      await addCancelJob(tx, { orderId, labSlug, sampleId: given ?? row.sample_id })
      return
    }
    // Another job dispatched it, or the kit got its patient and is dispatched again with it.
    if (locked.dispatched_at !== null || locked.last_status !== row.last_status) return
    // The laboratory confirmed the receipt, and refused in a message of its own meanwhile.
    if (Number(locked.dispatch_failed_at) !== Number(row.dispatch_failed_at)) return
    if (placement.state !== 'accepted') {
      await changeOrder(tx, orderId, dispatch)
      return
    }
    const order = { orderId, labSlug: requisition.labSlug }
    const { sampleId } = placement
    const update = { kind: 'requisition_accepted', order, sampleId } as const
    const [{ row: accepted }] = await Promise.all([
      applyUpdate(tx, locked, update, at),
      addJob(tx.db, REMATCH_RESULTS, { environmentId: tx.environment.id, orderId }),
    ])
    // An order that cannot follow the update was dispatched all the same.
    if (accepted.dispatched_at === null) await changeOrder(tx, orderId, dispatch)
  })
}

/** Records that the dispatch failed, unless the order went on in the meantime. */
async function recordFailure(
  scope: Scope,
  { row: seen, lab }: { row: OrderRow; lab: string },
  problem: DispatchProblem,
  detail: string | null = null,
): Promise<void> {
  await scope.transaction(async (tx) => {
    const row = await lockOrder(tx, seen.id)
    if (row?.last_status !== seen.last_status || row.dispatched_at !== null) return
    await recordDispatchFailure(tx, row, lab, { problem, detail })
  })
}

function isDue(row: OrderRow, today: string): boolean {
  if (row.dispatched_at !== null || !BEFORE_HANDING_OVER.includes(row.last_status)) return false
  return row.activate_by === null || row.activate_by <= today
}

/**
 * Adds a job that cancels an order at a laboratory that may have it: it answered, or the message
 * was stored to be sent and has no answer, as when the process ended.
 */
export async function addCancelJobIfSent(tx: TransactionScope, row: OrderRow): Promise<void> {
  const { id: orderId, sample_id: sampleId } = row
  const isRefused = row.dispatch_problem === 'refused_by_lab'
  const isSent = row.dispatched_at !== null || (!isRefused && (await hasNumbers(tx, orderId)))
  if (!isSent) return
  const lab = await findLab(tx.db, row.lab_id)
  if (lab === undefined) throw new Error('The laboratory of an order is gone.')
  await addCancelJob(tx, { orderId, labSlug: lab.slug, sampleId })
}

/** Adds the job that cancels an order at the laboratory when the transaction commits. */
export function addCancelJob(
  { db, environment }: TransactionScope,
  order: Omit<CancelJob, 'environmentId'>,
): Promise<void> {
  return addJob(db, CANCEL_AT_LAB, { environmentId: environment.id, ...order })
}

/**
 * Cancels an order at its laboratory, also when the order has been erased here. Where the
 * laboratory does not accept it, the order waits in the list of stuck orders.
 * @throws Error when the laboratory cannot be reached, so that the job is retried
 */
export async function cancelAtLab(
  scope: Scope,
  { findGateway }: DispatchParts,
  { orderId, labSlug, sampleId }: CancelJob,
  { isLast }: JobAttempt,
): Promise<void> {
  const gateway = await findGateway(scope.environment, labSlug)
  if (gateway === undefined) return
  const row = await findOrder(scope, orderId)
  const requisition = row === undefined ? null : await makeRequisition(scope, row)
  const cancellation = { environmentId: scope.environment.id, orderId, sampleId, requisition }
  const answer = await gateway.cancel(cancellation).catch((error: unknown) => {
    if (!isLast) throw error
    scope.log.error({ err: error, orderId }, 'an order could not be cancelled at its laboratory')
    return { state: 'not_reached' as const }
  })
  if (answer.state === 'waiting') return
  await scope.transaction(async (tx) => {
    const locked = await lockOrder(tx, orderId)
    if (locked === undefined) return
    if (answer.state === 'cancelled') {
      await changeOrder(tx, orderId, NO_CANCEL_PROBLEM)
      await endStuckTask(tx, locked)
      return
    }
    const detail = answer.state === 'refused' ? describeRefusal(answer.refusal) : null
    await recordCancelFailure(tx, locked, answer.state, detail)
    scope.log.warn({ orderId, problem: answer.state }, 'a laboratory did not cancel an order')
  })
}
