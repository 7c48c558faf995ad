import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import type { DisabledReason } from '../webhooks.tables.ts'
import { notifyEndpointChanged } from './delivery.global.repository.ts'
import type { EndpointHealth } from './endpoint-health.ts'

export interface DueDelivery {
  event_id: string
  event_type: string
  user_id: string | null
  attempts: number
  run: number
  failures: number
  /** null for the first attempt. */
  next_attempt_at: Date | null
  body: Buffer
  trace_parent: string | null
}

/** Maximum bytes of bodies that are read at once; the first one is read whatever its size. */
const MOST_BYTES = 16 * 1024 * 1024

/**
 * Returns the deliveries that are due for an endpoint: first attempts in order of events, then
 * retries. `known` are those already being worked on.
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
        next_attempt_at, event.sequence, body, trace_parent,
        sum(body_bytes) over (order by next_attempt_at nulls first, event.sequence) - body_bytes
          as bytes_before
      from (select * from first union all select * from again) as delivery
      join events as event
        on event.environment_id = ${environment.id}::uuid and event.id = delivery.event_id
    )
    select event_id, event_type, user_id, attempts, run, failures, next_attempt_at, body, trace_parent
    from due
    where bytes_before < ${MOST_BYTES}
    order by next_attempt_at nulls first, sequence
  `.execute(db)
  return rows
}

/** Stores the health of an endpoint. */
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

/** Cancels all pending deliveries of an endpoint; later ones start with new attempts. */
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

/**
 * Disables an endpoint and cancels its pending deliveries; returns false when it was already
 * disabled or removed.
 */
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
