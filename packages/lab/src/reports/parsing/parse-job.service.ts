import { enterEnvironment } from '@salus/accounts/teams'
import { holdUserReference } from '@salus/accounts/users'
import { FileMissingError } from '@salus/kernel/files/file-store'
import { defineJob } from '@salus/kernel/jobs/jobs'
import { createProgressSaver } from '@salus/kernel/jobs/progress-saver'
import type { Scope, Stores } from '@salus/kernel/scope'
import type { LabReport, ParseOutcome, ParseProgress } from '@salus/lab-report-parser'
import type { LabReportParts } from '../lab-reports.parts.ts'
import type { JobRow } from '../lab-reports.repository.ts'
import * as repository from '../lab-reports.repository.ts'
import type { ReviewReason } from '../lab-reports.schema.ts'
import { checkPatient } from '../patient/check-patient.service.ts'
import { readReportFiles } from '../report-files.ts'
import { storeResults } from '../store-results.service.ts'
import { transitionJob } from '../transition-job.service.ts'

/** Payload of the queue for a job. */
export interface LabReportJob {
  environmentId: string
  jobId: string
}

export const PARSE_LAB_REPORT = defineJob<LabReportJob>('parse_lab_report')

/** After this many attempts a report has failed, because its parsing may have ended the process. */
export const MOST_ATTEMPTS = 3

type Failure = Extract<ParseOutcome, { status: 'failed' }>

const GIVEN_UP: Failure = { status: 'failed', reason: 'processing_error', detail: 'gave_up' }

/** Thrown when parsing was interrupted and is retried. */
class UnfinishedError extends Error {}

/**
 * Parses a report. An interrupted parsing starts again, and fails after the last attempt. An
 * attempt changes nothing when a later one has begun.
 */
export async function parseJob(
  stores: Stores,
  parts: LabReportParts,
  { environmentId, jobId }: LabReportJob,
  signal: AbortSignal,
): Promise<void> {
  const scope = await enterEnvironment(stores, environmentId)
  if (scope === undefined) return
  const job = await repository.beginAttempt(scope, jobId)
  // Another attempt has ended it, or it was deleted.
  if (job === undefined) return
  if (job.attempts > MOST_ATTEMPTS) return endJob(scope, job, GIVEN_UP)
  const outcome = await attempt(scope, parts, job, signal)
  if (outcome.status === 'failed' && outcome.reason === 'processing_error') {
    if (signal.aborted) {
      await repository.subtractAttempt(scope, job)
      throw new UnfinishedError('The process ends.')
    }
    if (job.attempts < MOST_ATTEMPTS) throw new UnfinishedError(outcome.detail)
    // The message is constant, without content of the report.
    scope.log.error({ jobId, detail: outcome.detail }, 'a lab report could not be read')
  }
  await endJob(scope, job, outcome)
}

async function attempt(
  scope: Scope,
  { files, secrets, labReportParser, labReportMetrics }: LabReportParts,
  job: JobRow,
  signal: AbortSignal,
): Promise<ParseOutcome> {
  const startedAt = performance.now()
  const progress = createProgressSaver<ParseProgress>(scope.log, ({ page, pages }) =>
    // The total was known when the job was made; a reader of images counts the pages as they come.
    repository.saveProgress(scope, job, {
      pages_read: page - 1,
      pages_total: Math.max(job.pages_total ?? 0, pages),
    }),
  )
  let outcome: ParseOutcome
  try {
    const contents = await readReportFiles(files, secrets, job)
    outcome = await labReportParser.parse(contents, { signal, onProgress: progress.offer })
  } catch (error) {
    const detail = error instanceof FileMissingError ? 'file_missing' : 'fault'
    if (!signal.aborted) scope.log.error({ err: error, jobId: job.id }, 'a lab report was not read')
    outcome = { status: 'failed', reason: 'processing_error', detail }
  }
  await progress.latest()
  const seconds = (performance.now() - startedAt) / 1000
  if (!signal.aborted) labReportMetrics.countOutcome(outcome, seconds)
  return outcome
}

/**
 * Stores the outcome of an attempt, unless another one has begun since. A report waits for a
 * reviewer when it may belong to another person, has unread results or doubtful values, or when a
 * review was requested.
 */
async function endJob(scope: Scope, attempted: JobRow, outcome: ParseOutcome): Promise<void> {
  await scope.transaction(async (tx) => {
    const job = await repository.lockJob(tx, attempted.id)
    if (job?.status !== 'started' || job.attempts !== attempted.attempts) return
    const user = await holdUserReference(tx, job.user_id)
    if (user === undefined || outcome.status === 'failed') {
      const { reason, detail } = failureOf(outcome)
      const failure = { failure_reason: reason, failure_detail: detail }
      await transitionJob(tx, job, 'given_up', failure)
      return
    }
    const { report } = outcome
    const { match, reasons } = await checkPatient(tx, job, report)
    const read = {
      report: toStorableJson(report),
      pages_read: job.pages_total,
      patient_match: JSON.stringify(match),
      review_reasons: [...job.review_reasons, ...reasons, ...listReadingReasons(report)],
    }
    if (read.review_reasons.length > 0) {
      await transitionJob(tx, job, 'parsed_for_review', read)
      return
    }
    const completed = await transitionJob(tx, job, 'parsed', read)
    await storeResults(tx, completed, [])
  })
}

/** Returns the reasons to review a reading: unread results, and doubtful values. */
function listReadingReasons({ unread = [], results }: LabReport): ReviewReason[] {
  const reasons: ReviewReason[] = []
  if (unread.length > 0) reasons.push('results_not_read')
  if (results.some(({ doubts }) => doubts.length > 0)) reasons.push('doubtful_values')
  return reasons
}

const failureOf = (outcome: ParseOutcome): Failure =>
  outcome.status === 'failed'
    ? outcome
    : { status: 'failed', reason: 'processing_error', detail: 'user_deleted' }

/** Removes NUL and lone surrogates, which a file may contain and PostgreSQL cannot store. */
function toStorableJson(value: unknown): string {
  return JSON.stringify(value, (_key, inner) =>
    typeof inner === 'string' ? inner.replaceAll('\0', '').toWellFormed() : inner,
  )
}
