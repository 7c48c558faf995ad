import type { Db } from '../../../platform/postgres/database.ts'
import { findLabBySlug, type LabRow } from '../../catalog/index.ts'
import type { LabReport } from '../../gateways/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import type { ResultsContext } from '../results.context.ts'
import { findAcceptedOrder } from './accepted-order.service.ts'
import { judgeOrders } from './judge-orders.service.ts'
import { type Doubt, decide, type JudgedOrder } from './judged-order.ts'

/** To which order a report belongs, or why that is not sure. */
export type Match =
  | { kind: 'matched'; lab: LabRow; order: OrderRow }
  | { kind: 'doubtful'; lab: LabRow; doubt: Doubt; orders: JudgedOrder[] }

/**
 * Finds the order of a report among those of the environment. Safe is only a match by the sample's
 * number and the patient's demographics (contract 13), and one that a reviewer has made before.
 * @param orderId the order that the laboratory names by our own id, if it does
 */
export async function matchReport(
  { environment }: Pick<ResultsContext, 'environment'>,
  db: Db,
  report: LabReport,
  labSlug: string,
  orderId?: string,
): Promise<Match> {
  const lab = await findLabBySlug(db, labSlug)
  if (lab === undefined) throw new Error('A report of a laboratory that is not in the catalog.')
  const accepted = await findAcceptedOrder(db, environment, lab.id, report)
  if (accepted !== undefined) return { kind: 'matched', lab, order: accepted }
  const found = { report, labId: lab.id, orderId }
  // Nearly every report is of the order of its sample, so nobody else is looked for at first.
  const [ofSample = []] = await judgeOrders(db, environment, [found], { isOnlyOfSample: true })
  const safe = decide(ofSample)
  if ('order' in safe) return { kind: 'matched', lab, order: safe.order }
  const [orders = []] = await judgeOrders(db, environment, [found])
  const decision = decide(orders)
  return 'order' in decision
    ? { kind: 'matched', lab, order: decision.order }
    : { kind: 'doubtful', lab, doubt: decision.doubt, orders }
}
