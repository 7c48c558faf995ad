import type { RowScope } from '@salus/kernel/scope'
import { type RawBuilder, sql } from 'kysely'
import type { FileColumns } from '../results/index.ts'
import { OPEN_REVIEWS } from './old-orders.repository.ts'
import type { OldRecords } from './old-records.ts'

/**
 * SQL condition for a review `u` that was decided before the cutoff, has no order, and has no
 * sample of an order, with which it would be deleted.
 */
function isOldReview({ environment }: RowScope, { cutoff, held }: OldRecords): RawBuilder<boolean> {
  return sql<boolean>`(u.environment_id = ${environment.id}
    and u.status <> all(${OPEN_REVIEWS}::text[]) and u.updated_at < ${cutoff}
    and (u.resolved_user_id is null or u.resolved_user_id <> all(${held}::uuid[]))
    and not exists (select from orders o where o.environment_id = u.environment_id
      and (o.id = u.resolved_order_id
        or (o.lab_id = u.lab_id and o.sample_id = u.report ->> 'sample_id'))))`
}

/**
 * SQL condition for a processed message `m` from before the cutoff that has no order, result or
 * review.
 */
function isOldMessage({ environment }: RowScope, { cutoff }: OldRecords): RawBuilder<boolean> {
  return sql<boolean>`(m.environment_id = ${environment.id} and m.order_id is null
    and m.state not in ('waiting', 'failed') and greatest(m.received_at, m.processed_at) < ${cutoff}
    and not exists (select from unmatched_results u
      where u.environment_id = m.environment_id and u.lab_message_id = m.id)
    and not exists (select from results r
      where r.environment_id = m.environment_id and r.lab_message_id = m.id))`
}

/**
 * Returns the number of old reviews, of old messages without a review, and of the people whom the
 * reviews name.
 */
export async function countOldMessages(
  scope: RowScope,
  old: OldRecords,
): Promise<{ rows: number; people: number }> {
  const { rows } = await sql<{ rows: number; people: number }>`
    select count(*)::int as rows, count(distinct user_id)::int as people from (
      select u.resolved_user_id as user_id from unmatched_results u where ${isOldReview(scope, old)}
      union all select null from lab_messages m where ${isOldMessage(scope, old)}
    ) found`.execute(scope.db)
  return rows[0] ?? { rows: 0, people: 0 }
}

/** Deletes some reviews with their messages. */
export async function deleteOldReviews(
  scope: RowScope,
  old: OldRecords,
  limit: number,
): Promise<({ id: string; user_id: string | null } & FileColumns)[]> {
  const { db, environment } = scope
  const { rows } = await sql<{ id: string; user_id: string | null } & FileColumns>`
    with old as (
      select u.id from unmatched_results u where ${isOldReview(scope, old)} limit ${limit} for update
    ), gone as (
      delete from unmatched_results
      where environment_id = ${environment.id} and id in (select id from old)
      returning id, resolved_user_id, pdf_file, document_files, lab_message_id
    ), messages as (
      delete from lab_messages where environment_id = ${environment.id} and order_id is null
        and id in (select lab_message_id from gone)
    )
    select id, resolved_user_id as user_id, pdf_file, document_files from gone`.execute(db)
  return rows
}

/** Deletes some messages without a review or order. */
export async function deleteOldMessages(
  scope: RowScope,
  old: OldRecords,
  limit: number,
): Promise<string[]> {
  const { db, environment } = scope
  const { rows } = await sql<{ id: string }>`delete from lab_messages
    where environment_id = ${environment.id} and id in (
      select m.id from lab_messages m where ${isOldMessage(scope, old)} limit ${limit}
    ) returning id`.execute(db)
  return rows.map(({ id }) => id)
}
