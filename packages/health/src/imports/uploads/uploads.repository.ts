import type { RowScope, Scope, TransactionScope } from '@salus/kernel/scope'
import { type ColumnType, type Selectable, sql } from 'kysely'

interface ImportUploadsTable {
  environment_id: string
  user_id: string
  id: string
  bytes: number
  metadata: string | null
  created_at: Date
  expires_at: Date
  writer: ColumnType<string | null, null, string | null>
  writer_until: ColumnType<Date | null, null, Date | null>
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    import_uploads: ImportUploadsTable
  }
}

export type UploadRow = Selectable<ImportUploadsTable>

export function insertUpload(
  { db, environment }: Scope,
  upload: Pick<UploadRow, 'user_id' | 'id' | 'bytes' | 'metadata' | 'created_at' | 'expires_at'>,
): Promise<UploadRow> {
  return db
    .insertInto('import_uploads')
    .values({ ...upload, environment_id: environment.id, writer: null, writer_until: null })
    .returningAll()
    .executeTakeFirstOrThrow()
}

const selectUpload = ({ db, environment }: Scope, userId: string, id: string) =>
  db
    .selectFrom('import_uploads')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('id', '=', id)

export function findUpload(
  scope: Scope,
  userId: string,
  id: string,
): Promise<UploadRow | undefined> {
  return selectUpload(scope, userId, id).executeTakeFirst()
}

/** Returns an upload that no other transaction changes until this one ends. */
export function lockUpload(
  tx: TransactionScope,
  userId: string,
  id: string,
): Promise<UploadRow | undefined> {
  return selectUpload(tx, userId, id).forUpdate().executeTakeFirst()
}

/** Returns ids and lengths of the uploads of a user. */
export function listUploads(
  { db, environment }: RowScope,
  userId: string,
): Promise<Pick<UploadRow, 'id' | 'bytes'>[]> {
  return db
    .selectFrom('import_uploads')
    .select(['id', 'bytes'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .execute()
}

/** Returns the number of uploads of a user that are open at a time. */
export async function countUploads(
  { db, environment }: Scope,
  userId: string,
  now: Date,
): Promise<number> {
  const { count } = await db
    .selectFrom('import_uploads')
    .select(({ fn }) => fn.countAll<string>().as('count'))
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Makes `writer` the only writer until then; false while there is another. */
export async function acquireUpload(
  { db, environment }: Scope,
  id: string,
  writer: string,
  { now, until }: { now: Date; until: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import_uploads')
    .set({ writer, writer_until: until })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where((is) => is.or([is('writer', 'is', null), is('writer_until', '<=', now)]))
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

/**
 * Extends the time of the writer, or ends it with null, and that of the upload.
 * @returns false when another writer has the upload, or it no longer exists
 */
export async function renewUpload(
  { db, environment }: Scope,
  id: string,
  writer: string,
  { until, expiresAt }: { until: Date | null; expiresAt: Date },
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('import_uploads')
    .set({ writer: until && writer, writer_until: until, expires_at: expiresAt })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('writer', '=', writer)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export async function deleteUpload({ db, environment }: Scope, id: string): Promise<void> {
  await db
    .deleteFrom('import_uploads')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Whether a file belongs to an upload, or to the import that took it. */
export async function isKnownFile({ db, environment }: Scope, id: string): Promise<boolean> {
  const { rows } = await sql<{ known: boolean }>`select
    exists (select from import_uploads where environment_id = ${environment.id} and id = ${id})
    or exists (select from import_jobs where environment_id = ${environment.id} and id = ${id})
    as known`.execute(db)
  return rows[0]?.known === true
}
