import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type Generated, type Selectable, sql, type Updateable } from 'kysely'
import type { ExportFormat, ExportStatus } from './exports.schema.ts'

interface PersonExportsTable {
  environment_id: string
  user_id: string
  id: string
  format: ExportFormat
  status: ExportStatus
  attempts: Generated<number>
  rows_total: Generated<number>
  rows_written: Generated<number>
  file_bytes: number | null
  file_sha256: string | null
  sealed_file_key: Buffer | null
  link_hash: Buffer | null
  link_expires_at: Date | null
  created_at: Date
  completed_at: Date | null
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    person_exports: PersonExportsTable
  }
}

export type ExportRow = Selectable<PersonExportsTable>

const UNFINISHED = ['queued', 'running'] as const

/** @returns undefined while another export of the user is being made */
export function insertExport(
  { db, environment }: TransactionScope,
  made: Pick<ExportRow, 'id' | 'user_id' | 'format' | 'created_at' | 'expires_at'>,
): Promise<ExportRow | undefined> {
  const empty = { file_bytes: null, file_sha256: null, sealed_file_key: null, link_hash: null }
  return db
    .insertInto('person_exports')
    .values({
      ...made,
      ...empty,
      environment_id: environment.id,
      status: 'queued',
      link_expires_at: null,
      completed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst()
}

/**
 * Returns the newest exports first. Those that have expired are left out, also while they wait to
 * be removed.
 */
export function listExports(
  { db, environment }: RowScope,
  userId: string,
  now: Date,
): Promise<ExportRow[]> {
  return db
    .selectFrom('person_exports')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

export function findExport(
  { db, environment }: Pick<Scope, 'db' | 'environment'>,
  userId: string,
  id: string,
  now: Date,
): Promise<ExportRow | undefined> {
  return db
    .selectFrom('person_exports')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Starts an export, or restarts it; undefined when it no longer exists or is completed. */
export function startExport(
  { db, environment }: RowScope,
  id: string,
): Promise<ExportRow | undefined> {
  return db
    .updateTable('person_exports')
    .set({ status: 'running', attempts: sql<number>`attempts + 1`, rows_written: 0 })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', 'in', UNFINISHED)
    .returningAll()
    .executeTakeFirst()
}

/** @returns false when it no longer exists or is completed */
export async function updateRunningExport(
  { db, environment }: RowScope,
  id: string,
  change: Updateable<PersonExportsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('person_exports')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0
}

export async function setLink(
  { db, environment }: RowScope,
  id: string,
  link: { hash: Buffer; expiresAt: Date },
): Promise<void> {
  await db
    .updateTable('person_exports')
    .set({ link_hash: link.hash, link_expires_at: link.expiresAt })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

export async function deleteExport({ db, environment }: RowScope, id: string): Promise<void> {
  await db
    .deleteFrom('person_exports')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}
