import type { FailureType, LabReport } from '@salus/contracts/lab-gateway'
import type { Scope } from '@salus/kernel/scope'
import { findLab } from '../../catalog/index.ts'
import { listOrdersOfTransaction, type OrderRow } from '../../orders/index.ts'
import type { MissingBiomarkerResult } from '../results.schema.ts'

const REDRAW_LABS = new Set(['labcorp', 'quest', 'bioreference'])

/**
 * Reasons for which a laboratory that drew the sample itself owes another draw
 * (docs/contract/11-orders.md#redraws). Not the patient's condition, what was ordered wrong, nor
 * inputs of calculations.
 */
const OWED_BY_LAB = new Set<FailureType>([
  'internal_lab_failure',
  'quantity_not_sufficient_failure',
  'insufficient_volume',
  'collection_process_failure',
  'drop_off_failure',
  // Not returned, and not a word why
  'unknown_failure',
])

/**
 * Whether results that the laboratory owes lead to a redraw of the order: a walk-in test of a
 * laboratory that does so, of a team that wants it, once a transaction.
 */
export async function mayRedraw(scope: Scope, row: OrderRow): Promise<boolean> {
  const { db, environment } = scope
  if (!environment.settings.redraws_enabled || row.method !== 'walk_in_test') return false
  const lab = await findLab(db, row.lab_id)
  if (lab === undefined || !REDRAW_LABS.has(lab.slug)) return false
  const orders = await listOrdersOfTransaction(scope, row.transaction_id)
  return !orders.some(({ origin }) => origin === 'redraw')
}

/** Ordered markers of which a final report owes results, to be asked for again. */
export function markersToRedraw(
  report: Pick<LabReport, 'status'>,
  missing: readonly MissingBiomarkerResult[],
): number[] {
  if (report.status === 'partial') return []
  const ids = missing
    .filter(({ inferred_failure_type: type }) => OWED_BY_LAB.has(type))
    .flatMap(({ source_markers: markers }) => markers ?? [])
    .map(({ marker_id: id }) => id)
  return [...new Set(ids)].sort((a, b) => a - b)
}
