import type { RowScope, Scope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql } from 'kysely'
import type { ResultsTable } from './results.tables.ts'

export type ResultRow = Selectable<ResultsTable>
export type NewResult = Omit<Insertable<ResultsTable>, 'environment_id'>

/** Inserts a version of an order's results, without checks and events. */
export async function insertResult({ db, environment }: Scope, result: NewResult): Promise<void> {
  await db
    .insertInto('results')
    .values({ ...result, environment_id: environment.id })
    .execute()
}

/** Returns the versions of an order's results, oldest first. */
export function listVersions({ db, environment }: Scope, orderId: string): Promise<ResultRow[]> {
  return db
    .selectFrom('results')
    .selectAll()
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
  return db
    .selectFrom('results')
    .distinctOn('order_id')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', sql<string>`any(${[...orderIds]}::uuid[])`)
    .orderBy('order_id')
    .orderBy('version', 'desc')
    .execute()
}

/** Returns the newest version of each of a person's orders that have one. */
export function listNewestOfUser(
  { db, environment }: Scope,
  userId: string,
): Promise<Pick<ResultRow, 'order_id' | 'report' | 'created_at'>[]> {
  return db
    .selectFrom('results')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'results.environment_id')
        .onRef('orders.id', '=', 'results.order_id'),
    )
    .distinctOn('results.order_id')
    .select(['results.order_id', 'results.report', 'results.created_at'])
    .where('results.environment_id', '=', environment.id)
    .where('orders.user_id', '=', userId)
    .orderBy('results.order_id')
    .orderBy('results.version', 'desc')
    .execute()
}

/** Returns the documents of a person's results, one for each version with a document. */
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

/** Deletes a version and returns the name of its file. */
export function deleteVersion(
  { db, environment }: Scope,
  orderId: string,
  version: number,
): Promise<{ pdf_file: string | null } | undefined> {
  return db
    .deleteFrom('results')
    .where('environment_id', '=', environment.id)
    .where('order_id', '=', orderId)
    .where('version', '=', version)
    .returning('pdf_file')
    .executeTakeFirst()
}

/** Returns which of the files a stored or held result names. */
export async function listNamedFiles(
  { db, environment }: RowScope,
  files: readonly string[],
): Promise<string[]> {
  const wanted = sql<string>`any(${[...files]}::text[])`
  const rows = await db
    .selectFrom('results')
    .select('pdf_file')
    .where('environment_id', '=', environment.id)
    .where('pdf_file', '=', wanted)
    .union(
      db
        .selectFrom('unmatched_results')
        .select('pdf_file')
        .where('environment_id', '=', environment.id)
        .where('pdf_file', '=', wanted),
    )
    .execute()
  return rows.flatMap(({ pdf_file: file }) => (file === null ? [] : [file]))
}

/** Returns the files of all versions of a person's results. */
export async function listResultFiles(
  { db, environment }: RowScope,
  userId: string,
): Promise<(Pick<ResultRow, 'order_id' | 'version' | 'created_at'> & { file: string })[]> {
  const rows = await db
    .selectFrom('results')
    .innerJoin('orders', (join) =>
      join
        .onRef('orders.environment_id', '=', 'results.environment_id')
        .onRef('orders.id', '=', 'results.order_id'),
    )
    .select(['results.order_id', 'results.version', 'results.created_at', 'results.pdf_file'])
    .where('results.environment_id', '=', environment.id)
    .where('orders.user_id', '=', userId)
    .orderBy('results.order_id')
    .orderBy('results.version')
    .execute()
  return rows.flatMap(({ pdf_file: file, ...row }) => (file === null ? [] : [{ ...row, file }]))
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
