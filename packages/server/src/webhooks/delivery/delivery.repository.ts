import { sql } from 'kysely'
import { anyOf } from '../../platform/postgres/bulk.ts'
import type { Db } from '../../platform/postgres/database.ts'
import type { RowScope } from '../../platform/scope.ts'
import type { AttemptError, DisabledReason } from '../webhooks.tables.ts'
import { notifyEndpointChanged } from './dispatch.repository.ts'
import type { EndpointHealth } from './endpoint-health.ts'

export interface EndpointKey {
  environmentId: string
  endpointId: string
}

export interface DueDelivery {
  event_id: string
  event_type: string
  user_id: string | null
  attempts: number
  run: number
  failures: number
  /** null: the first attempt. */
  next_attempt_at: Date | null
  body: Buffer
}

/** Bodies read at once; the first one whatever its size. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * What is to be sent to an endpoint now: first attempts in order of events, then what is to be tried
 * again. `known` are those in hand already.
 */
export async function findDueDeliveries(
  { db, environment }: RowScope,
  endpointId: string,
  { now, known, limit }: { now: Date; known: readonly string[]; limit: number },
): Promise<DueDelivery[]> {
  const { rows } = await sql<DueDelivery>`
    with first as (
      select * from webhook_deliveries
      where endpoint_id = ${endpointId} and status = 'pending' and next_attempt_at is null
        and event_id <> all(${known}::text[])
      order by sequence
      limit ${limit}
    ), again as (
      select * from webhook_deliveries
      where endpoint_id = ${endpointId} and status = 'pending' and next_attempt_at <= ${now}
        and event_id <> all(${known}::text[])
      order by next_attempt_at
      limit ${limit}
    ), due as (
      select delivery.event_id, event.event_type, delivery.user_id, attempts, run, failures,
        next_attempt_at, event.sequence, body,
        sum(body_bytes) over (order by next_attempt_at nulls first, event.sequence) - body_bytes
          as bytes_before
      from (select * from first union all select * from again) as delivery
      join events as event
        on event.environment_id = ${environment.id}::uuid and event.id = delivery.event_id
    )
    select event_id, event_type, user_id, attempts, run, failures, next_attempt_at, body
    from due
    where bytes_before < ${MOST_BYTES}
    order by next_attempt_at nulls first, sequence
  `.execute(db)
  return rows
}

/** What came of an attempt, and what it means for its delivery. */
export interface AttemptRecord {
  environmentId: string
  endpointId: string
  eventId: string
  number: number
  /** In which it was made; what came of it does not count for a later one. */
  run: number
  attemptedAt: Date
  responseStatus: number | null
  error: AttemptError | null
  durationMs: number
  responseBody: string
  /** Of the delivery from now on. */
  status: 'pending' | 'delivered' | 'failed'
  failures: number
  nextAttemptAt: Date | null
}

/**
 * Stores attempts and their outcomes. Those of deliveries that are gone, because the person was
 * erased, leave nothing; one that was cancelled meanwhile stays so, unless it was delivered after all.
 * Whoever changes many deliveries of an endpoint locks the endpoint first, so that nobody waits in a
 * circle.
 *
 * Takes the records of all endpoints at once; each names its environment.
 */
export async function storeAttempts(
  db: Db,
  now: Date,
  records: readonly AttemptRecord[],
): Promise<void> {
  const column = <T>(read: (record: AttemptRecord) => T): T[] => records.map(read)
  await sql`
    with given as (
      select * from unnest(
        ${column((r) => r.environmentId)}::uuid[], ${column((r) => r.eventId)}::text[],
        ${column((r) => r.endpointId)}::uuid[], ${column((r) => r.number)}::integer[],
        ${column((r) => r.attemptedAt)}::timestamptz[],
        ${column((r) => r.responseStatus)}::integer[], ${column((r) => r.error)}::text[],
        ${column((r) => r.durationMs)}::integer[], ${column((r) => r.responseBody)}::text[],
        ${column((r) => r.status)}::text[], ${column((r) => r.failures)}::integer[],
        ${column((r) => r.nextAttemptAt)}::timestamptz[], ${column((r) => r.run)}::integer[]
      ) as given (environment_id, event_id, endpoint_id, number, attempted_at, response_status,
        error, duration_ms, response_body, status, failures, next_attempt_at, run)
    ), locked as (
      select id from webhook_endpoints
      where id in (select endpoint_id from given)
      order by id
      for key share
    ), updated as (
      update webhook_deliveries as delivery
      set attempts = greatest(delivery.attempts, given.number),
        failures = case when delivery.run = given.run then given.failures else delivery.failures end,
        status = case when delivery.run = given.run
            and (delivery.status = 'pending' or given.status = 'delivered')
          then given.status else delivery.status end,
        next_attempt_at = case when delivery.run = given.run and delivery.status = 'pending'
          then given.next_attempt_at else delivery.next_attempt_at end,
        updated_at = ${now}
      from given
      where delivery.environment_id = given.environment_id
        and delivery.event_id = given.event_id
        and delivery.endpoint_id = given.endpoint_id
        -- Before any delivery is locked.
        and (select count(*) from locked) >= 0
      returning delivery.environment_id, delivery.event_id, delivery.endpoint_id
    )
    insert into webhook_attempts (environment_id, event_id, endpoint_id, number, attempted_at,
      response_status, error, duration_ms, response_body)
    select given.environment_id, given.event_id, given.endpoint_id, number, attempted_at,
      response_status, error, duration_ms, response_body
    from given
    join updated using (environment_id, event_id, endpoint_id)
    on conflict do nothing
  `.execute(db)
}

/** Locks endpoints against all who change many of their deliveries, until the transaction ends. */
export async function lockEndpoints(db: Db, endpointIds: readonly string[]): Promise<void> {
  await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', anyOf(endpointIds))
    .orderBy('id')
    .forUpdate()
    .execute()
}

/** Notes the health of an endpoint. */
export async function storeHealth(
  { db, environment }: RowScope,
  endpointId: string,
  health: EndpointHealth,
): Promise<void> {
  await db
    .updateTable('webhook_endpoints')
    .set({
      first_failure_at: health.firstFailureAt,
      last_failure_at: health.lastFailureAt,
      failures: health.failures,
      failing_since: health.failingSince,
    })
    .where('environment_id', '=', environment.id)
    .where('id', '=', endpointId)
    .execute()
}

/** Stops all that waits to be sent to an endpoint; what is sent later begins anew. */
export async function cancelDeliveries(
  { db, environment }: RowScope,
  endpointId: string,
  at: Date,
): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ status: 'cancelled', next_attempt_at: null, updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'pending')
    .execute()
}

/** Disables an endpoint and stops what waits for it; false when it was disabled or removed already. */
export async function disableEndpoint(
  scope: RowScope,
  endpointId: string,
  { reason, at }: { reason: DisabledReason; at: Date },
): Promise<boolean> {
  const { db, environment } = scope
  const disabled = await db
    .updateTable('webhook_endpoints')
    .set({ disabled_at: at, disabled_reason: reason, updated_at: at })
    .where('environment_id', '=', environment.id)
    .where('id', '=', endpointId)
    .where('disabled_at', 'is', null)
    .where('deleted_at', 'is', null)
    .returning('id')
    .executeTakeFirst()
  if (disabled === undefined) return false
  await cancelDeliveries(scope, endpointId, at)
  await notifyEndpointChanged(db, endpointId)
  return true
}
