import { anyOfIds } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { RowScope, Scope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql } from 'kysely'
import { RESULT_COLUMNS, type ResultsTable, type StoredDocument } from './results.tables.ts'

export type ResultRow = Selectable<ResultsTable>
export type NewResult = Omit<Insertable<ResultsTable>, 'environment_id'>

/** Inserts a version of an order's results, without checks and events. */
export async function insertResult({ db, environment }: Scope, result: NewResult): Promise<void> {
  await prepared(db)
    .insertInto('results')
    .values({ ...result, environment_id: environment.id })
    .execute()
}

/** Returns the versions of an order's results, oldest first. */
export function listVersions({ db, environment }: Scope, orderId: string): Promise<ResultRow[]> {
  return prepared(db)
    .selectFrom('results')
    .select(RESULT_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .orderBy('version')
    .execute()
}

/** Returns one version of an order's results. */
export function findVersion(
  { db, environment }: Scope,
  orderId: string,
  version: number,
): Promise<ResultRow | undefined> {
  return db
    .selectFrom('results')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('version', '=', version)
    .executeTakeFirst()
}

/** Returns the id of the last event of an order. */
export async function findLastEventId(
  { db, environment }: Scope,
  orderId: string,
): Promise<number | undefined> {
  const row = await db
    .selectFrom('order_events')
    .select((select) => select.fn.max('id').as('id'))
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .executeTakeFirst()
  return row?.id
}

/** Returns the newest version of each of the orders that have one. */
export function listNewestVersions(
  { db, environment }: Scope,
  orderIds: readonly string[],
): Promise<ResultRow[]> {
  return prepared(db)
    .selectFrom('results')
    .distinctOn('order_id')
    .select(RESULT_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', anyOfIds(orderIds))
    .orderBy('order_id')
    .orderBy('version', 'desc')
    .execute()
}

/** Returns the newest version of each of a person's orders that have one. */
export function listNewestOfUser(
  { db, environment }: Scope,
  userId: string,
): Promise<
  Pick<ResultRow, 'order_id' | 'version' | 'status' | 'report' | 'pdf_file' | 'created_at'>[]
> {
  return db
    .selectFrom('results')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'results.environment_id')
        .onRef('orders.id', '=', 'results.order_id'),
    )
    .distinctOn('results.order_id')
    .select([
      ...(['results.order_id', 'results.version', 'results.status', 'results.report'] as const),
      ...(['results.pdf_file', 'results.created_at'] as const),
    ])
    .where('results.environment_id', '=', environment.id)
    .where('orders.user_id', '=', userId)
    .orderBy('results.order_id')
    .orderBy('results.version', 'desc')
    .execute()
}

/** Returns the PDFs of a person's results, one for each version with one. */
export function listDocumentsOfUser(
  { db, environment }: Scope,
  userId: string,
): Promise<Pick<ResultRow, 'order_id' | 'version' | 'status' | 'created_at'>[]> {
  return db
    .selectFrom('results')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'results.environment_id')
        .onRef('orders.id', '=', 'results.order_id'),
    )
    .select(['results.order_id', 'results.version', 'results.status', 'results.created_at'])
    .where('results.environment_id', '=', environment.id)
    .where('orders.user_id', '=', userId)
    .where('results.pdf_file', 'is not', null)
    .execute()
}

/** Columns with names of files. */
export type FileColumns = Pick<ResultRow, 'pdf_file' | 'document_files'>

/** Returns the names of the files of rows, each once. */
export const namesOfFiles = (rows: readonly FileColumns[]): string[] => [
  ...new Set(rows.flatMap(({ pdf_file: pdf, document_files: files }) => [pdf ?? [], files].flat())),
]

/** Deletes a version and returns the names of its files. */
export function deleteVersion(
  { db, environment }: Scope,
  orderId: string,
  version: number,
): Promise<FileColumns | undefined> {
  return db
    .deleteFrom('results')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('version', '=', version)
    .returning(['pdf_file', 'document_files'])
    .executeTakeFirst()
}

/** Returns which of the files a stored or held result names. */
export async function listNamedFiles(
  { db, environment }: RowScope,
  files: readonly string[],
): Promise<string[]> {
  const wanted = sql`${[...files]}::text[]`
  const isNamed = sql`environment_id = ${environment.id}::uuid
    and (pdf_file = any(${wanted}) or document_files && ${wanted})`
  const { rows } = await sql<FileColumns>`
    select pdf_file, document_files from results where ${isNamed}
    union all select pdf_file, document_files from unmatched_results where ${isNamed}`.execute(db)
  return namesOfFiles(rows).filter((name) => files.includes(name))
}

/** A file of a version of results. */
export type ResultFile = Pick<ResultRow, 'order_id' | 'version' | 'created_at'> & {
  file: string
  /** Whether it is the PDF of the version. */
  isReport: boolean
  /** What it is; null for the PDF of the version. */
  document: StoredDocument | null
}

/** Returns the files of all versions of a person's results, each once. */
export async function listResultFiles(
  { db, environment }: RowScope,
  userId: string,
): Promise<ResultFile[]> {
  const rows = await db
    .selectFrom('results')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'results.environment_id')
        .onRef('orders.id', '=', 'results.order_id'),
    )
    .select([
      ...(['results.order_id', 'results.version', 'results.created_at'] as const),
      ...(['results.pdf_file', 'results.document_files'] as const),
      sql<StoredDocument[]>`coalesce(received, report) -> 'documents'`.as('documents'),
    ])
    .where('results.environment_id', '=', environment.id)
    .where('orders.user_id', '=', userId)
    .orderBy('results.order_id')
    .orderBy('results.version')
    .execute()
  const seen = new Set<string>()
  return rows.flatMap(({ pdf_file: pdf, document_files: names, documents, ...row }) => {
    const all = pdf === null ? names : [pdf, ...names]
    return all
      .filter((file) => !seen.has(file) && seen.add(file))
      .map((file) => ({
        ...row,
        file,
        isReport: file === pdf,
        document: file === pdf ? null : (documents?.[names.indexOf(file)] ?? null),
      }))
  })
}

/** Returns the first final version of the results of each order of a person. */
export async function listFirstFinalVersions(
  { db, environment }: RowScope,
  userId: string,
): Promise<{ order_id: string; version: number }[]> {
  const { rows } = await sql<{ order_id: string; version: number }>`
    select order_id, min(version) as version from results
    where environment_id = ${environment.id}::uuid and status = 'final' and order_id in
      (select id from orders where environment_id = ${environment.id}::uuid and user_id = ${userId}::uuid)
    group by order_id`.execute(db)
  return rows
}
