import type { TransactionScope } from '../../../platform/scope.ts'
import type { LabReport } from '../../gateways/index.ts'
import type { OrderRow } from '../../orders/index.ts'
import { emitReview, isShown } from './emit-review.ts'
import * as repository from './unmatched-results.repository.ts'

/**
 * Closes what is held of a sample whose result has just been stored: the laboratory's later data gave
 * the safe match. Reports of another specimen of the same requisition stay.
 */
export async function settleHeld(
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
