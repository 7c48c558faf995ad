import { anyOf, recordsOf } from '@salus/kernel/postgres/bulk'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { BulkOperationStatus, BulkOperationType } from './bulk.schema.ts'

interface BulkOperationsTable {
  id: string
  environment_id: string
  type: BulkOperationType
  status: BulkOperationStatus
  provider: string
  base_url: string
  started_at: Date
  ended_at: Date | null
}

type ItemStatus = 'pending' | 'done' | 'failed'

interface BulkOperationItemsTable {
  operation_id: string
  environment_id: string
  user_id: string
  status: ItemStatus
  sealed: Buffer | null
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    bulk_operations: BulkOperationsTable
    bulk_operation_items: BulkOperationItemsTable
  }
}

export type BulkOperationRow = Selectable<BulkOperationsTable>

/** Inserts an operation on users of the environment. */
export async function insertBulkOperation(
  { db, environment }: TransactionScope,
  operation: Omit<BulkOperationRow, 'environment_id' | 'status' | 'ended_at'>,
  items: readonly { user_id: string; sealed: Buffer | null }[],
): Promise<void> {
  const owner = { environment_id: environment.id }
  await db
    .insertInto('bulk_operations')
    .values({ ...operation, ...owner, status: 'in_progress', ended_at: null })
    .execute()
  if (items.length === 0) return
  const common = { ...owner, operation_id: operation.id, status: 'pending' as const }
  const rows = items.map((item) => ({ ...common, ...item }))
  const { columns, records } = recordsOf('bulk_operation_items', rows)
  await db.insertInto('bulk_operation_items').columns(columns).expression(records).execute()
}

export function findBulkOperation(
  { db, environment }: Scope,
  id: string,
): Promise<BulkOperationRow | undefined> {
  return db
    .selectFrom('bulk_operations')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Returns the pending items of an operation in a stable order. */
export function listPendingItems(
  { db, environment }: Scope,
  operationId: string,
  limit: number,
): Promise<{ user_id: string; sealed: Buffer | null }[]> {
  return db
    .selectFrom('bulk_operation_items')
    .select(['user_id', 'sealed'])
    .where('environment_id', '=', environment.id)
    .where('operation_id', '=', operationId)
    .where('status', '=', 'pending')
    .orderBy('user_id')
    .limit(limit)
    .execute()
}

/** Stores the outcome of items and deletes their sealed data. */
export async function completeItems(
  { db, environment }: TransactionScope,
  operationId: string,
  userIds: readonly string[],
  status: ItemStatus,
): Promise<void> {
  await db
    .updateTable('bulk_operation_items')
    .set({ status, sealed: null })
    .where('environment_id', '=', environment.id)
    .where('operation_id', '=', operationId)
    .where('user_id', '=', anyOf(userIds))
    .execute()
}

/** Returns users of the operation by outcome. */
export async function listItems(
  { db, environment }: Scope,
  operationId: string,
): Promise<{ user_id: string; status: ItemStatus }[]> {
  return db
    .selectFrom('bulk_operation_items')
    .select(['user_id', 'status'])
    .where('environment_id', '=', environment.id)
    .where('operation_id', '=', operationId)
    .orderBy('user_id')
    .execute()
}

/** Ends an operation in progress and deletes its sealed data. */
export async function endBulkOperation(
  { db, environment }: TransactionScope,
  id: string,
  status: BulkOperationStatus,
  at: Date,
): Promise<void> {
  await db
    .updateTable('bulk_operations')
    .set({ status, ended_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .where('status', '=', 'in_progress')
    .execute()
  await db
    .updateTable('bulk_operation_items')
    .set({ sealed: null })
    .where('environment_id', '=', environment.id)
    .where('operation_id', '=', id)
    .where('sealed', 'is not', null)
    .execute()
}

/** An operation of a list, with its progress. */
export type ListedOperation = BulkOperationRow & {
  pending: number
  done: number
  failed: number
  /** Time as PostgreSQL writes it, for cursors. */
  listed_at: string
}

/** Returns operations, newest first. */
export function listBulkOperations(
  { db, environment }: Scope,
  { limit, before }: { limit: number; before: { at: string; id: string } | undefined },
): Promise<ListedOperation[]> {
  const count = (status: ItemStatus) =>
    sql<number>`(select count(*) from bulk_operation_items as item
      where item.operation_id = bulk_operations.id and item.status = ${status})`
  let query = db
    .selectFrom('bulk_operations')
    .selectAll()
    .select([
      count('pending').as('pending'),
      count('done').as('done'),
      count('failed').as('failed'),
      sql<string>`(started_at at time zone 'UTC')::text || '+00'`.as('listed_at'),
    ])
    .where('environment_id', '=', environment.id)
  if (before !== undefined) {
    query = query.where(
      sql<boolean>`(started_at, id) < (${before.at}::timestamptz, ${before.id}::uuid)`,
    )
  }
  return query.orderBy('started_at', 'desc').orderBy('id', 'desc').limit(limit).execute()
}

/** A connection of a bulk export; its credential is read separately. */
export interface ExportedConnection {
  user_id: string
  external_user_id: string | null
  granted_scopes: string[] | null
}

/** Returns connections to a provider with a stored credential, by user. */
export function listExportableConnections(
  { db, environment }: Scope,
  filter: {
    provider: string
    userIds: readonly string[] | null
    after: string | undefined
    limit: number
  },
): Promise<ExportedConnection[]> {
  const { provider, userIds, after, limit } = filter
  let query = db
    .selectFrom('connections')
    .innerJoin('credentials', (join) =>
      join
        .onRef('credentials.environment_id', '=', 'connections.environment_id')
        .onRef('credentials.user_id', '=', 'connections.user_id')
        .onRef('credentials.name', '=', 'connections.provider'),
    )
    .select(['connections.user_id', 'connections.external_user_id', 'connections.granted_scopes'])
    .where('connections.environment_id', '=', environment.id)
    .where('connections.provider', '=', provider)
    .where('connections.status', '<>', 'deregistered')
  if (userIds !== null) query = query.where('connections.user_id', '=', anyOf(userIds))
  if (after !== undefined) query = query.where('connections.user_id', '>', after)
  return query.orderBy('connections.user_id').limit(limit).execute()
}

/** Returns those of the ids that are live users. */
export async function selectLiveUsers(
  { db, environment }: Scope,
  userIds: readonly string[],
): Promise<Set<string>> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('id', '=', anyOf(userIds))
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map(({ id }) => id))
}
