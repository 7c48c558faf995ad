import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { AttemptError } from '../webhooks.tables.ts'
import { ALL_SHARES, isOfShares, takeShares } from './dispatch-shares.global.repository.ts'

/**
 * Channel that is notified when deliveries were created or became due again: ids of endpoints,
 * comma-separated.
 */
export const DELIVERIES_CHANNEL = 'salus_deliveries'
/** Channel that is notified when an endpoint was changed, disabled or removed: its id. */
export const ENDPOINTS_CHANNEL = 'salus_endpoints'
/** A notification can have some 8,000 bytes. */
const MOST_TOLD_ENDPOINTS = 200

/** An endpoint with its environment. */
export interface EndpointKey {
  environmentId: string
  endpointId: string
}

export interface Dispatched {
  /** Number of dispatched events. */
  events: number
  endpointIds: string[]
}

/**
 * Dispatches waiting events of some shares, in order of writing: creates a delivery for each
 * endpoint whose filter matches. Leaves out the shares that another process dispatches, and returns
 * undefined when that are all. Works for all environments of a share at once, because each of them
 * is woken by the same notification.
 */
export function dispatchEvents(
  db: Db,
  now: Date,
  limit: number,
  shares: readonly number[] = ALL_SHARES,
): Promise<Dispatched | undefined> {
  return db.transaction().execute(async (transaction) => {
    const taken = (await takeShares(shares).execute(transaction)).rows[0]?.shares ?? []
    if (taken.length === 0) return undefined
    const { rows } = await dispatchWaitingEvents(now, taken, limit).execute(transaction)
    const [{ events, endpoint_ids: endpointIds } = { events: 0, endpoint_ids: [] }] = rows
    if (events > 0) await notifyDeliveries(transaction, endpointIds)
    return { events, endpointIds }
  })
}

const dispatchWaitingEvents = (now: Date, shares: readonly number[], limit: number) => sql<{
  endpoint_ids: string[]
  events: number
}>`
  with taken as (
    delete from waiting_events
    where sequence in (
      select sequence from waiting_events
      where (dispatch_after is null or dispatch_after <= ${now}) and ${isOfShares(shares)}
      order by sequence
      limit ${limit}
    )
    returning environment_id, event_id
  ), dispatched as (
    select event.environment_id, event.id, event.sequence, event_type, user_id, only_endpoint_id,
      except_endpoint_id, unsent_reason
    from taken
    join events as event
      on event.environment_id = taken.environment_id and event.id = taken.event_id
  ), made as (
    insert into webhook_deliveries
      (environment_id, event_id, endpoint_id, sequence, user_id, status, updated_at)
    select dispatched.environment_id, dispatched.id, endpoint.id, sequence, user_id, 'pending',
      ${now}::timestamptz
    from dispatched
    join webhook_endpoints as endpoint
      on endpoint.environment_id = dispatched.environment_id and endpoint.deleted_at is null
        and endpoint.disabled_at is null
    where dispatched.unsent_reason is null
      and case when only_endpoint_id is null
        then endpoint.id is distinct from except_endpoint_id
          and ${matchesTypes(sql`endpoint.filter_types`, sql`dispatched.event_type`)}
        else endpoint.id = only_endpoint_id end
    on conflict do nothing
    returning event_id, endpoint_id
  ), unsent as (
    update events
    set unsent_reason = case
      when not exists (select from webhook_endpoints as endpoint
        where endpoint.environment_id = dispatched.environment_id
          and endpoint.deleted_at is null) then 'no_endpoint'
      when not exists (select from webhook_endpoints as endpoint
        where endpoint.environment_id = dispatched.environment_id
          and endpoint.deleted_at is null and endpoint.disabled_at is null)
        then 'endpoints_disabled'
      else 'not_subscribed' end
    from dispatched
    where events.environment_id = dispatched.environment_id and events.id = dispatched.id
      and dispatched.unsent_reason is null
      and dispatched.id not in (select event_id from made)
  )
  select (select count(*) from dispatched) as events,
    coalesce((select array_agg(distinct endpoint_id::text) from made), '{}') as endpoint_ids
`

/** True when a list of event types, exact or with a trailing star, matches the type. */
export function matchesTypes(
  filterTypes: ReturnType<typeof sql>,
  eventType: ReturnType<typeof sql>,
) {
  return sql<boolean>`(coalesce(cardinality(${filterTypes}), 0) = 0 or exists (
    select from unnest(${filterTypes}) as wanted (type)
    where type = ${eventType}
      or (right(type, 1) = '*' and starts_with(${eventType}, left(type, -1)))))`
}

/**
 * Notifies of new or due deliveries at the commit; an empty payload means that any endpoint may
 * have some.
 */
export async function notifyDeliveries(db: Db, endpointIds: readonly string[]): Promise<void> {
  const payload = endpointIds.length > MOST_TOLD_ENDPOINTS ? '' : endpointIds.join(',') || '-'
  await sql`select pg_notify(${DELIVERIES_CHANNEL}, ${payload})`.execute(db)
}

/** Returns endpoints with messages to be sent now, of every environment. */
export async function listDueEndpoints(db: Db, now: Date): Promise<EndpointKey[]> {
  const { rows } = await sql<{ environment_id: string; id: string }>`
    select environment_id, id
    from webhook_endpoints as endpoint
    where deleted_at is null and disabled_at is null
      and exists (select from team_environments as environment
        join teams as team on team.id = environment.team_id and team.deleted_at is null
        where environment.id = endpoint.environment_id)
      and (exists (select from webhook_deliveries
        where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at is null)
      or exists (select from webhook_deliveries
        where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at <= ${now}))
  `.execute(db)
  return rows.map((row) => ({ environmentId: row.environment_id, endpointId: row.id }))
}

/** Returns the environments of endpoints that still accept messages. */
export async function findEndpointKeys(db: Db, ids: readonly string[]): Promise<EndpointKey[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select(['environment_id', 'id'])
    .where('id', '=', anyOf(ids))
    .where('deleted_at', 'is', null)
    .where('disabled_at', 'is', null)
    .execute()
  return rows.map((row) => ({ environmentId: row.environment_id, endpointId: row.id }))
}

/**
 * Makes the worker of an endpoint, in any process, read the endpoint again; sent when the
 * transaction commits.
 */
export async function notifyEndpointChanged(db: Db, endpointId: string): Promise<void> {
  await sql`select pg_notify(${ENDPOINTS_CHANNEL}, ${endpointId})`.execute(db)
}

/** Outcome of an attempt, and its effect on the delivery. */
export interface AttemptRecord {
  environmentId: string
  endpointId: string
  eventId: string
  number: number
  /** Run in which it was made; its outcome does not count for a later one. */
  run: number
  attemptedAt: Date
  responseStatus: number | null
  error: AttemptError | null
  durationMs: number
  responseBody: string
  /** New state of the delivery. */
  status: 'pending' | 'delivered' | 'failed'
  failures: number
  nextAttemptAt: Date | null
}

/**
 * Stores attempts and their outcomes. Those of deliveries that no longer exist, because the user
 * was erased, are dropped; one that was cancelled meanwhile stays cancelled, unless it was
 * delivered after all. Code that changes many deliveries of an endpoint locks the endpoint first,
 * to prevent deadlocks. Takes the records of all endpoints at once; each names its environment.
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

/**
 * Locks endpoints against other changes of many of their deliveries, until the transaction ends.
 */
export async function lockEndpoints(db: Db, endpointIds: readonly string[]): Promise<void> {
  await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', '=', anyOf(endpointIds))
    .orderBy('id')
    .forUpdate()
    .execute()
}
