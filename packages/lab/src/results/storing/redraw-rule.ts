import type { FailureType, ResultMessage } from '@salus/contracts/lab-gateway'
import type { Scope } from '@salus/kernel/scope'
import { findLab } from '../../catalog/index.ts'
import { listOrdersOfTransaction, type OrderRow } from '../../orders/index.ts'
import type { MissingBiomarkerResult } from '../results.schema.ts'

const REDRAW_LABS = new Set(['labcorp', 'quest', 'bioreference'])

/**
 * Failures for which a laboratory that collected the sample owes a redraw
 * (docs/contract/11-orders.md#redraws), without the patient's condition, order entry errors and
 * missing inputs of calculations.
 */
const OWED_BY_LAB = new Set<FailureType>([
  'internal_lab_failure',
  'quantity_not_sufficient_failure',
  'insufficient_volume',
  'collection_process_failure',
  'drop_off_failure',
  // Not returned, and without a reason
  'unknown_failure',
])

/**
 * Returns whether missing results lead to a redraw of the order: for a walk-in test at a laboratory
 * with redraws, a team that enabled them, and once per transaction.
 */
export async function mayRedraw(scope: Scope, row: OrderRow): Promise<boolean> {
  const { db, environment } = scope
  if (!environment.settings.redraws_enabled || row.method !== 'walk_in_test') return false
  const lab = await findLab(db, row.lab_id)
  if (lab === undefined || !REDRAW_LABS.has(lab.slug)) return false
  const orders = await listOrdersOfTransaction(scope, row.transaction_id)
  return !orders.some(({ origin }) => origin === 'redraw')
}

/** Returns the ordered markers to order again, whose results a final message owes. */
export function markersToRedraw(
  status: ResultMessage['status'],
  missing: readonly MissingBiomarkerResult[],
): number[] {
  if (status === 'partial') return []
  const ids = missing
    .filter(({ inferred_failure_type: type }) => OWED_BY_LAB.has(type))
    .flatMap(({ source_markers: markers }) => markers ?? [])
    .map(({ marker_id: id }) => id)
  return [...new Set(ids)].sort((a, b) => a - b)
}
