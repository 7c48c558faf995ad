import type { Position } from '@salus/accounts/teams'
import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type ColumnType, type Selectable, sql } from 'kysely'
import type { ErasureCause, ErasureStatus } from './erasure.schema.ts'

/** Data of a user at the beginning of their erasure. */
export interface FoundOfPerson {
  /** Numbers of rows by table. */
  rows: Record<string, number>
  /** Numbers of files by kind. */
  files: Record<string, number>
}

interface ErasuresTable {
  environment_id: string
  user_id: string
  id: string
  cause: ErasureCause
  status: ErasureStatus
  requested_at: Date
  due_at: Date
  found: ColumnType<FoundOfPerson | null, string | null, string | null>
  started_at: Date | null
  completed_at: Date | null
  receipt: string | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    erasures: ErasuresTable
  }
}

export type ErasureRow = Selectable<ErasuresTable>

/** Stores an erasure; an existing one of the user does not change. */
export async function insertErasure(
  { db, environment }: RowScope,
  erasure: Pick<ErasureRow, 'id' | 'user_id' | 'cause' | 'requested_at' | 'due_at'>,
): Promise<void> {
  const fresh = { status: 'scheduled' as const, found: null, started_at: null }
  await db
    .insertInto('erasures')
    .values({
      ...erasure,
      ...fresh,
      environment_id: environment.id,
      completed_at: null,
      receipt: null,
    })
    .onConflict((conflict) => conflict.columns(['environment_id', 'user_id']).doNothing())
    .execute()
}

export function findErasureOfPerson(
  { db, environment }: RowScope,
  userId: string,
): Promise<ErasureRow | undefined> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export function findErasure(
  { db, environment }: RowScope,
  id: string,
): Promise<ErasureRow | undefined> {
  return db
    .selectFrom('erasures')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns erasures, the newest first. */
export async function listErasures(
  { db, environment }: Scope,
  after: Position | undefined,
  limit: number,
): Promise<(ErasureRow & { created_at: Date })[]> {
  let query = db
    .selectFrom('erasures')
    .selectAll()
    .select('requested_at as created_at')
    .where('environment_id', '=', environment.id)
    .orderBy('requested_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(date_trunc('milliseconds', requested_at), id) < (${after.createdAt}, ${after.id})`,
    )
  }
  return query.execute()
}

/** Keeps the first numbers: an interrupted erasure finds less data when it resumes. */
export async function startErasure(
  { db, environment }: RowScope,
  userId: string,
  found: FoundOfPerson,
  at: Date,
): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ status: 'running', started_at: at, found: JSON.stringify(found) })
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('started_at', 'is', null)
    .execute()
}

export async function completeErasure(
  { db, environment }: RowScope | TransactionScope,
  id: string,
  receipt: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('erasures')
    .set({ status: 'completed', completed_at: at, receipt })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/**
 * Returns the time at which a user was deleted, and locks the user until the transaction ends;
 * undefined where there is none, or the user is not deleted.
 */
export async function findDeletion(
  { db, environment }: RowScope,
  userId: string,
): Promise<Date | undefined> {
  const row = await db
    .selectFrom('users')
    .select('deleted_at')
    .where('environment_id', '=', environment.id)
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst()
  return row?.deleted_at ?? undefined
}

/** Counts the files of a user by their kind in the file store; kinds without files are left out. */
export async function countFiles(
  { db, environment }: RowScope,
  userId: string,
): Promise<Record<string, number>> {
  const theirs = sql`environment_id = ${environment.id} and user_id = ${userId}`
  const orders = sql`(select id from orders where ${theirs})`
  const { rows } = await sql<{ kind: string; files: number }>`
    select 'lab_results' as kind, (
      (select count(distinct name) from results, unnest(pdf_file || document_files) as name
        where environment_id = ${environment.id} and order_id in ${orders})
      + (select count(name) from unmatched_results, unnest(pdf_file || document_files) as name
        where environment_id = ${environment.id} and (resolved_user_id = ${userId} or (lab_id, report ->> 'sample_id')
          in (select lab_id, sample_id from orders where ${theirs})))
    )::int as files
    union all select 'lab_reports', (select coalesce(sum(jsonb_array_length(files)), 0)
      from lab_report_jobs where ${theirs} and sealed_file_key is not null)::int
    union all select 'imports', ((select count(*) from import_jobs
        where ${theirs} and status not in ('completed', 'failed'))
      + (select count(*) from import_uploads where ${theirs}))::int
    union all select 'exports', (select count(*) from person_exports
      where ${theirs} and status = 'completed')::int`.execute(db)
  const there = rows.filter(({ files }) => files > 0)
  return Object.fromEntries(there.map(({ kind, files }) => [kind, files]))
}
