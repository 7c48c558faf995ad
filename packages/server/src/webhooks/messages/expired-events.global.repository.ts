import type { Db } from '@salus/kernel/postgres/database'
import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'

/** Returns the next environment that has events, in the order of ids; undefined after the last. */
export async function findNextEnvironment(
  db: Db,
  afterEnvironmentId: string | null,
): Promise<string | undefined> {
  let query = db.selectFrom('events').select('environment_id')
  if (afterEnvironmentId !== null) {
    query = query.where('environment_id', '>', afterEnvironmentId)
  }
  const row = await query.orderBy('environment_id').limit(1).executeTakeFirst()
  return row?.environment_id
}

/** Removes some of the events before an id with all dependent rows; returns how many. */
export async function deleteEventsBefore(
  { db, environment }: RowScope,
  eventId: string,
  limit: number,
): Promise<number> {
  const { rows } = await sql<{ deleted: number }>`
    with old as (
      select id from events
      where environment_id = ${environment.id} and id < ${eventId}
      order by id
      limit ${limit}
    ), attempts as (
      delete from webhook_attempts
      where environment_id = ${environment.id} and event_id in (select id from old)
    ), deliveries as (
      delete from webhook_deliveries
      where environment_id = ${environment.id} and event_id in (select id from old)
    ), events as (
      delete from events
      where environment_id = ${environment.id} and id in (select id from old)
      returning 1
    )
    select count(*) as deleted from events
  `.execute(db)
  return rows[0]?.deleted ?? 0
}
