import { conflict, notFoundCode } from '../../../platform/errors.ts'
import { environmentNow, type Scope, type TransactionScope } from '../../../platform/scope.ts'
import { formatInstant } from '../../../platform/time/instants.ts'
import { toEvidence } from '../evidence.presenter.ts'
import type { LabReportParts } from '../lab-reports.parts.ts'
import { toParsingJob, toReportData } from '../lab-reports.presenter.ts'
import { type JobRow, lockJob } from '../lab-reports.repository.ts'
import {
  getJobRow,
  listParsingJobs,
  readFileOfJob,
  type UploadedFile,
} from '../show-jobs.service.ts'
import { storeResults } from '../store-results.service.ts'
import { transitionJob } from '../transition-job.service.ts'
import type { ReportCorrections, ReportReview, ReportReviewQuery } from './review.schema.ts'
import * as repository from './reviews.repository.ts'

/** Reports that wait for a reviewer, newest first. @throws AppError 400 `invalid_cursor` */
export async function listReviews(scope: Scope, query: ReportReviewQuery) {
  const { jobs, next_cursor } = await listParsingJobs(scope, {
    status: 'pending_review',
    ...query,
  })
  return { data: jobs, next_cursor }
}

/** @throws AppError 404 `job_not_found`, also for a job that nobody is to review */
export async function getReviewedRow(scope: Scope, id: string): Promise<JobRow> {
  const row = await getJobRow(scope, id)
  const isForReview = row.needs_human_review || row.status === 'pending_review' || row.is_reviewed
  if (!isForReview) throw notFoundCode('job_not_found')
  return row
}

/** What the machine read, what it read it from, and what reviewers made of it. @throws AppError 404 */
export async function showReview(scope: Scope, id: string): Promise<ReportReview> {
  const row = await getReviewedRow(scope, id)
  const [corrections, review] = await Promise.all([
    repository.listCorrections(scope, id),
    repository.findReview(scope, id),
  ])
  const { report, files, sealed_file_key: key } = row
  return {
    job: toParsingJob(row, corrections),
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
    reviewer_id: review?.reviewer_id ?? null,
    decided_at: review === undefined ? null : formatInstant(review.decided_at),
  }
}

/** A file of a report as it was uploaded. @throws AppError 404 `job_not_found`, `file_not_found` */
export async function readUploadedFile(
  scope: Scope,
  parts: Pick<LabReportParts, 'files' | 'secrets'>,
  id: string,
  number: number,
): Promise<UploadedFile> {
  return readFileOfJob(parts, await getReviewedRow(scope, id), number)
}

/**
 * Completes a report that was reviewed; what was corrected is kept beside what the machine read.
 * @throws AppError 404 `job_not_found`; 409 `job_not_pending_review`; 422 for a result that is not there
 */
export async function approveReport(
  scope: Scope,
  id: string,
  reviewerId: string,
  { note = null, ...asked }: ReportCorrections,
): Promise<ReportReview> {
  // Loaded with the first review: it brings the words of all languages.
  const { listChanges } = await import('./list-corrections.ts')
  await scope.transaction(async (tx) => {
    const job = await lockPending(tx, id)
    const corrections = job.report === null ? [] : listChanges(job.report, asked)
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
    await repository.insertReview(tx, { ...review, decision: 'approved' })
    const completed = await transitionJob(tx, job, 'approved', { is_reviewed: true })
    await storeResults(tx, completed, corrections)
  })
  return showReview(scope, id)
}

/** @throws AppError 404 `job_not_found`; 409 `job_not_pending_review` */
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
  throw conflict('job_not_pending_review', 'The report does not wait for a reviewer.')
}

const toJson = (value: unknown): string | null =>
  value === null || value === undefined ? null : JSON.stringify(value)
