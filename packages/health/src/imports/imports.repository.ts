import type { RowScope, Scope } from '@salus/kernel/scope'
import { type ColumnType, type Selectable, sql, type Updateable } from 'kysely'
import type { ImportOptions, ImportQuestion } from './import-options.ts'
import type { ImportJob, ImportProgress } from './imports.schema.ts'

interface ImportJobsTable {
  environment_id: string
  user_id: string
  id: string
  /** Null until the format was recognized. */
  source: string | null
  provider: string | null
  status: ImportJob['status']
  options: ColumnType<ImportOptions, string, string>
  questions: ColumnType<ImportQuestion[], string | undefined, string>
  attempts: ColumnType<number, number | undefined, unknown>
  file_bytes: number
  progress: ColumnType<ImportProgress, string, string>
  error: ColumnType<{ error_type: string; error_message: string } | null, null, string | null>
  created_at: Date
  started_at: Date | null
  finished_at: Date | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    import_jobs: ImportJobsTable
  }
}

export type ImportJobRow = Selectable<ImportJobsTable>

/** Queues an import with empty progress. */
export async function insertImportJob(
  { db, environment }: Scope,
  job: Pick<ImportJobRow, 'user_id' | 'id' | 'source' | 'file_bytes' | 'created_at' | 'options'>,
  progress: ImportProgress,
): Promise<ImportJobRow> {
  return db
    .insertInto('import_jobs')
    .values({
      ...job,
      options: JSON.stringify(job.options),
      environment_id: environment.id,
      provider: null,
      status: 'queued',
      progress: JSON.stringify(progress),
      error: null,
      started_at: null,
      finished_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Returns ids of a user's imports whose files still exist. */
export async function listUnfinishedImports(
  { db, environment }: RowScope,
  userId: string,
): Promise<string[]> {
  const rows = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('status', 'in', ['queued', 'running', 'needs_options'])
    .execute()
  return rows.map(({ id }) => id)
}

export function findImportJob(
  { db, environment }: Scope,
  userId: string,
  jobId: string,
): Promise<ImportJobRow | undefined> {
  return db
    .selectFrom('import_jobs')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', jobId)
    .executeTakeFirst()
}

/** Returns jobs newest first, before the given position. */
export function listImportJobs(
  { db, environment }: Scope,
  userId: string,
  before: { createdAt: string; id: string } | null,
  limit: number,
): Promise<(ImportJobRow & { position: string })[]> {
  let query = db
    .selectFrom('import_jobs')
    .selectAll()
    .select(sql<string>`created_at::text`.as('position'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
  if (before !== null) {
    query = query.where(
      sql<boolean>`(created_at, id) < (${before.createdAt}::timestamptz, ${before.id}::uuid)`,
    )
  }
  return query.orderBy('created_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** Marks a job as running and counts the attempt. Returns undefined when it is gone or finished. */
export function startImportJob(
  { db, environment }: RowScope,
  jobId: string,
  at: Date,
): Promise<ImportJobRow | undefined> {
  return db
    .updateTable('import_jobs')
    .set({ status: 'running', started_at: at, attempts: sql`attempts + 1` })
    .where('environment_id', '=', environment.id)
    .where('id', '=', jobId)
    .where('status', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()
}

/** Merges the options of a job that waits for them, and queues it; undefined for any other job. */
export function answerImportJob(
  { db, environment }: RowScope,
  userId: string,
  jobId: string,
  options: ImportOptions,
): Promise<ImportJobRow | undefined> {
  return db
    .updateTable('import_jobs')
    .set({
      status: 'queued',
      questions: '[]',
      options: sql`options || ${JSON.stringify(options)}::jsonb`,
    })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', jobId)
    .where('status', '=', 'needs_options')
    .returningAll()
    .executeTakeFirst()
}

/** Whether a job waits for options, and needs its file. */
export async function isWaitingImport(
  { db, environment }: RowScope,
  jobId: string,
): Promise<boolean> {
  const row = await db
    .selectFrom('import_jobs')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('id', '=', jobId)
    .where('status', '=', 'needs_options')
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Returns the time of the newest imported export of a user and format; null where none had a time.
 */
export async function findNewestExport(
  { db, environment }: Scope,
  userId: string,
  format: string,
): Promise<Date | null> {
  const row = await db
    .selectFrom('import_jobs')
    .select(sql<Date | null>`max((progress->>'exported_at')::timestamptz)`.as('newest'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('source', '=', format)
    .where('status', '=', 'completed')
    .executeTakeFirst()
  return row?.newest ?? null
}

export async function updateImportJob(
  { db, environment }: RowScope,
  jobId: string,
  change: Updateable<ImportJobsTable>,
): Promise<void> {
  await db
    .updateTable('import_jobs')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', jobId)
    .execute()
}
