import type { LabReport } from '@salus/contracts/lab-gateway'
import type { TransactionScope } from '@salus/kernel/scope'
import { findLab } from '../catalog/index.ts'
import { findOrder, type OrderRow } from '../orders/index.ts'
import { emitReview, isShown } from './match-review/emit-review.ts'
import { readHeldReport } from './match-review/held-report.ts'
import { holdReport } from './match-review/hold-report.service.ts'
import * as repository from './match-review/unmatched-results.repository.ts'
import { listOpenOfSample } from './match-review/unmatched-results.repository.ts'
import { matchReport } from './matching/match-report.service.ts'
import type { ReportSource, ReportTransaction } from './results.scope.ts'
import { storeReport } from './storing/store-report.service.ts'

/** A report as it comes out of a message. */
export interface TakenReport extends ReportSource {
  report: LabReport
  labSlug: string
  /** The order that the laboratory names by our own id, if it does. */
  orderId?: string | undefined
}

/** What became of a report; `orderId` is the order it was stored in. */
export interface TakenOutcome {
  state: 'processed' | 'held'
  orderId: string | null
}

/**
 * Takes a report that a laboratory sent: finds its order and stores it there, or keeps it for
 * review when that is not safe. Nothing is dropped. Run it in `inReportTransaction`, which takes
 * the files away again when the transaction fails.
 * @throws Error when the laboratory is not in the catalog
 */
export async function takeReport(
  tx: ReportTransaction,
  { report, labSlug, orderId, messageId, at }: TakenReport,
): Promise<TakenOutcome> {
  const source = { messageId, at }
  const match = await matchReport(tx, report, labSlug, orderId)
  if (match.kind === 'matched') {
    return receiveReport(tx, match.order, report, { ...source, orderId })
  }
  const users = new Set(match.orders.map(({ row }) => row.user_id))
  const [only = null] = users.size === 1 ? users : []
  const about = { namedOrderId: orderId ?? null, likelyUserId: only }
  const held = { report, labId: match.lab.id, doubt: match.doubt, ...about }
  await holdReport(tx, held, source)
  return { state: 'held', orderId: null }
}

/**
 * Stores a report in an order that it safely belongs to, in the caller's transaction, and settles
 * what was held of the same sample. An order that may not take it now leaves it to review.
 */
export async function receiveReport(
  tx: ReportTransaction,
  order: OrderRow,
  report: LabReport,
  { orderId, ...source }: ReportSource & Pick<TakenReport, 'orderId'>,
): Promise<TakenOutcome> {
  const outcome = await storeReport(tx, order.id, report, source)
  if (outcome.kind === 'held') {
    const doubt = { code: outcome.code, subReasons: [] }
    const about = { namedOrderId: orderId ?? null, likelyUserId: order.user_id }
    const held = { report, labId: order.lab_id, doubt, ...about }
    await holdReport(tx, held, source)
    return { state: 'held', orderId: null }
  }
  if (outcome.kind === 'stored') {
    await settleHeld(tx, outcome.row, report, source.at)
  }
  return { state: 'processed', orderId: order.id }
}

/**
 * Looks again at what is held of an order's sample, after the order came to know its number.
 * @returns true when a held report was stored in the order
 */
export async function rematchHeld(
  tx: ReportTransaction,
  orderId: string,
  at: Date,
): Promise<boolean> {
  const order = await findOrder(tx, orderId)
  if (order === undefined || order.sample_id === null) return false
  const { lab_id: labId, sample_id: sampleId } = order
  const lab = await findLab(tx.db, labId)
  if (lab === undefined) return false
  const open = await listOpenOfSample(tx, labId, sampleId)
  let isStored = false
  for (const row of open) {
    const report = await readHeldReport(tx.files, row)
    const named = row.report.named_order_id ?? undefined
    const match = await matchReport(tx, report, lab.slug, named)
    if (match.kind !== 'matched' || match.order.id !== order.id) continue
    const source = { messageId: row.lab_message_id, at, orderId: named }
    const outcome = await receiveReport(tx, match.order, report, source)
    isStored ||= outcome.state === 'processed'
  }
  return isStored
}

/**
 * Closes what is held of a sample whose result has just been stored: the laboratory's later data
 * gave the safe match. Reports of another specimen of the same requisition stay.
 */
async function settleHeld(
  tx: TransactionScope,
  order: OrderRow,
  report: LabReport,
  at: Date,
): Promise<void> {
  const sampleId = report.sample_id ?? order.sample_id
  if (sampleId === null) return
  const open = await repository.lockOpenOfSample(tx, order.lab_id, sampleId)
  for (const row of open.filter((each) => isOfSpecimen(each, report))) {
    const settled = await repository.updateUnmatched(tx, row.id, {
      status: 'matched',
      resolved_user_id: order.user_id,
      resolved_order_id: order.id,
      resolution: JSON.stringify({ was_shown: isShown(row) }),
      updated_at: at,
      reviewed_at: at,
    })
    if (isShown(settled)) await emitReview(tx, settled, 'updated')
  }
}

function isOfSpecimen({ report: held }: repository.UnmatchedRow, report: LabReport): boolean {
  const [one, other] = [held.specimen_number, report.specimen_number]
  return one === null || other === null || one === other
}
