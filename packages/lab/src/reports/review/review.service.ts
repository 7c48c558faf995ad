import { conflict, notFoundCode } from '@salus/kernel/errors'
import { environmentNow, type Scope, type TransactionScope } from '@salus/kernel/scope'
import { formatInstant } from '@salus/kernel/time/instants'
import { toEvidence } from '../evidence.presenter.ts'
import type { LabReportParts } from '../lab-reports.parts.ts'
import { toParsingJob, toReportData } from '../lab-reports.presenter.ts'
import { type JobRow, lockJob } from '../lab-reports.repository.ts'
import type { PatientMatch } from '../lab-reports.schema.ts'
import {
  checkPatient,
  comparePatient,
  type PatientCheck,
} from '../patient/check-patient.service.ts'
import { isPerhapsOfAnother } from '../patient/of-another.ts'
import {
  getJobRow,
  listParsingJobs,
  readFileOfJob,
  type UploadedFile,
} from '../show-jobs.service.ts'
import { storeResults } from '../store-results.service.ts'
import { transitionJob } from '../transition-job.service.ts'
import type { Correction } from './corrections.ts'
import type { ReportCorrections, ReportReview, ReportReviewQuery } from './review.schema.ts'
import * as repository from './reviews.repository.ts'

/**
 * Returns the reports that wait for a reviewer, newest first.
 * @throws AppError 400 `invalid_cursor`
 */
export async function listReviews(scope: Scope, query: ReportReviewQuery) {
  const { jobs, next_cursor } = await listParsingJobs(scope, {
    status: 'pending_review',
    ...query,
  })
  return { data: jobs, next_cursor }
}

/**
 * Returns the row of a job with a review.
 * @throws AppError 404 `job_not_found`, also for a job without a review
 */
export async function getReviewedRow(scope: Scope, id: string): Promise<JobRow> {
  const row = await getJobRow(scope, id)
  if (row.review_reasons.length === 0) throw notFoundCode('job_not_found')
  return row
}

/** Returns the reading, its evidence, and the corrections of reviewers. @throws AppError 404 */
export async function showReview(scope: Scope, id: string): Promise<ReportReview> {
  const row = await getReviewedRow(scope, id)
  const [corrections, review] = await Promise.all([
    repository.listCorrections(scope, id),
    repository.findReview(scope, id),
  ])
  const { report, files, sealed_file_key: key } = row
  const isOpen = row.status === 'pending_review' && report !== null
  return {
    job: toParsingJob(row, corrections),
    patient_comparison: isOpen ? toComparison(await comparePatient(scope, row, report)) : null,
    reading: report && toReportData(report),
    evidence: report && toEvidence(id, report),
    files: key === null ? [] : files.map((file, index) => ({ number: index + 1, ...file })),
    corrections: corrections.map((each) => ({
      position: each.position,
      field: each.field,
      old_value: each.old_value,
      new_value: each.new_value,
      reviewer_id: each.reviewer_id,
      corrected_at: formatInstant(each.corrected_at),
    })),
    decision: review?.decision ?? null,
    note: review?.note ?? null,
    patient_confirmed: review?.is_patient_confirmed ?? null,
    reviewer_id: review?.reviewer_id ?? null,
    decided_at: review === undefined ? null : formatInstant(review.decided_at),
  }
}

/** Returns an uploaded file of a report. @throws AppError 404 `job_not_found`, `file_not_found` */
export async function readUploadedFile(
  scope: Scope,
  parts: Pick<LabReportParts, 'files' | 'secrets'>,
  id: string,
  number: number,
): Promise<UploadedFile> {
  return readFileOfJob(parts, await getReviewedRow(scope, id), number)
}

/**
 * Completes a reviewed report and stores the corrections beside the reading. When the corrected
 * patient does not match the person, the reviewer must confirm the person.
 * @throws AppError 404 `job_not_found`; 409 `job_not_pending_review`, `patient_not_confirmed`; 422
 *   for an unknown result
 */
export async function approveReport(
  scope: Scope,
  id: string,
  reviewerId: string,
  { note = null, patient_confirmed: isConfirmed = false, ...asked }: ReportCorrections,
): Promise<ReportReview> {
  // Loaded with the first review, because it loads the words of all languages.
  const { listChanges } = await import('./list-corrections.ts')
  await scope.transaction(async (tx) => {
    const job = await lockPending(tx, id)
    const corrections = job.report === null ? [] : listChanges(job.report, asked)
    const match = await requirePatient(tx, job, corrections, isConfirmed)
    const at = environmentNow(tx)
    await repository.insertCorrections(
      tx,
      corrections.map(({ old_value, new_value, ...each }) => ({
        ...each,
        old_value: toJson(old_value),
        new_value: toJson(new_value),
        job_id: id,
        reviewer_id: reviewerId,
        corrected_at: at,
      })),
    )
    const review = { job_id: id, reviewer_id: reviewerId, note, decided_at: at }
    await repository.insertReview(tx, {
      ...review,
      decision: 'approved',
      is_patient_confirmed: isConfirmed,
    })
    const completed = await transitionJob(tx, job, 'approved', {
      is_reviewed: true,
      patient_match: match && JSON.stringify(match),
    })
    await storeResults(tx, completed, corrections)
  })
  return showReview(scope, id)
}

/**
 * Returns the current comparison with the person, with the reviewer's confirmation.
 * @throws AppError 409 `patient_not_confirmed`
 */
async function requirePatient(
  tx: TransactionScope,
  job: JobRow,
  corrections: readonly Correction[],
  isConfirmed: boolean,
): Promise<PatientMatch | null> {
  if (job.report === null) return null
  const { match, reasons } = await checkPatient(tx, job, job.report, corrections)
  // Removing the printed name is not a confirmation.
  const isOpen = isPerhapsOfAnother(job) && match.status !== 'match'
  if ((reasons.length > 0 || isOpen) && !isConfirmed) {
    const message =
      'Confirm with patient_confirmed that the report belongs to this person, or reject it.'
    throw conflict('patient_not_confirmed', message)
  }
  return { ...match, is_confirmed: isConfirmed }
}

/** Returns the data that a reviewer compares; a birth date is shown as printed, and as known. */
function toComparison({
  match,
  metadata,
  known,
}: PatientCheck): ReportReview['patient_comparison'] {
  return {
    match,
    printed: {
      first_name: metadata.patient_first_name,
      last_name: metadata.patient_last_name,
      dob: metadata.dob,
      sex: metadata.gender,
    },
    known: known.map(({ source, first_name, last_name, days, sex }) => ({
      source,
      first_name,
      last_name,
      dob: days.length === 1 ? (days[0] ?? null) : null,
      sex,
    })),
  }
}

/** Rejects a report. @throws AppError 404 `job_not_found`; 409 `job_not_pending_review` */
export async function rejectReport(
  scope: Scope,
  id: string,
  reviewerId: string,
  note: string | null,
): Promise<ReportReview> {
  await scope.transaction(async (tx) => {
    const job = await lockPending(tx, id)
    const review = { job_id: id, reviewer_id: reviewerId, note, decided_at: environmentNow(tx) }
    await repository.insertReview(tx, { ...review, decision: 'rejected' })
    const failure = { failure_reason: 'processing_error' as const, failure_detail: 'rejected' }
    await transitionJob(tx, job, 'rejected', { is_reviewed: true, ...failure })
  })
  return showReview(scope, id)
}

async function lockPending(tx: TransactionScope, id: string): Promise<JobRow> {
  await getReviewedRow(tx, id)
  const job = await lockJob(tx, id)
  if (job === undefined) throw notFoundCode('job_not_found')
  if (job.status === 'pending_review') return job
  throw conflict('job_not_pending_review', 'The report is not pending review.')
}

const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
