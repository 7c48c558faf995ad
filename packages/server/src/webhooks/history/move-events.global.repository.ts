import type { ClickHouse } from '@salus/kernel/clickhouse/clickhouse'
import { eraseRows } from '@salus/kernel/clickhouse/remove-rows'
import { leastEventId } from '@salus/kernel/events/event-id'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { WebhookAttemptsTable } from '../webhooks.tables.ts'
import { HISTORY_TABLES } from './history-removal.global.repository.ts'
import {
  ATTEMPT_COLUMNS,
  attemptLines,
  EVENT_COLUMNS,
  type EventToMove,
  eventLine,
  type StoredDelivery,
  type StoredEvent,
} from './history-rows.ts'

/** Moves work across environments, since each insert into ClickHouse makes files. */

/** A place in the order of environments and ids. */
export interface MovePosition {
  environmentId: string
  id: string
}

interface EventsToFind {
  quietSince: Date
  /** Only those that are about a person and about no other record. */
  ofPeople: boolean
  limit: number
  mostBytes: number
}

export const FIRST_POSITION: MovePosition = {
  environmentId: '00000000-0000-0000-0000-000000000000',
  id: '',
}

/** Returns the next environment with events from a position on. */
export async function findEnvironmentOf(
  db: Db,
  { environmentId, id }: MovePosition,
): Promise<string | undefined> {
  const { rows } = await sql<{ environment_id: string }>`select environment_id from events
    where (environment_id, id) > (${environmentId}::uuid, ${id})
    order by environment_id, id limit 1`.execute(db)
  return rows[0]?.environment_id
}

/**
 * Returns the next events of an environment that are over: older than `quietSince`, dispatched,
 * readable in the feed, and with no delivery that is pending or changed since then. Events of
 * laboratories that have no subjects stay, because only their bodies say what removes them.
 */
export async function listEventsToMove(
  db: Db,
  { environmentId, id }: MovePosition,
  { quietSince, ofPeople, limit, mostBytes }: EventsToFind,
): Promise<StoredEvent[]> {
  const isMoved = ofPeople
    ? sql`user_id is not null and subject_ids is null and event_type not like 'lab%'`
    : sql`(subject_ids is not null or event_type not like 'lab%')`
  const { rows } = await sql<StoredEvent>`
    with candidates as (
      select id, sum(body_bytes) over (order by id) - body_bytes as bytes_before
      from events
      where environment_id = ${environmentId} and id > ${id}
        and id < ${leastEventId(quietSince.getTime())}
        and ${isMoved}
        and (transaction_id < pg_snapshot_xmin(pg_current_snapshot())
          or transaction_id >= pg_snapshot_xmax(pg_current_snapshot()))
        and not exists (select from waiting_events as waiting
          where waiting.environment_id = events.environment_id and waiting.event_id = events.id
          offset 0)
        and not exists (select from webhook_deliveries as delivery
          where delivery.environment_id = events.environment_id and delivery.event_id = events.id
            and (status = 'pending' or updated_at >= ${quietSince})
          -- One look-up for each event: as a join it would read the deliveries of all of them.
          offset 0)
      order by id limit ${limit}
    )
    select events.environment_id, events.id, sequence, transaction_id::text as transaction_id,
      event_type, user_id, subject_ids, body, body_bytes, created_at, only_endpoint_id,
      except_endpoint_id, unsent_reason, trace_parent
    from candidates
    join events on events.environment_id = ${environmentId} and events.id = candidates.id
    where bytes_before < ${mostBytes}
    order by events.id`.execute(db)
  return rows
}

/** Returns the events with their deliveries and attempts. */
export async function withDeliveries(
  db: Db,
  environmentId: string,
  events: readonly StoredEvent[],
): Promise<EventToMove[]> {
  const ids = events.map(({ id }) => id)
  const { rows: deliveries } = await sql<StoredDelivery>`
    select delivery.* from webhook_deliveries as delivery
    join webhook_endpoints as endpoint
      on endpoint.environment_id = delivery.environment_id and endpoint.id = delivery.endpoint_id
    where delivery.environment_id = ${environmentId} and event_id = any(${ids}::text[])
    order by endpoint.created_at, endpoint.id`.execute(db)
  const attempts = await db
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('environment_id', '=', environmentId)
    .where('event_id', '=', anyOf(ids))
    .execute()
  const deliveriesOf = Map.groupBy(deliveries, ({ event_id: id }) => id)
  const attemptsOf = Map.groupBy(attempts as WebhookAttemptsTable[], ({ event_id: id }) => id)
  return events.map((event) => ({
    event,
    deliveries: deliveriesOf.get(event.id) ?? [],
    attempts: attemptsOf.get(event.id) ?? [],
  }))
}

/** Stores events of any environments with their attempts; durable when it returns. */
export async function insertMoved(
  clickhouse: ClickHouse,
  rows: readonly EventToMove[],
  move: number,
): Promise<void> {
  const attempts = rows.map((row) => attemptLines(row, move)).join('')
  if (attempts !== '') {
    await clickhouse.insert('webhook_attempt_history', ATTEMPT_COLUMNS, Buffer.from(attempts))
  }
  const events = rows.map((row) => eventLine(row, move)).join('')
  await clickhouse.insert('event_history', EVENT_COLUMNS, Buffer.from(events))
}

/** Removes events from PostgreSQL, with deliveries and attempts. */
export async function deleteMoved(
  db: Db,
  rows: readonly Pick<StoredEvent, 'environment_id' | 'id'>[],
): Promise<void> {
  const environments = rows.map(({ environment_id: environmentId }) => environmentId)
  const ids = rows.map(({ id }) => id)
  await sql`
    with moved as (
      select * from unnest(${environments}::uuid[], ${ids}::text[]) as moved (environment_id, id)
    ), attempts as (
      delete from webhook_attempts as attempt using moved
      where attempt.environment_id = moved.environment_id and attempt.event_id = moved.id
    ), deliveries as (
      delete from webhook_deliveries as delivery using moved
      where delivery.environment_id = moved.environment_id and delivery.event_id = moved.id
    )
    delete from events using moved
    where events.environment_id = moved.environment_id and events.id = moved.id`.execute(db)
}

/**
 * Removes the rows of a move that was interrupted: some may be about people who were erased since.
 */
export async function deleteAbandonedRows(clickhouse: ClickHouse, moves: number): Promise<void> {
  for (const table of HISTORY_TABLES) {
    const found = await clickhouse.queryRows(
      `select 1 as is_there from ${table} where move > {moves:UInt64} limit 1`,
      { moves },
    )
    if (found.length === 0) continue
    await eraseRows(clickhouse, {
      table,
      condition: 'move > {moves:UInt64}',
      parameters: { moves },
    })
  }
}

/** Drops the days of which every event is older than the time; returns how many. */
export async function dropOldDays(clickhouse: ClickHouse, oldest: Date): Promise<number> {
  const day = Number(oldest.toISOString().slice(0, 'YYYY-MM-DD'.length).replaceAll('-', ''))
  let dropped = 0
  const servers = clickhouse.cluster?.servers ?? [clickhouse]
  for (const server of servers) {
    for (const table of HISTORY_TABLES) {
      const days = await server.queryRows<{ partition_id: string }>(
        `select distinct partition_id from system.parts where database = currentDatabase()
          and table = {table:String} and active and toUInt32OrZero(partition_id) < {day:UInt32}`,
        { table, day },
      )
      for (const { partition_id: id } of days) {
        await server.command(`alter table ${table} drop partition id '${id}'`)
        dropped += 1
      }
    }
  }
  return dropped
}
