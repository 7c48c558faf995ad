import { sql } from 'kysely'
import type { Db } from '../../platform/postgres/database.ts'
import { dispatchKey } from './dispatch-job.ts'

/**
 * Scheduled orders whose day has come, of all environments, that nobody handed over yet and no job
 * of the schedule is to hand over, or has failed to: those that fail do not stand before the others.
 */
export function listDueOrders(
  db: Db,
  today: string,
  limit: number,
): Promise<{ environment_id: string; id: string }[]> {
  return db
    .selectFrom('orders')
    .select(['environment_id', 'id'])
    .where('dispatched_at', 'is', null)
    .where('last_status', 'in', ['ordered', 'awaiting_registration'])
    .where('activate_by', '<=', today)
    .where(
      sql<boolean>`not exists (select from graphile_worker.jobs
        where key = ${dispatchKey('')} || orders.id)`,
    )
    .orderBy('activate_by')
    .orderBy('environment_id')
    .orderBy('id')
    .limit(limit)
    .execute()
}
