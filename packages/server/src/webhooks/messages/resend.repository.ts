import type { RowScope } from '@salus/kernel/scope'
import { sql } from 'kysely'
import { matchesTypes } from '../delivery/delivery.global.repository.ts'

/**
 * Makes an event due at an endpoint, at once and with all attempts of the schedule, whatever its
 * earlier outcome.
 */
export async function resendEvent(
  { db, environment }: RowScope,
  { eventId, endpointId, at }: { eventId: string; endpointId: string; at: Date },
): Promise<void> {
  await sql`
    insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, user_id,
      status, next_attempt_at, updated_at)
    select environment_id, id, ${endpointId}::uuid, sequence, user_id, 'pending',
      ${at}::timestamptz, ${at}::timestamptz
    from events
    where environment_id = ${environment.id} and id = ${eventId}
    on conflict (environment_id, event_id, endpoint_id) do update
    set status = 'pending', run = webhook_deliveries.run + 1, failures = 0, next_attempt_at = ${at}, updated_at = ${at}
  `.execute(db)
}

export interface RecoveryRange {
  endpointId: string
  /** Event ids: from the first, inclusive, to the last, exclusive. */
  fromId: string
  toId: string
  at: Date
}

/**
 * Makes the next events of a range due that match an endpoint and were not delivered. Those never
 * attempted keep their order; those that failed or were cancelled are retried.
 * @returns Id of the last event checked, or null when there was none.
 */
export async function recoverEvents(
  { db, environment }: RowScope,
  { endpointId, fromId, toId, at }: RecoveryRange,
  limit: number,
): Promise<string | null> {
  const { rows } = await sql<{ last: string | null }>`
    with candidates as (
      select id, sequence, user_id, event_type, unsent_reason, only_endpoint_id, except_endpoint_id
      from events
      where environment_id = ${environment.id} and id >= ${fromId} and id < ${toId}
      order by id
      limit ${limit}
    ), made as (
      insert into webhook_deliveries (environment_id, event_id, endpoint_id, sequence, user_id,
        status, updated_at)
      select endpoint.environment_id, candidates.id, endpoint.id, sequence, user_id, 'pending',
        ${at}::timestamptz
      from candidates
      join webhook_endpoints as endpoint
        on endpoint.environment_id = ${environment.id} and endpoint.id = ${endpointId}
          and endpoint.deleted_at is null and endpoint.disabled_at is null
      where not exists (select from waiting_events
          where environment_id = endpoint.environment_id and event_id = candidates.id)
        and not exists (select from users
          where users.environment_id = endpoint.environment_id and users.id = candidates.user_id
            and users.deleted_at is not null)
        and unsent_reason is distinct from 'event_type_prefixes'
        and only_endpoint_id is null
        and except_endpoint_id is distinct from endpoint.id
        and ${matchesTypes(sql`endpoint.filter_types`, sql`candidates.event_type`)}
      order by sequence
      on conflict (environment_id, event_id, endpoint_id) do update
      set status = 'pending', run = webhook_deliveries.run + 1, failures = 0, updated_at = ${at},
        next_attempt_at = case when webhook_deliveries.attempts = 0
          then null else ${at}::timestamptz end
      where webhook_deliveries.status in ('failed', 'cancelled')
    )
    select max(id) as last from candidates
  `.execute(db)
  return rows[0]?.last ?? null
}
