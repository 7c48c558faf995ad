import { anyOfIds } from '@salus/kernel/postgres/bulk'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Selectable, sql, type Updateable } from 'kysely'
import type { NewOrderEvent } from './order-events.repository.ts'
import type { OrderTransactionStatus } from './orders.schema.ts'
import { ORDER_COLUMNS, type OrdersTable, type OrderTransactionsTable } from './orders.tables.ts'

export type OrderRow = Selectable<OrdersTable>
export type NewOrder = Omit<OrderRow, 'environment_id'>
export type OrderChanges = Omit<Updateable<OrdersTable>, 'environment_id' | 'id'>
export type OrderTransactionRow = Selectable<OrderTransactionsTable>

/** An order as a member of its transaction. */
export type TransactionMember = Pick<
  OrderRow,
  | 'id'
  | 'transaction_id'
  | 'origin'
  | 'parent_id'
  | 'last_status'
  | 'last_status_at'
  | 'is_hidden'
  | 'created_at'
  | 'updated_at'
>

const MEMBER_COLUMNS = [
  'id',
  'transaction_id',
  'origin',
  'parent_id',
  'last_status',
  'last_status_at',
  'is_hidden',
  'created_at',
  'updated_at',
] as const

/** Returns an order of any person, including a deleted one, for whom no events are emitted. */
export function findOrder({ db, environment }: Scope, id: string): Promise<OrderRow | undefined> {
  return prepared(db)
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Returns the order of any person, locked until the transaction ends. Its order transaction is
 * locked first, so that changes of its orders are serialized without deadlocks.
 */
export function lockOrder(
  { db, environment }: TransactionScope,
  id: string,
): Promise<OrderRow | undefined> {
  const locked = db
    .selectFrom('order_transactions')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('id', '=', (select) =>
      select
        .selectFrom('orders')
        .select('transaction_id')
        .where('environment_id', '=', environment.id)
        .where('id', '=', id),
    )
    .forUpdate()
  // Locks of a subquery are taken before rows are joined to it, and so before the order's lock.
  return prepared(db)
    .selectFrom(locked.as('locked'))
    .innerJoin('orders', 'orders.transaction_id', 'locked.id')
    .select(ORDER_COLUMNS.map((column) => `orders.${column}` as const))
    .where('orders.environment_id', '=', environment.id)
    .where('orders.id', '=', id)
    .forUpdate('orders')
    .executeTakeFirst()
}

/**
 * Returns the order of a sample of a laboratory, because sample ids are unique per laboratory only.
 */
export function findOrderBySampleId(
  { db, environment }: Scope,
  labId: number,
  sampleId: string,
): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('lab_id', '=', labId)
    .where('sample_id', '=', sampleId)
    .executeTakeFirst()
}

/** Returns kits by their printed number, which several laboratories may use, newest first. */
export function listKits({ db, environment }: Scope, sampleId: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('sample_id', '=', sampleId)
    .where('is_unregistered_kit', '=', true)
    .where('is_hidden', '=', false)
    .orderBy('created_at', 'desc')
    .execute()
}

const changing = ({ db, environment }: Scope, id: string, changes: OrderChanges) =>
  prepared(db)
    .updateTable('orders')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)

/**
 * Changes columns of an order and returns the new row.
 * @throws when the environment does not have the order
 */
export function updateOrder(
  tx: TransactionScope,
  id: string,
  changes: OrderChanges,
): Promise<OrderRow> {
  return changing(tx, id, changes).returning(ORDER_COLUMNS).executeTakeFirstOrThrow()
}

/** Changes columns of an order as updateOrder does, and reads nothing. */
export async function changeOrder(
  tx: TransactionScope,
  id: string,
  changes: OrderChanges,
): Promise<void> {
  await changing(tx, id, changes).execute()
}

/**
 * Changes columns of an order that was not dispatched, and has the status and the failure with
 * which it was read. Returns whether it had them.
 */
export async function changeUndispatchedOrder(
  scope: Scope,
  { id, last_status, dispatch_failed_at }: OrderRow,
  changes: OrderChanges,
): Promise<boolean> {
  const { numUpdatedRows } = await changing(scope, id, changes)
    .where('last_status', '=', last_status)
    .where('dispatched_at', 'is', null)
    .where('dispatch_failed_at', 'is not distinct from', dispatch_failed_at)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Returns rows by id, unsorted, including those of deleted people. */
export function listOrderRows(
  { db, environment }: Scope,
  ids: readonly string[],
): Promise<OrderRow[]> {
  return prepared(db)
    .selectFrom('orders')
    .select(ORDER_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('id', '=', anyOfIds(ids))
    .execute()
}

/** Returns all orders of a person, newest first. */
export function listOrdersOfUser({ db, environment }: Scope, userId: string): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy('id')
    .execute()
}

/** Returns the complete rows of a transaction's orders, oldest first. */
export function listOrdersOfTransaction(
  { db, environment }: Scope,
  transactionId: string,
): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('transaction_id', '=', transactionId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Returns the order that replaces the given one; an index allows at most one. */
export function findReplacement(
  { db, environment }: Scope,
  parentId: string,
): Promise<{ id: string } | undefined> {
  return db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('parent_id', '=', parentId)
    .where('origin', '=', 'recreation')
    .executeTakeFirst()
}

/** Sets the status of a transaction, which is derived from its orders. */
export async function updateTransaction(
  { db, environment }: TransactionScope,
  id: string,
  status: OrderTransactionStatus,
  at: Date,
): Promise<void> {
  await prepared(db)
    .updateTable('order_transactions')
    .set({ status, updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Returns order transactions by id, unsorted; unknown ids are left out. */
export function listTransactions(
  { db, environment }: Scope,
  ids: readonly string[],
): Promise<OrderTransactionRow[]> {
  return db
    .selectFrom('order_transactions')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** Returns the orders of transactions as members, oldest first, including hidden ones. */
export function listTransactionMembers(
  { db, environment }: Scope,
  transactionIds: readonly string[],
): Promise<TransactionMember[]> {
  return prepared(db)
    .selectFrom('orders')
    .select(MEMBER_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('transaction_id', '=', anyOfIds(transactionIds))
    .orderBy('created_at')
    .orderBy('id')
    .execute()
}

/** Appends events to an order, in this order, and changes it with them. */
export function recordOrderEvents(
  { db, environment }: TransactionScope,
  id: string,
  events: readonly NewOrderEvent[],
  changes: OrderChanges,
): Promise<OrderRow> {
  const rows = events.map((event) => ({ ...event, environment_id: environment.id }))
  return prepared(db)
    .with('recorded', (query) => query.insertInto('order_events').values(rows))
    .updateTable('orders')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returning(ORDER_COLUMNS)
    .executeTakeFirstOrThrow()
}

/**
 * Returns the ids of orders last changed within a range, ends included, in order of that change.
 */
export async function listUpdatedOrderIds(
  { db, environment }: Scope,
  range: { from: Date; to: Date; limit: number },
): Promise<string[]> {
  const rows = await db
    .selectFrom('orders')
    .select('id')
    .where('environment_id', '=', environment.id)
    .where('is_hidden', '=', false)
    .where('updated_at', '>=', range.from)
    .where('updated_at', '<=', range.to)
    .orderBy('updated_at')
    .orderBy('id')
    .limit(range.limit)
    .execute()
  return rows.map(({ id }) => id)
}
