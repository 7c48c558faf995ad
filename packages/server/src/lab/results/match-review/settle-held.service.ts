import type { Db } from '../../../platform/postgres/database.ts'
import type { LabReport } from '../../gateways/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import type { ResultsContext } from '../results.context.ts'
import { isShown, tellReview } from './tell-review.ts'
import * as repository from './unmatched-results.repository.ts'

/**
 * Closes what is held of a sample whose result has just been stored: the laboratory's later data gave
 * the safe match. Reports of another specimen of the same requisition stay.
 */
export async function settleHeld(
  context: ResultsContext,
  transaction: Db,
  order: OrderRow,
  report: LabReport,
  at: Date,
): Promise<void> {
  const { id: environmentId } = context.environment
  const sampleId = report.sample_id ?? order.sample_id
  if (sampleId === null) return
  const open = await repository.lockOpenOfSample(transaction, environmentId, order.lab_id, sampleId)
  for (const row of open.filter((each) => isOfSpecimen(each, report))) {
    const settled = await repository.updateUnmatched(transaction, environmentId, row.id, {
      status: 'matched',
      resolved_user_id: order.user_id,
      resolved_order_id: order.id,
      resolution: JSON.stringify({ was_shown: isShown(row) }),
      updated_at: at,
      reviewed_at: at,
    })
    if (isShown(settled)) await tellReview(context, transaction, settled, 'updated')
  }
}

function isOfSpecimen({ report: held }: repository.UnmatchedRow, report: LabReport): boolean {
  const [one, other] = [held.specimen_number, report.specimen_number]
  return one === null || other === null || one === other
}
