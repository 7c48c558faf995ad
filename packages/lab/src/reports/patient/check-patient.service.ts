import type { Scope, TransactionScope } from '@salus/kernel/scope'
import type { LabReport } from '@salus/lab-report-parser'
import { type KnownPatient, matchPatient } from '../../patients/index.ts'
import type { JobRow } from '../lab-reports.repository.ts'
import type { PatientMatch, ResultMetadata, ReviewReason } from '../lab-reports.schema.ts'
import type { Correction } from '../review/corrections.ts'
import { lockPatient } from './known-patients.repository.ts'
import { listKnownPatients } from './known-patients.service.ts'
import { namesOthers, readPrintedPatient } from './printed-patient.ts'

/** How a report fits the person that it was uploaded for, and what was compared. */
export interface PatientCheck {
  match: PatientMatch
  metadata: ResultMetadata
  known: KnownPatient[]
  /** Why a reviewer has to decide whose it is; empty when it may be stored. */
  reasons: ReviewReason[]
}

/** Compares the patient of a report, as corrected, with all that is known of the person now. */
export async function comparePatient(
  scope: Scope,
  { id, user_id: userId }: Pick<JobRow, 'id' | 'user_id'>,
  report: LabReport,
  corrections: readonly Correction[] = [],
): Promise<PatientCheck> {
  const known = await listKnownPatients(scope, userId, id)
  const { metadata, ...printed } = readPrintedPatient(report, corrections)
  const hasOthers = namesOthers(report, printed)
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
 * As comparePatient, of a report that is about to be stored: of two first reports of a person, read
 * at once, the second is compared with the first.
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
