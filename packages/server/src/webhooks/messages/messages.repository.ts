import { leastEventId } from '@salus/kernel/events/event-id'
import type { EventsTable } from '@salus/kernel/events/outbox'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { RowScope } from '@salus/kernel/scope'
import { type Selectable, sql } from 'kysely'
import type { WebhookAttemptsTable, WebhookDeliveriesTable } from '../webhooks.tables.ts'
import type { EventStatus } from './messages.schema.ts'

export type EventRow = Pick<
  Selectable<EventsTable>,
  'id' | 'event_type' | 'user_id' | 'created_at' | 'unsent_reason'
> & {
  /** Whether it was not dispatched to endpoints yet. */
  is_waiting: boolean
}
export type DeliveryRow = Selectable<WebhookDeliveriesTable>
export type AttemptRow = WebhookAttemptsTable & { event_type: string }

const SUMMARY = ['id', 'event_type', 'user_id', 'created_at', 'unsent_reason'] as const

const isWaiting = sql<boolean>`exists (select from waiting_events as waiting
  where waiting.environment_id = events.environment_id and waiting.event_id = events.id)`

/** Excludes events about deleted users, which are not shown and are erased with them. */
export const isNotAboutDeletedUser = (event: string) => sql<boolean>`not exists (
  select from users
  where users.environment_id = ${sql.ref(`${event}.environment_id`)}
    and users.id = ${sql.ref(`${event}.user_id`)} and users.deleted_at is not null
)`

const hasNoDelivery = sql<boolean>`not exists (select from webhook_deliveries as delivery
  where delivery.environment_id = events.environment_id and delivery.event_id = events.id)`

const hasDelivery = (status: EventStatus | undefined, endpointId: string | undefined) =>
  sql<boolean>`exists (select from webhook_deliveries as delivery
    where delivery.environment_id = events.environment_id and delivery.event_id = events.id
      and ${status === undefined ? sql`true` : sql`delivery.status = ${status}`}
      and ${endpointId === undefined ? sql`true` : sql`delivery.endpoint_id = ${endpointId}`})`

export interface EventFilter {
  /** Exact, or with a trailing star. */
  eventType: string | undefined
  userId: string | undefined
  endpointId: string | undefined
  status: EventStatus | undefined
  /** Epoch milliseconds; both ends are inclusive. */
  since: number | undefined
  until: number | undefined
  /** Id of the last event of the previous page. */
  before: string | null
}

const matchesType = (column: string, wanted: string) =>
  wanted.endsWith('*')
    ? sql<boolean>`starts_with(${sql.ref(column)}, ${wanted.slice(0, -1)})`
    : sql<boolean>`${sql.ref(column)} = ${wanted}`

/** Returns events, the newest first. */
export function listEvents(
  scope: RowScope,
  filter: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  return selectEvents(scope, filter).orderBy('id', 'desc').limit(limit).execute()
}

/** Returns events of laboratories with their bodies, the newest first. */
export function listLabEvents(
  scope: RowScope,
  filter: EventFilter,
  limit: number,
): Promise<(EventRow & { body: Buffer })[]> {
  return selectEvents(scope, filter)
    .select('body')
    .where(sql<boolean>`starts_with(event_type, 'labtest.')`)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
}

function selectEvents(
  { db, environment }: RowScope,
  { eventType, userId, endpointId, status, since, until, before }: EventFilter,
) {
  let query = db
    .selectFrom('events')
    .select(SUMMARY)
    .select(isWaiting.as('is_waiting'))
    .where('environment_id', '=', environment.id)
    .where(isNotAboutDeletedUser('events'))
  if (eventType !== undefined) query = query.where(matchesType('event_type', eventType))
  if (userId !== undefined) query = query.where('user_id', '=', userId)
  if (since !== undefined) query = query.where('id', '>=', leastEventId(since))
  if (until !== undefined) query = query.where('id', '<', leastEventId(until + 1))
  if (before !== null) query = query.where('id', '<', before)
  if (status === 'waiting') query = query.where(isWaiting)
  else if (status === 'unsent') {
    query = query.where('unsent_reason', 'is not', null).where(hasNoDelivery)
  } else if (status !== undefined) query = query.where(hasDelivery(status, endpointId))
  if (endpointId !== undefined) query = query.where(hasDelivery(undefined, endpointId))
  return query
}

/** Returns an event with its body; undefined also for one about a deleted user. */
export function findEvent(
  { db, environment }: RowScope,
  eventId: string,
): Promise<(Selectable<EventsTable> & { is_waiting: boolean }) | undefined> {
  return db
    .selectFrom('events')
    .selectAll()
    .select(isWaiting.as('is_waiting'))
    .where('environment_id', '=', environment.id)
    .where(isNotAboutDeletedUser('events'))
    .where('id', '=', eventId)
    .executeTakeFirst()
}

/** Returns deliveries of events, in the order in which their endpoints were created. */
export function listDeliveries(
  { db, environment }: RowScope,
  eventIds: readonly string[],
): Promise<DeliveryRow[]> {
  if (eventIds.length === 0) return Promise.resolve([])
  return db
    .selectFrom('webhook_deliveries as delivery')
    .innerJoin('webhook_endpoints as endpoint', (join) =>
      join
        .onRef('endpoint.environment_id', '=', 'delivery.environment_id')
        .onRef('endpoint.id', '=', 'delivery.endpoint_id'),
    )
    .selectAll('delivery')
    .where('delivery.environment_id', '=', environment.id)
    .where('delivery.event_id', '=', anyOf(eventIds))
    .orderBy('endpoint.created_at')
    .orderBy('endpoint.id')
    .execute()
}

/** Returns the attempts of one event, the oldest first. */
export function listAttemptsOfEvent(scope: RowScope, eventId: string): Promise<AttemptRow[]> {
  return selectAttempts(scope)
    .where('attempt.event_id', '=', eventId)
    .orderBy('attempted_at')
    .orderBy('endpoint_id')
    .orderBy('number')
    .execute()
}

export interface AttemptFilter {
  endpointId: string
  status: 'succeeded' | 'failed' | undefined
  eventType: string | undefined
  before: { attemptedAt: string; eventId: string; number: number } | null
}

/** Returns the attempts at one endpoint, the newest first, each with its position in the list. */
export function listAttemptsOfEndpoint(
  scope: RowScope,
  { endpointId, status, eventType, before }: AttemptFilter,
  limit: number,
): Promise<(AttemptRow & { position: string })[]> {
  let query = selectAttempts(scope)
    .select(sql<string>`attempted_at::text`.as('position'))
    .where('attempt.endpoint_id', '=', endpointId)
  const isSuccess = sql<boolean>`coalesce(response_status between 200 and 299, false)`
  if (status === 'succeeded') query = query.where(isSuccess)
  if (status === 'failed') query = query.where(sql<boolean>`not ${isSuccess}`)
  if (eventType !== undefined) query = query.where(matchesType('event.event_type', eventType))
  if (before !== null) {
    const { attemptedAt, eventId, number } = before
    query = query.where(
      sql<boolean>`(attempted_at, attempt.event_id, number)
        < (${attemptedAt}::timestamptz, ${eventId}, ${number}::integer)`,
    )
  }
  return query
    .orderBy('attempted_at', 'desc')
    .orderBy('attempt.event_id', 'desc')
    .orderBy('number', 'desc')
    .limit(limit)
    .execute()
}

function selectAttempts({ db, environment }: RowScope) {
  return db
    .selectFrom('webhook_attempts as attempt')
    .innerJoin('events as event', (join) =>
      join
        .onRef('event.environment_id', '=', 'attempt.environment_id')
        .onRef('event.id', '=', 'attempt.event_id'),
    )
    .selectAll('attempt')
    .select('event.event_type')
    .where('attempt.environment_id', '=', environment.id)
    .where(isNotAboutDeletedUser('event'))
}
