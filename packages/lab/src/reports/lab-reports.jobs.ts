import { inEnvironment } from '@salus/accounts/teams'
import type { FileStore } from '@salus/kernel/files/file-store'
import { addJob, defineJob, handleJob, type JobDefinitions } from '@salus/kernel/jobs/jobs'
import { type RowScope, rowScope, type Stores } from '@salus/kernel/scope'
import { listJobsWithFilesDue } from './lab-reports.global.repository.ts'
import type { LabReportParts } from './lab-reports.parts.ts'
import {
  deleteOldReports,
  listFilesOfUser,
  type OldReports,
  updateJob,
} from './lab-reports.repository.ts'
import { type LabReportJob, PARSE_LAB_REPORT, parseJob } from './parsing/parse-job.service.ts'
import { STAGE_LAB_REPORT, stageJob } from './parsing/stage-job.service.ts'
import { LAB_REPORT_FILES, removeReportFiles } from './report-files.ts'

/** Deletes the files of deleted parsing jobs. */
const REMOVE_REPORT_FILES = defineJob<{ jobs: { id: string; files: unknown[] }[] }>(
  'remove_lab_report_files',
)

/** Jobs that stage uploads, and delete files after their retention. */
export function labReportJobs(stores: Stores, parts: LabReportParts): JobDefinitions {
  return {
    handlers: {
      ...handleJob(
        STAGE_LAB_REPORT,
        inEnvironment(stores, (scope, { jobId }: LabReportJob, attempt) =>
          stageJob(scope, parts, jobId, attempt),
        ),
      ),
      ...handleJob(REMOVE_REPORT_FILES, async ({ jobs }) => {
        for (const job of jobs) await removeReportFiles(parts.files, job)
      }),
      remove_old_lab_report_files: (_payload, signal) =>
        removeOldReportFiles(stores, parts.files, signal),
    },
    schedule: '17 * * * * remove_old_lab_report_files',
  }
}

/** The job that parses lab reports, with separate workers: as many as the parser has processes. */
export function labReportParsingJobs(stores: Stores, parts: LabReportParts): JobDefinitions {
  return {
    handlers: handleJob(PARSE_LAB_REPORT, (job, signal) => parseJob(stores, parts, job, signal)),
    schedule: '',
  }
}

const REMOVED_AT_ONCE = 200

/**
 * Deletes files after their retention; the readings stay. It can be repeated after an interruption.
 */
export async function removeOldReportFiles(
  { db, clock, log }: Stores,
  files: FileStore,
  signal: AbortSignal,
): Promise<void> {
  let removed = 0
  for (;;) {
    const jobs = await listJobsWithFilesDue(db, clock.now(), REMOVED_AT_ONCE)
    for (const job of jobs) {
      if (signal.aborted) return
      await removeReportFiles(files, job)
      await updateJob(rowScope(db, job.environment_id), job.id, { sealed_file_key: null })
    }
    removed += jobs.length
    if (jobs.length < REMOVED_AT_ONCE) break
  }
  await files.removeLeftovers(LAB_REPORT_FILES)
  if (removed > 0) log.info({ jobs: removed }, 'removed files of old lab reports')
}

/** Deletes the files of a person's lab reports; the jobs are deleted with the person. */
export async function eraseLabReports(
  scope: RowScope,
  files: FileStore,
  userId: string,
): Promise<void> {
  for (const job of await listFilesOfUser(scope, userId)) await removeReportFiles(files, job)
}

/**
 * Deletes some finished jobs after the team's retention, with readings, reviews and corrections, in
 * the open transaction. A job of that transaction deletes their files.
 * @returns the deleted jobs
 */
export async function removeOldReports(
  tx: RowScope,
  old: OldReports,
  limit: number,
): Promise<{ id: string; userId: string }[]> {
  const gone = await deleteOldReports(tx, old, limit)
  if (gone.length === 0) return []
  const jobs = gone.map(({ id, files }) => ({ id, files }))
  await addJob(tx.db, REMOVE_REPORT_FILES, { jobs })
  return gone.map(({ id, user_id: userId }) => ({ id, userId }))
}
