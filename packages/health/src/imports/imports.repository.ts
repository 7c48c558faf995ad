import type { RowScope, Scope } from '@salus/kernel/scope'
import { type ColumnType, type Selectable, sql, type Updateable } from 'kysely'
import type { ImportProgress } from './imports.schema.ts'

interface ImportJobsTable {
  environment_id: string
  user_id: string
  id: string
  source: string
  status: 'queued' | 'running' | 'completed' | 'failed'
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
  job: Pick<ImportJobRow, 'user_id' | 'id' | 'source' | 'file_bytes' | 'created_at'>,
  progress: ImportProgress,
): Promise<ImportJobRow> {
  return db
    .insertInto('import_jobs')
    .values({
      ...job,
      environment_id: environment.id,
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
    .where('status', 'in', ['queued', 'running'])
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

/** Returns the time of the newest imported export of a user; null where none had a time. */
export async function findNewestExport(
  { db, environment }: Scope,
  userId: string,
): Promise<Date | null> {
  const row = await db
    .selectFrom('import_jobs')
    .select(sql<Date | null>`max((progress->>'exported_at')::timestamptz)`.as('newest'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
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
