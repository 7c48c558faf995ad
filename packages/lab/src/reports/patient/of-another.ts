import type { JobStatus, ReviewReason } from '../lab-reports.schema.ts'

/**
 * Whether a report may be of another person than the one it was uploaded for, because a reviewer
 * has not decided yet, or has rejected it. Nothing that is shown or handed out as the person's has
 * it.
 */
export const isPerhapsOfAnother = (job: {
  status: JobStatus
  review_reasons: readonly ReviewReason[]
}): boolean =>
  job.status !== 'completed' && job.review_reasons.some((reason) => OF_PATIENT.has(reason))

const OF_PATIENT: ReadonlySet<ReviewReason> = new Set([
  'patient_mismatch',
  'patient_uncertain',
  'several_patients',
])
