import type { TaskReasons } from '@salus/accounts/tasks'
import { BEFORE_HANDING_OVER, TERMINAL } from '@salus/contracts/order-lifecycle'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import { dispatchKey } from './dispatch/dispatch-job.ts'
import { AWAITED_STATUSES, OVERDUE_DAYS } from './stuck/stuck-tasks.service.ts'

/**
 * Returns scheduled orders of live teams in all environments whose day has come and that were not
 * dispatched. Orders with a job of the schedule or with a failed dispatch are left out, so that
 * they do not block the others.
 */
export function listDueOrders(
  db: Db,
  today: string,
  limit: number,
): Promise<{ environment_id: string; id: string }[]> {
  return db
    .selectFrom('orders')
    .innerJoin('team_environments as environment', 'environment.id', 'orders.environment_id')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select(['orders.environment_id', 'orders.id'])
    .where('team.deleted_at', 'is', null)
    .where('dispatched_at', 'is', null)
    .where('dispatch_failed_at', 'is', null)
    .where('is_hidden', '=', false)
    .where('last_status', 'in', ['ordered', 'awaiting_registration'])
    .where('activate_by', '<=', today)
    .where(
      sql<boolean>`not exists (select from graphile_worker.jobs
        where key = ${dispatchKey('')} || orders.id)`,
    )
    .orderBy('activate_by')
    .orderBy('orders.environment_id')
    .orderBy('orders.id')
    .limit(limit)
    .execute()
}

/** Returns whether a laboratory has a sample of another order with this id, in any environment. */
export async function isSampleIdTaken(
  db: Db,
  labId: number,
  sampleId: string,
  exceptOrderId: string | null = null,
): Promise<boolean> {
  const row = await db
    .selectFrom('orders')
    .select('id')
    .where('lab_id', '=', labId)
    .where('sample_id', '=', sampleId)
    .where(sql<boolean>`id is distinct from ${exceptOrderId}::uuid`)
    .executeTakeFirst()
  return row !== undefined
}

/** Counts the orders of a laboratory that have not ended, in all environments, by marker. */
export async function countOpenOrdersByMarker(
  db: Db,
  labId: number,
  markerIds: readonly number[],
): Promise<Map<number, number>> {
  const { rows } = await sql<{ marker_id: number; count: number }>`
    select marker_id, count(*)::integer as count
    from orders, unnest(orders.marker_ids) as marker_id
    where orders.lab_id = ${labId} and not orders.is_hidden
      and orders.last_status <> all(${[...TERMINAL]}::text[])
      and marker_id = any(${[...markerIds]}::integer[])
    group by marker_id
  `.execute(db)
  return new Map(rows.map(({ marker_id: id, count }) => [id, count]))
}

/** Columns of a reason; each part of the query below has an index of its own. */
const STUCK = sql`orders.environment_id, orders.id as focus_id, 'order' as focus_type,
  orders.user_id, 'stuck_order' as kind`

/**
 * Orders of people who are not deleted that could not be cancelled at their laboratory, or not be
 * dispatched, or that have had no update for long where one is due.
 */
export const STUCK_REASONS: TaskReasons = {
  kinds: ['stuck_order'],
  list: (now) => sql`
    select ${STUCK}, orders.cancel_failed_at as since
    from orders where orders.cancel_failed_at is not null and not orders.is_hidden
    union all
    select ${STUCK}, orders.dispatch_failed_at
    from orders where orders.dispatch_failed_at is not null and orders.dispatched_at is null
      and not orders.is_hidden and orders.last_status = any(${[...BEFORE_HANDING_OVER]}::text[])
    union all
    select ${STUCK}, orders.last_status_at
    from team_environments as environment
      join orders on orders.environment_id = environment.id
        and orders.last_status collate "C" = any(${[...AWAITED_STATUSES]}::text[])
    where not orders.is_hidden
      and orders.last_status_at <= ${now}::timestamptz - make_interval(days => ${OVERDUE_DAYS})
        + make_interval(secs => environment.clock_offset_seconds)`,
}
