import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { LabReport } from '@salus/lab-report-parser'
import { type KnownPatient, matchPatient } from '../../patients/index.ts'
import type { JobRow } from '../lab-reports.repository.ts'
import type { PatientMatch, ResultMetadata, ReviewReason } from '../lab-reports.schema.ts'
import type { Correction } from '../review/corrections.ts'
import { lockPatient } from './known-patients.repository.ts'
import { listKnownPatients } from './known-patients.service.ts'
import { namesOtherPatients, readPrintedPatient } from './printed-patient.ts'

/** The comparison of a report's patient with the person for whom it was uploaded. */
export interface PatientCheck {
  match: PatientMatch
  metadata: ResultMetadata
  known: KnownPatient[]
  /** Reasons for which a reviewer has to decide; empty when the report may be stored. */
  reasons: ReviewReason[]
}

/** Compares the corrected patient of a report with all data of the person. */
export async function comparePatient(
  scope: Scope,
  { id, user_id: userId }: Pick<JobRow, 'id' | 'user_id'>,
  report: LabReport,
  corrections: readonly Correction[] = [],
): Promise<PatientCheck> {
  const known = await listKnownPatients(scope, userId, id)
  const { metadata, ...printed } = readPrintedPatient(report, corrections)
  const hasOthers = namesOtherPatients(report, printed)
  const match = {
    ...matchPatient(printed, known),
    has_other_patients: hasOthers,
    is_confirmed: false,
  }
  const reasons: ReviewReason[] = []
  if (match.status === 'mismatch') reasons.push('patient_mismatch')
  if (match.status === 'uncertain') reasons.push('patient_uncertain')
  if (hasOthers) reasons.push('several_patients')
  return { match, metadata, known, reasons }
}

/**
 * Compares the patient of a report before it is stored. A lock makes concurrent first reports of a
 * person be compared with each other.
 */
export async function checkPatient(
  tx: TransactionScope,
  job: Pick<JobRow, 'id' | 'user_id'>,
  report: LabReport,
  corrections: readonly Correction[] = [],
): Promise<PatientCheck> {
  await lockPatient(tx, job.user_id)
  return comparePatient(tx, job, report, corrections)
}
