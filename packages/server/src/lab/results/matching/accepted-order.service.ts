import type { Db } from '../../../platform/postgres/database.ts'
import type { Environment } from '../../../platform/scope.ts'
import type { LabReport } from '../../gateways/index.ts'
import { findOrder, type OrderRow } from '../../orders/index.ts'
import { compareDemographics } from './demographics.ts'
import { listAcceptedReports } from './matching.repository.ts'

type Found = Pick<LabReport, 'status' | 'sample_id' | 'specimen_number' | 'patient'>

/**
 * The order into which a reviewer put an earlier report of the same sample: what the laboratory says of
 * it later goes the same way, though the order may know the sample by another number, or by none.
 * Reports of another specimen of the same requisition do not; where a specimen has no number, only what
 * the laboratory calls a correction does.
 */
export async function findAcceptedOrder(
  db: Db,
  { id: environmentId }: Environment,
  labId: number,
  report: Found,
): Promise<OrderRow | undefined> {
  const { sample_id: sampleId } = report
  if (sampleId === null) return undefined
  const accepted = await listAcceptedReports(db, environmentId, labId, sampleId)
  const same = accepted.find((known) => isOfSameSpecimen(report, known.report))
  if (same === undefined || same.resolved_order_id === null) return undefined
  const order = await findOrder(db, environmentId, same.resolved_order_id)
  return order?.lab_id === labId ? order : undefined
}

function isOfSameSpecimen(report: Found, known: Found): boolean {
  const { patient, specimen_number: number } = report
  if (compareDemographics(patient, known.patient) !== 'match') return false
  if (number !== null && known.specimen_number !== null) return number === known.specimen_number
  return report.status === 'corrected'
}
