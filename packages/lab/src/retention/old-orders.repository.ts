import { TERMINAL } from '@salus/contracts/order-lifecycle'
import type { RowScope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import { type FileColumns, namesOfFiles } from '../results/index.ts'
import type { OldRecords } from './old-records.ts'

/** Statuses of reviews without a decision. */
export const OPEN_REVIEWS = ['pending_customer_review', 'pending_ops_review']

/**
 * SQL condition for an order transaction `t` whose orders have all ended and not changed since the
 * cutoff, have no person under a legal hold, and have no pending appointment, message or review.
 */
function isOld({ environment }: RowScope, { cutoff, held }: OldRecords): RawBuilder<boolean> {
  const open = sql`from unmatched_results u where u.environment_id = ${environment.id}
    and u.status = any(${OPEN_REVIEWS}::text[])`
  return sql<boolean>`(t.environment_id = ${environment.id} and not exists (
    select from orders o where o.environment_id = t.environment_id and o.transaction_id = t.id and (
      o.last_status <> all(${[...TERMINAL]}::text[])
      or o.updated_at >= ${cutoff}
      or o.user_id = any(${held}::uuid[])
      or exists (select from appointments a where a.environment_id = o.environment_id
        and a.order_id = o.id and greatest(a.updated_at, a.end_at) >= ${cutoff})
      or exists (select from lab_messages m where m.environment_id = o.environment_id
        and m.order_id = o.id and m.state in ('waiting', 'failed'))
      or (o.lab_id, o.sample_id) in (select u.lab_id, u.report ->> 'sample_id' ${open})
      or o.id::text in (select u.report ->> 'named_order_id' ${open})
    )
  ))`
}

/** Returns the number of old orders, and of their people. */
export async function countOldOrders(
  scope: RowScope,
  old: OldRecords,
): Promise<{ rows: number; people: number }> {
  const { rows } = await sql<{ rows: number; people: number }>`
    select count(*)::int as rows, count(distinct o.user_id)::int as people
    from order_transactions t
    join orders o on o.environment_id = t.environment_id and o.transaction_id = t.id
    where ${isOld(scope, old)}`.execute(scope.db)
  return rows[0] ?? { rows: 0, people: 0 }
}

/** Returns some old order transactions, locked in the same way as for changes of their orders. */
export async function lockOldTransactions(
  scope: RowScope,
  old: OldRecords,
  limit: number,
): Promise<string[]> {
  const found = await sql<{ id: string }>`select t.id from order_transactions t
    where ${isOld(scope, old)} order by t.id limit ${limit}`.execute(scope.db)
  const ids = found.rows.map(({ id }) => id)
  await sql`select id from order_transactions where environment_id = ${scope.environment.id}
    and id = any(${ids}::uuid[]) order by id for update`.execute(scope.db)
  // A change before the lock may have made a transaction recent.
  const { rows } = await sql<{ id: string }>`select t.id from order_transactions t
    where ${isOld(scope, old)} and t.id = any(${ids}::uuid[])`.execute(scope.db)
  return rows.map(({ id }) => id)
}

export async function listOrdersOf(
  { db, environment }: RowScope,
  transactionIds: readonly string[],
): Promise<{ id: string; user_id: string }[]> {
  const { rows } = await sql<{ id: string; user_id: string }>`select id, user_id from orders
    where environment_id = ${environment.id}
      and transaction_id = any(${transactionIds}::uuid[])`.execute(db)
  return rows
}

export async function listAppointmentsOf(
  { db, environment }: RowScope,
  orderIds: readonly string[],
): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`select id from appointments
    where environment_id = ${environment.id} and order_id = any(${orderIds}::uuid[])`.execute(db)
  return rows.map(({ id }) => id)
}

/**
 * Deletes the reviews that assigned results to these orders, the reviews of their samples without
 * an order, and the messages of both.
 * @returns names of the files of results and reviews, which are not deleted yet
 */
export async function deleteReviewsAndMessages(
  { db, environment }: RowScope,
  orderIds: readonly string[],
): Promise<{ reviewIds: string[]; files: string[] }> {
  const results = await sql<BroughtByMessage>`select pdf_file, document_files, lab_message_id
    from results
    where environment_id = ${environment.id} and order_id = any(${orderIds}::uuid[])`.execute(db)
  const reviews = await sql<BroughtByMessage & { id: string }>`delete from unmatched_results u
    where u.environment_id = ${environment.id} and u.status <> all(${OPEN_REVIEWS}::text[])
      and (u.resolved_order_id = any(${orderIds}::uuid[])
        or (u.resolved_order_id is null and (u.lab_id, u.report ->> 'sample_id') in (
          select o.lab_id, o.sample_id from orders o where o.environment_id = ${environment.id}
            and o.id = any(${orderIds}::uuid[]))))
    returning u.id, u.pdf_file, u.document_files, u.lab_message_id`.execute(db)
  const brought = [...results.rows, ...reviews.rows]
  const messages = brought.flatMap(({ lab_message_id: id }) => id ?? [])
  await sql`delete from lab_messages where environment_id = ${environment.id}
    and (order_id = any(${orderIds}::uuid[])
      or (order_id is null and id = any(${messages}::uuid[])))`.execute(db)
  return {
    reviewIds: reviews.rows.map(({ id }) => id),
    files: namesOfFiles(brought),
  }
}

interface BroughtByMessage extends FileColumns {
  lab_message_id: string | null
}

/** Deletes stored idempotent responses, and seats of simulated appointments. */
export async function deleteCopies(
  { db, environment }: RowScope,
  { userIds, ids }: { userIds: readonly string[]; ids: readonly string[] },
): Promise<void> {
  const patterns = ids.map((id) => `%${id}%`)
  await sql`delete from idempotent_answers where environment_id = ${environment.id}
    and user_id = any(${userIds}::uuid[]) and body like any(${patterns}::text[])`.execute(db)
  await sql`delete from sandbox_bookings where environment_id = ${environment.id}
    and appointment_id = any(${ids}::uuid[])`.execute(db)
}

/** Deletes order transactions with their orders and all dependent rows. */
export async function deleteTransactions(
  { db, environment }: RowScope,
  ids: readonly string[],
): Promise<void> {
  await sql`delete from orders where environment_id = ${environment.id}
    and transaction_id = any(${ids}::uuid[])`.execute(db)
  await sql`delete from order_transactions where environment_id = ${environment.id}
    and id = any(${ids}::uuid[])`.execute(db)
}
