import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { JobStatus } from './lab-reports.schema.ts'
import type { LabReportJobsTable, LabReportResultsTable } from './lab-reports.tables.ts'

export type JobRow = Selectable<LabReportJobsTable>
export type NewResult = Omit<Insertable<LabReportResultsTable>, 'environment_id' | 'job_id'>

export function insertJob(
  { db, environment }: TransactionScope,
  job: Omit<Insertable<LabReportJobsTable>, 'environment_id'>,
): Promise<JobRow> {
  return db
    .insertInto('lab_report_jobs')
    .values({ ...job, environment_id: environment.id })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Selects jobs of people who are not deleted. */
function selectShown({ db, environment }: RowScope) {
  return db
    .selectFrom('lab_report_jobs as job')
    .where('job.environment_id', '=', environment.id)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('users')
          .select('users.id')
          .whereRef('users.environment_id', '=', 'job.environment_id')
          .whereRef('users.id', '=', 'job.user_id')
          .where('users.deleted_at', 'is', null),
      ),
    )
}

/** Returns a job of a person who is not deleted. */
export function findJob(scope: Scope, id: string): Promise<JobRow | undefined> {
  return selectShown(scope).selectAll('job').where('job.id', '=', id).executeTakeFirst()
}

/** Returns a job of any person, locked until the transaction ends. */
export function lockJob(
  { db, environment }: TransactionScope,
  id: string,
): Promise<JobRow | undefined> {
  return db
    .selectFrom('lab_report_jobs')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
}

export interface JobFilter {
  userId?: string | undefined
  status?: JobStatus | undefined
}

/** All columns but the reading, which may be long. */
const LISTED = [
  'environment_id',
  'id',
  'user_id',
  'status',
  'failure_reason',
  'needs_human_review',
  'is_reviewed',
  'review_reasons',
  'patient_match',
  'pages_read',
  'pages_total',
  'files',
  'sealed_file_key',
  'created_at',
  'updated_at',
] as const satisfies readonly (keyof JobRow)[]
export type ListedJobRow = Pick<JobRow, (typeof LISTED)[number]>

/** Returns jobs after the given position, newest first. */
export function listJobs(
  scope: Scope,
  { userId, status }: JobFilter,
  page: { after: { createdAt: string; id: string } | null; limit: number },
): Promise<(ListedJobRow & { position: string })[]> {
  let query = selectShown(scope)
    .select(LISTED.map((column) => `job.${column}` as const))
    .select(sql<string>`job.created_at::text`.as('position'))
  if (userId !== undefined) query = query.where('job.user_id', '=', userId)
  if (status !== undefined) query = query.where('job.status', '=', status)
  if (page.after !== null) {
    const { createdAt, id } = page.after
    query = query.where(
      sql<boolean>`(job.created_at, job.id) < (${createdAt}::timestamptz, ${id}::uuid)`,
    )
  }
  return query
    .orderBy('job.created_at', 'desc')
    .orderBy('job.id', 'desc')
    .limit(page.limit)
    .execute()
}

/** Counts the jobs that wait for a reviewer. */
export async function countJobsToReview(scope: Scope): Promise<number> {
  const { total } = await selectShown(scope)
    .select((select) => select.fn.countAll<number>().as('total'))
    .where('job.status', '=', 'pending_review')
    .executeTakeFirstOrThrow()
  return total
}

export function updateJob(
  { db, environment }: RowScope,
  id: string,
  changes: Updateable<LabReportJobsTable>,
): Promise<JobRow | undefined> {
  return db
    .updateTable('lab_report_jobs')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()
}

/** Begins and counts an attempt at a started job. Returns undefined for a job in another status. */
export function beginAttempt(
  { db, environment }: RowScope,
  id: string,
): Promise<JobRow | undefined> {
  return db
    .updateTable('lab_report_jobs')
    .set({ attempts: sql`attempts + 1` })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', '=', 'started')
    .returningAll()
    .executeTakeFirst()
}

/** Subtracts an attempt that ended because the process was stopped. */
export async function subtractAttempt({ db, environment }: RowScope, job: JobRow): Promise<void> {
  await db
    .updateTable('lab_report_jobs')
    .set({ attempts: job.attempts - 1 })
    .where('environment_id', '=', environment.id)
    .where('id', '=', job.id)
    .where('attempts', '=', job.attempts)
    .execute()
}

export async function saveProgress(
  { db, environment }: RowScope,
  { id, attempts }: JobRow,
  progress: Pick<JobRow, 'pages_read' | 'pages_total'>,
): Promise<void> {
  await db
    .updateTable('lab_report_jobs')
    .set(progress)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('attempts', '=', attempts)
    .where('status', '=', 'started')
    .execute()
}

/** Deletes a job with its reading. */
export async function deleteJob({ db, environment }: RowScope, id: string): Promise<void> {
  await db
    .deleteFrom('lab_report_jobs')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Finished jobs created before a time, without those of people under a legal hold. */
export interface OldReports {
  cutoff: Date
  held: readonly string[]
}

const isOld = ({ environment }: RowScope, { cutoff, held }: OldReports) =>
  sql<boolean>`(environment_id = ${environment.id} and created_at < ${cutoff}
    and status in ('completed', 'failed') and user_id <> all(${held}::uuid[]))`

/** Deletes some of them with all dependent rows. */
export function deleteOldReports(
  scope: RowScope,
  old: OldReports,
  limit: number,
): Promise<Pick<JobRow, 'id' | 'user_id' | 'files'>[]> {
  const { db, environment } = scope
  return db
    .deleteFrom('lab_report_jobs')
    .where('environment_id', '=', environment.id)
    .where('id', 'in', (select) =>
      select.selectFrom('lab_report_jobs').select('id').where(isOld(scope, old)).limit(limit),
    )
    .returning(['id', 'user_id', 'files'])
    .execute()
}

/** Returns the number of such jobs, and of their people. */
export function countOldReports(
  scope: RowScope,
  old: OldReports,
): Promise<{ rows: number; people: number }> {
  return scope.db
    .selectFrom('lab_report_jobs')
    .select(({ fn }) => [
      fn.countAll<number>().as('rows'),
      sql<number>`count(distinct user_id)`.as('people'),
    ])
    .where(isOld(scope, old))
    .executeTakeFirstOrThrow()
}

/** Blocks the creation of jobs in the environment until the transaction ends. */
export async function lockJobCreation({ db, environment }: TransactionScope): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${environment.id}, 3))`.execute(db)
}

/** Returns the number of jobs that have not failed. */
export async function countJobs({ db, environment }: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('lab_report_jobs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('environment_id', '=', environment.id)
    .where('status', '<>', 'failed')
    .executeTakeFirstOrThrow()
  return total
}

/** Returns the number of jobs that wait for the parser or are being parsed. */
export async function countStarted({ db, environment }: Scope): Promise<number> {
  const { total } = await db
    .selectFrom('lab_report_jobs')
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .where('environment_id', '=', environment.id)
    .where('status', '=', 'started')
    .executeTakeFirstOrThrow()
  return total
}

export async function insertResults(
  { db, environment }: TransactionScope,
  jobId: string,
  results: readonly NewResult[],
): Promise<void> {
  if (results.length === 0) return
  const rows = results.map((result) => ({
    ...result,
    environment_id: environment.id,
    job_id: jobId,
  }))
  await db.insertInto('lab_report_results').values(rows).execute()
}

/** Returns the uploaded files of a person. The files of a job without a key are deleted. */
export function listFilesOfUser(
  { db, environment }: RowScope,
  userId: string,
): Promise<
  Pick<JobRow, 'id' | 'files' | 'sealed_file_key' | 'created_at' | 'status' | 'review_reasons'>[]
> {
  return db
    .selectFrom('lab_report_jobs')
    .select(['id', 'files', 'sealed_file_key', 'created_at', 'status', 'review_reasons'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .execute()
}

export type ReportResultRow = Selectable<LabReportResultsTable> & { created_at: Date }

/** Returns the results of a person's completed lab reports. */
export function listResultsOfUser(
  { db, environment }: Scope,
  userId: string,
): Promise<ReportResultRow[]> {
  return db
    .selectFrom('lab_report_results as result')
    .innerJoin('lab_report_jobs as job', (join) =>
      join
        .onRef('job.environment_id', '=', 'result.environment_id')
        .onRef('job.id', '=', 'result.job_id'),
    )
    .selectAll('result')
    .select('job.created_at')
    .where('result.environment_id', '=', environment.id)
    .where('result.user_id', '=', userId)
    .where('job.status', '=', 'completed')
    .execute()
}
