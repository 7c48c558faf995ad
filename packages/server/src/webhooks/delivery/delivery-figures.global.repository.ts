import { leastEventId } from '@salus/kernel/events/event-id'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { DisabledReason } from '../webhooks.tables.ts'

/** Backlog and success of the delivery of messages, for one environment or for all. */

/**
 * Maximum number of attempts of each endpoint for times: enough for percentiles, and few enough to
 * read at once.
 */
export const MOST_ATTEMPTS_TIMED = 500

/** Backlog of an endpoint, and its success. */
export interface EndpointFigures {
  environment_id: string
  endpoint_id: string
  url: string
  disabled_at: Date | null
  disabled_reason: DisabledReason | null
  /** Number of failures since the last success. */
  failures: number
  first_failure_at: Date | null
  last_failure_at: Date | null
  failing_since: Date | null
  /** Number of messages that were never attempted, and the time of the oldest of their events. */
  pending: number
  oldest_pending_at: Date | null
  /** Number of messages that failed and will be retried. */
  retrying: number
  next_retry_at: Date | null
  /** Number of attempts in the time range. */
  succeeded: number
  failed: number
  last_attempt_at: Date | null
  /** Milliseconds until an answer, for the newest attempts. */
  duration_p50: number | null
  duration_p95: number | null
  /** Milliseconds from an event to its first attempt, for the newest ones. */
  lag_p50: number | null
  lag_p95: number | null
}

/** The same of attempts in PostgreSQL, which has the recent ones. */
type RecentFigures = EndpointFigures & {
  /** Times of the newest attempts; null when there are as many as are timed. */
  durations: number[] | null
  lags: number[] | null
}

/** @param since Beginning of the time range of attempts. */
export async function measureRecentAttempts(
  db: Db,
  { environmentId, since }: { environmentId?: string; since: Date },
): Promise<RecentFigures[]> {
  const isWanted =
    environmentId === undefined ? sql`true` : sql`endpoint.environment_id = ${environmentId}`
  const { rows } = await sql<RecentFigures>`
    select endpoint.environment_id, endpoint.id as endpoint_id, url, disabled_at, disabled_reason, failures,
      first_failure_at, last_failure_at, failing_since,
      pending, oldest_pending_at, retrying, next_retry_at, succeeded, failed, last_attempt_at,
      duration_p50, duration_p95, lag_p50, lag_p95, durations, lags
    from webhook_endpoints as endpoint
    ${FIRST_ATTEMPTS} ${RETRIES} ${attemptsSince(since)} ${timesSince(since)}
    where endpoint.deleted_at is null and ${isWanted}
    order by endpoint.created_at, endpoint.id`.execute(db)
  return rows
}

const FIRST_ATTEMPTS = sql`
  cross join lateral (
    select count(*) as pending from webhook_deliveries
    where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at is null
  ) as waiting
  left join lateral (
    select event.created_at as oldest_pending_at from webhook_deliveries as delivery
    join events as event
      on event.environment_id = delivery.environment_id and event.id = delivery.event_id
    where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at is null
    order by delivery.sequence limit 1
  ) as oldest on true`

const RETRIES = sql`
  cross join lateral (
    select count(*) as retrying, min(next_attempt_at) as next_retry_at from webhook_deliveries
    where endpoint_id = endpoint.id and status = 'pending' and next_attempt_at is not null
  ) as retries`

const SUCCEEDED = sql`response_status between 200 and 299`

const attemptsSince = (since: Date) => sql`
  cross join lateral (
    select count(*) filter (where ${SUCCEEDED}) as succeeded,
      count(*) filter (where ${SUCCEEDED} is not true) as failed,
      max(attempted_at) as last_attempt_at
    from webhook_attempts
    where environment_id = endpoint.environment_id and endpoint_id = endpoint.id
      and attempted_at >= ${since}
  ) as attempts`

const percentile = (fraction: number, value: Part, condition: Part = sql`true`) =>
  sql`round(percentile_cont(${sql.lit(fraction)}) within group (order by ${value})
    filter (where ${condition}))::integer`

type Part = ReturnType<typeof sql>

const LAG = sql`extract(epoch from attempted_at - created_at)::float8 * 1000`
const IS_FIRST = sql`number = 1`

/** The values themselves where moved attempts may be among the newest, too. */
const rawUnlessAll = (values: Part) =>
  sql`case when count(*) < ${sql.lit(MOST_ATTEMPTS_TIMED)} then coalesce(${values}, '{}') end`

const timesSince = (since: Date) => sql`
  cross join lateral (
    select ${percentile(0.5, sql`duration_ms`)} as duration_p50,
      ${percentile(0.95, sql`duration_ms`)} as duration_p95,
      ${percentile(0.5, LAG, IS_FIRST)} as lag_p50,
      ${percentile(0.95, LAG, IS_FIRST)} as lag_p95,
      ${rawUnlessAll(sql`array_agg(duration_ms)`)} as durations,
      ${rawUnlessAll(sql`array_agg(${LAG}) filter (where ${IS_FIRST})`)} as lags
    from (
      select attempted_at, duration_ms, number, event.created_at
      from webhook_attempts as attempt
      join events as event
        on event.environment_id = attempt.environment_id and event.id = attempt.event_id
      where attempt.environment_id = endpoint.environment_id and attempt.endpoint_id = endpoint.id
        and attempted_at >= ${since}
      order by attempted_at desc limit ${MOST_ATTEMPTS_TIMED}
    ) as newest
  ) as times`

/**
 * Counts the events that were not dispatched to endpoints although they need not wait, and returns
 * the oldest of them.
 */
export async function measureOutbox(
  db: Db,
  now: Date,
): Promise<{ events: number; oldest_at: Date | null }> {
  const { rows } = await sql<{ events: number; oldest_at: Date | null }>`
    select count(*) as events, min(event.created_at) as oldest_at
    from (
      select environment_id, event_id from waiting_events
      where dispatch_after is null or dispatch_after <= ${now}
      order by sequence limit 100000
    ) as waiting
    join events as event on event.environment_id = waiting.environment_id and event.id = event_id
  `.execute(db)
  return rows[0] ?? { events: 0, oldest_at: null }
}

export interface MinuteRow {
  minute: Date
  events: number
  succeeded: number
  failed: number
}

/**
 * Counts written events, and attempts by their outcome, for each minute; minutes without any have
 * no row.
 */
export async function listDeliveryMinutes(db: Db, since: Date): Promise<MinuteRow[]> {
  const { rows } = await sql<MinuteRow>`
    with written as (
      select date_trunc('minute', created_at) as minute, count(*) as events
      from team_environments as environment
      cross join lateral (
        select created_at from events
        where environment_id = environment.id and id >= ${leastEventId(since.getTime())}
      ) as event
      group by 1
    ), attempted as (
      select date_trunc('minute', attempted_at) as minute,
        count(*) filter (where ${SUCCEEDED}) as succeeded,
        count(*) filter (where ${SUCCEEDED} is not true) as failed
      from webhook_endpoints as endpoint
      cross join lateral (
        select attempted_at, response_status from webhook_attempts
        where environment_id = endpoint.environment_id and endpoint_id = endpoint.id
          and attempted_at >= ${since}
      ) as attempt
      group by 1
    )
    select minute, coalesce(events, 0) as events, coalesce(succeeded, 0) as succeeded,
      coalesce(failed, 0) as failed
    from written full join attempted using (minute) order by minute`.execute(db)
  return rows
}
