import type { Scope, TransactionScope } from '@salus/kernel/scope'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { NewOrderEvent } from './order-events.repository.ts'
import type { OrderTransactionStatus } from './orders.schema.ts'
import type { OrdersTable, OrderTransactionsTable } from './orders.tables.ts'

export type OrderRow = Selectable<OrdersTable>
export type NewOrder = Omit<Insertable<OrdersTable>, 'environment_id'>
export type OrderChanges = Omit<Updateable<OrdersTable>, 'environment_id' | 'id'>
export type OrderTransactionRow = Selectable<OrderTransactionsTable>

/** An order as its transaction lists it. */
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

/**
 * Inserts the order, or returns undefined when its laboratory knows another one by the sample id.
 */
export function insertOrder(
  { db, environment }: TransactionScope,
  order: NewOrder,
): Promise<OrderRow | undefined> {
  return db
    .insertInto('orders')
    .values({ ...order, environment_id: environment.id })
    .onConflict((conflict) =>
      conflict.columns(['lab_id', 'sample_id']).where('sample_id', 'is not', null).doNothing(),
    )
    .returningAll()
    .executeTakeFirst()
}

/** An order of whomever: also of a person who was deleted, about which nothing is emitted. */
export function findOrder({ db, environment }: Scope, id: string): Promise<OrderRow | undefined> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * The order, of whomever, locked until the transaction ends. Its order transaction is locked before
 * it, so that all changes of orders that belong together stand in one line and cannot wait for each
 * other.
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
  // What a subquery locks it locks before rows are joined to it, and so before the order.
  return db
    .selectFrom(locked.as('locked'))
    .innerJoin('orders', 'orders.transaction_id', 'locked.id')
    .selectAll('orders')
    .where('orders.environment_id', '=', environment.id)
    .where('orders.id', '=', id)
    .forUpdate('orders')
    .executeTakeFirst()
}

/**
 * The order of a sample; laboratories know samples by numbers of their own, so they go together.
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

/** Kits by the number printed on them; laboratories may use the same one. Newest first. */
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

/**
 * Changes columns of an order and returns its row after it.
 * @throws when the environment has no such order
 */
export async function updateOrder(
  { db, environment }: TransactionScope,
  id: string,
  changes: OrderChanges,
): Promise<OrderRow> {
  return db
    .updateTable('orders')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Rows of ids, in no order; also of deleted people. */
export function listOrderRows(
  { db, environment }: Scope,
  ids: readonly string[],
): Promise<OrderRow[]> {
  return db
    .selectFrom('orders')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('id', '=', sql<string>`any(${ids}::uuid[])`)
    .execute()
}

/** All orders of a person, the newest first. */
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

/** Whole orders of a transaction, oldest first. */
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

/** Orders that replace the given one; at most one (an index sees to it). */
export function findRecreation(
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

/** Begins an order transaction, active, for orders that are about to be inserted with its id. */
export async function insertTransaction(
  { db, environment }: TransactionScope,
  id: string,
  at: Date,
): Promise<void> {
  const values = { environment_id: environment.id, id, status: 'active' as const }
  await db
    .insertInto('order_transactions')
    .values({ ...values, created_at: at, updated_at: at })
    .execute()
}

/** Sets the status that the orders of a transaction have together. */
export async function updateTransaction(
  { db, environment }: TransactionScope,
  id: string,
  status: OrderTransactionStatus,
  at: Date,
): Promise<void> {
  await db
    .updateTable('order_transactions')
    .set({ status, updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .execute()
}

/** Order transactions of these ids, in no order; unknown ids are left out. */
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

/** What transactions tell of their orders, oldest first; also of those that are shown to nobody. */
export function listTransactionMembers(
  { db, environment }: Scope,
  transactionIds: readonly string[],
): Promise<TransactionMember[]> {
  return db
    .selectFrom('orders')
    .select(MEMBER_COLUMNS)
    .where('environment_id', '=', environment.id)
    .where('transaction_id', '=', sql<string>`any(${transactionIds}::uuid[])`)
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
  return db
    .with('recorded', (query) => query.insertInto('order_events').values(rows))
    .updateTable('orders')
    .set(changes)
    .where('environment_id', '=', environment.id)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Orders last changed within a range, ends included, in order of that change. */
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
