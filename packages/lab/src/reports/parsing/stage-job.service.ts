import { holdUserReference } from '@salus/accounts/users'
import { isStoreTrouble } from '@salus/kernel/errors'
import { addJob, defineJob, type JobAttempt } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import type { LabReportParts } from '../lab-reports.parts.ts'
import * as repository from '../lab-reports.repository.ts'
import { readReportFiles } from '../report-files.ts'
import { transitionJob } from '../transition-job.service.ts'
import { type LabReportJob, PARSE_LAB_REPORT } from './parse-job.service.ts'

/** Retries for an hour and a half, with growing pauses. */
export const STAGE_LAB_REPORT = defineJob<LabReportJob>('stage_lab_report', { maxAttempts: 8 })

/**
 * Checks that the files of an upload can be read back, and adds the parsing job. Unreadable files
 * fail the job; storage that does not answer is retried.
 */
export async function stageJob(
  scope: Scope,
  parts: Pick<LabReportParts, 'files' | 'secrets'>,
  jobId: string,
  { isLast }: JobAttempt,
): Promise<void> {
  const found = await repository.findJob(scope, jobId)
  const isReadable = found !== undefined && (await canRead(scope, parts, found, isLast))
  await scope.transaction(async (tx) => {
    const job = await repository.lockJob(tx, jobId)
    if (job?.status !== 'upload_pending') return
    const user = await holdUserReference(tx, job.user_id)
    if (user === undefined || !isReadable) {
      const detail = user === undefined ? 'user_deleted' : 'file_missing'
      const failure = { failure_reason: 'processing_error' as const, failure_detail: detail }
      await transitionJob(tx, job, 'staging_failed', failure)
      return
    }
    // Later reports of a team have a lower priority than the first ones of other teams.
    const priority = await repository.countStarted(tx)
    const payload = { environmentId: tx.environment.id, jobId }
    await transitionJob(tx, job, 'staged')
    await addJob(tx.db, PARSE_LAB_REPORT, payload, { priority })
  })
}

/**
 * Returns whether the files can be read.
 * @throws Error when the storage does not answer, so that the job is retried
 */
async function canRead(
  scope: Scope,
  { files, secrets }: Pick<LabReportParts, 'files' | 'secrets'>,
  job: repository.JobRow,
  isLast: boolean,
): Promise<boolean> {
  try {
    await readReportFiles(files, secrets, job)
    return true
  } catch (error) {
    if (isStoreTrouble(error) && !isLast) throw error
    scope.log.error({ err: error, jobId: job.id }, 'files of a lab report cannot be read')
    return false
  }
}
