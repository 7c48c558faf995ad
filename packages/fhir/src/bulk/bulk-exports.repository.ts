import type { RowScope, TransactionScope } from '@salus/kernel/scope'
import type { ColumnType, Generated, Selectable, Updateable } from 'kysely'

/** A file of an export, with the number of its resources. */
export interface ExportedFile {
  type: string
  name: string
  count: number
}

interface FhirExportsTable {
  environment_id: string
  id: string
  status: 'queued' | 'running' | 'completed' | 'failed'
  types: string[]
  since: Date | null
  request_url: string
  types_written: Generated<number>
  files: ColumnType<ExportedFile[], string | undefined, string>
  sealed_file_key: Buffer | null
  created_at: Date
  completed_at: Date | null
  expires_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    fhir_exports: FhirExportsTable
  }
}

export type BulkExportRow = Selectable<FhirExportsTable>

type NewExport = Pick<
  BulkExportRow,
  'id' | 'types' | 'since' | 'request_url' | 'created_at' | 'expires_at'
>

/** @returns undefined while another export of the environment is being made */
export async function insertBulkExport(
  { db, environment }: TransactionScope,
  made: NewExport,
): Promise<string | undefined> {
  const row = await db
    .insertInto('fhir_exports')
    .values({
      ...made,
      environment_id: environment.id,
      status: 'queued',
      sealed_file_key: null,
      completed_at: null,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst()
  return row?.id
}

/** Returns the export of the environment that is being made. */
export function findRunningExport({
  db,
  environment,
}: RowScope): Promise<BulkExportRow | undefined> {
  return db
    .selectFrom('fhir_exports')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('status', 'in', ['queued', 'running'])
    .executeTakeFirst()
}

/** Returns an export that has not expired. */
export function findBulkExport(
  { db, environment }: RowScope,
  id: string,
  now: Date,
): Promise<BulkExportRow | undefined> {
  return db
    .selectFrom('fhir_exports')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()
}

/** Starts an export, or restarts it; undefined when it no longer exists or has ended. */
export function startBulkExport(
  { db, environment }: RowScope,
  id: string,
): Promise<BulkExportRow | undefined> {
  return db
    .updateTable('fhir_exports')
    .set({ status: 'running', types_written: 0, files: '[]' })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', 'in', ['queued', 'running'])
    .returningAll()
    .executeTakeFirst()
}

/** @returns false when it was removed meanwhile */
export async function updateBulkExport(
  { db, environment }: RowScope,
  id: string,
  change: Updateable<FhirExportsTable>,
): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('fhir_exports')
    .set(change)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', '=', 'running')
    .executeTakeFirst()
  return numUpdatedRows > 0
}

/** Deletes an export, and returns the types of which it may have files. */
export async function deleteBulkExport(
  { db, environment }: RowScope,
  id: string,
): Promise<string[] | undefined> {
  const row = await db
    .deleteFrom('fhir_exports')
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returning('types')
    .executeTakeFirst()
  return row?.types
}

/** Returns the ids of all exports of an environment. */
export async function listBulkExportIds({ db, environment }: RowScope): Promise<string[]> {
  const rows = await db
    .selectFrom('fhir_exports')
    .select('id')
    .where('environment_id', '=', environment.id)
    .execute()
  return rows.map(({ id }) => id)
}
