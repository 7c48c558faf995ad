import type { JobStatus, ReviewReason } from '../lab-reports.schema.ts'

/**
 * Returns whether a report may belong to another person than the one for whom it was uploaded,
 * because no reviewer has decided yet or it was rejected. Such a report is left out of all data of
 * the person.
 */
export const isPerhapsOfAnother = (job: {
  status: JobStatus
  review_reasons: readonly ReviewReason[]
}): boolean =>
  job.status !== 'completed' && job.review_reasons.some((reason) => OF_PATIENT.has(reason))

export const OF_PATIENT: ReadonlySet<ReviewReason> = new Set([
  'patient_mismatch',
  'patient_uncertain',
  'several_patients',
])
