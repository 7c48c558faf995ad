import type { ResultMessage } from '@salus/contracts/lab-gateway'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { findLabBySlug, type LabRow } from '../../catalog/index.ts'
import { findOrder, type OrderRow } from '../../orders/index.ts'
import { compareDemographics } from '../../patients/index.ts'
import { type CandidateOrder, decideMatch, type MatchDecision } from './candidate-order.ts'
import { listCandidateOrders } from './candidate-orders.service.ts'
import { listAcceptedResults } from './matching.repository.ts'

/** The order of a result message, or the reason for a review. */
export type Match =
  | { kind: 'matched'; lab: LabRow; order: OrderRow }
  | { kind: 'uncertain'; lab: LabRow; decision: MatchDecision; orders: CandidateOrder[] }

/**
 * Finds the order of a result message in the environment. A match is certain by the sample id and
 * the patient's demographics (docs/contract/13-results.md#unmatched-results), or by an earlier
 * decision of a reviewer.
 * @param orderId the order that the laboratory names by our id, if any
 */
export async function matchResultMessage(
  tx: TransactionScope,
  message: ResultMessage,
  labSlug: string,
  orderId?: string,
): Promise<Match> {
  const lab = await findLabBySlug(tx.db, labSlug)
  if (lab === undefined)
    throw new Error('The laboratory of a result message is not in the catalog.')
  const found = { message, labId: lab.id, orderId }
  // Nearly all messages match the order of their sample, so other orders are read only if needed.
  const [accepted, [ofSample = []]] = await Promise.all([
    findAcceptedOrder(tx, lab.id, message),
    listCandidateOrders(tx, [found], { isOnlyOfSample: true }),
  ])
  if (accepted !== undefined) return { kind: 'matched', lab, order: accepted }
  const safe = decideMatch(ofSample)
  if ('order' in safe) return { kind: 'matched', lab, order: safe.order }
  const [orders = []] = await listCandidateOrders(tx, [found])
  const outcome = decideMatch(orders)
  return 'order' in outcome
    ? { kind: 'matched', lab, order: outcome.order }
    : { kind: 'uncertain', lab, decision: outcome.decision, orders }
}

type Found = Pick<ResultMessage, 'status' | 'sample_id' | 'specimen_number' | 'patient'>

/**
 * Returns the order to which a reviewer assigned earlier results of the same sample: later results
 * of the laboratory follow, even if the order has another sample id or none. Results of another
 * specimen of the same requisition do not follow; without a specimen number, only corrections do.
 */
async function findAcceptedOrder(
  scope: Scope,
  labId: number,
  message: Found,
): Promise<OrderRow | undefined> {
  const { sample_id: sampleId } = message
  if (sampleId === null) return undefined
  const accepted = await listAcceptedResults(scope, labId, sampleId)
  const same = accepted.find((known) => isOfSameSpecimen(message, known.report))
  if (same === undefined || same.resolved_order_id === null) return undefined
  const order = await findOrder(scope, same.resolved_order_id)
  return order?.lab_id === labId ? order : undefined
}

function isOfSameSpecimen(message: Found, known: Found): boolean {
  const { patient, specimen_number: number } = message
  if (compareDemographics(patient, known.patient) !== 'match') return false
  if (number !== null && known.specimen_number !== null) return number === known.specimen_number
  return message.status === 'corrected'
}
