import type { TaskReasons } from '@salus/accounts/tasks'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { JobRow } from './lab-reports.repository.ts'
import type { JobStatus } from './lab-reports.schema.ts'
import { OF_PATIENT } from './patient/of-another.ts'
import { REPORT_TASKS } from './transition-job.service.ts'

/** SQL condition: files under a legal hold stay until it is released. */
const isOfNobodyHeld = sql<boolean>`not exists (
  select from legal_holds
  where legal_holds.environment_id = lab_report_jobs.environment_id
    and legal_holds.user_id = lab_report_jobs.user_id and released_at is null
)`

/** Returns jobs of all environments whose files have passed their retention, oldest first. */
export function listJobsWithFilesDue(
  db: Db,
  at: Date,
  limit: number,
): Promise<Pick<JobRow, 'environment_id' | 'id' | 'files'>[]> {
  return db
    .selectFrom('lab_report_jobs')
    .select(['environment_id', 'id', 'files'])
    .where('sealed_file_key', 'is not', null)
    .where('delete_files_at', '<=', at)
    .where(isOfNobodyHeld)
    .orderBy('delete_files_at')
    .limit(limit)
    .execute()
}

/** Returns the number of unfinished jobs of all environments by status. */
export async function countUnfinishedJobs(db: Db): Promise<{ status: JobStatus; jobs: number }[]> {
  return db
    .selectFrom('lab_report_jobs')
    .select(['status', ({ fn }) => fn.countAll<number>().as('jobs')])
    .where('status', 'in', ['upload_pending', 'started', 'pending_review'])
    .groupBy('status')
    .execute()
}

/** Reports that wait for a reviewer. */
export const REPORT_REASONS: TaskReasons = {
  kinds: REPORT_TASKS,
  list: () => sql`select environment_id, id as focus_id, 'lab_report' as focus_type, user_id,
      updated_at as since, case when review_reasons && ${[...OF_PATIENT]}::text[]
        then 'patient_mismatch' else 'lab_report_review' end as kind
    from lab_report_jobs where status = 'pending_review'`,
}
