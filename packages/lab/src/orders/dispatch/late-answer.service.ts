import type { OutgoingPurpose, Refusal } from '@salus/contracts/lab-gateway'
import { addJob } from '@salus/kernel/jobs/jobs'
import { environmentNow, type TransactionScope } from '@salus/kernel/scope'
import { isSampleIdTaken } from '../orders.global.repository.ts'
import { lockOrder, updateOrder } from '../orders.repository.ts'
import { endStuckTask } from '../stuck/stuck-tasks.service.ts'
import { applyUpdate } from '../transitions/apply-update.service.ts'
import { REMATCH_RESULTS } from './dispatch-job.ts'
import {
  describeRefusal,
  NO_CANCEL_PROBLEM,
  recordCancelFailure,
  recordDispatchFailure,
  recordRefusal,
} from './record-failure.service.ts'

/** The answer of a laboratory that came after it had only confirmed the receipt of a message. */
export interface LateAnswer {
  orderId: string
  labSlug: string
  purpose: OutgoingPurpose
  /** Null for an acceptance. */
  refusal: Refusal | null
  /** Number of the requisition; null when none is known. */
  sampleId: string | null
}

/** Moves an order, in the open transaction, as if the answer had come at once. */
export async function applyLateAnswer(
  tx: TransactionScope,
  { orderId, labSlug, purpose, refusal, sampleId }: LateAnswer,
): Promise<void> {
  const row = await lockOrder(tx, orderId)
  if (row === undefined) return
  if (purpose === 'cancellation') {
    if (refusal !== null) {
      await recordCancelFailure(tx, row, 'refused', describeRefusal(refusal))
      return
    }
    await updateOrder(tx, orderId, NO_CANCEL_PROBLEM)
    await endStuckTask(tx, row)
    return
  }
  if (refusal !== null) {
    await recordRefusal(tx, row, { ...refusal, labSlug })
    return
  }
  const isFree = row.sample_id !== null || sampleId === null
  if (!isFree && (await isSampleIdTaken(tx.db, row.lab_id, sampleId, orderId))) {
    await recordDispatchFailure(tx, row, labSlug, { problem: 'sample_id_taken' })
    return
  }
  const order = { orderId, labSlug }
  const update = { kind: 'requisition_accepted', order, sampleId } as const
  await applyUpdate(tx, row, update, environmentNow(tx))
  await addJob(tx.db, REMATCH_RESULTS, { environmentId: tx.environment.id, orderId })
}
