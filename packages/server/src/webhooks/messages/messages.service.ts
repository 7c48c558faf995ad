import type { EventType } from '@salus/contracts/event-type'
import { badRequest, conflict, invalidInput, notFound } from '@salus/kernel/errors'
import { unpackBody } from '@salus/kernel/events/event-body'
import { EVENT_ID, leastEventId } from '@salus/kernel/events/event-id'
import { newEvent, toRow } from '@salus/kernel/events/events'
import { insertEvents, UNSENT_REASONS } from '@salus/kernel/events/outbox'
import { integerKey, KeysetPages, LISTED_INSTANT, textKey } from '@salus/kernel/http/keyset-pages'
import { forEachRow, type RowResults } from '@salus/kernel/http/row-results'
import { addJob } from '@salus/kernel/jobs/jobs'
import type { Scope } from '@salus/kernel/scope'
import { formatInstant, parseEndBound, parseStartBound } from '@salus/kernel/time/instants'
import { isSuccess } from '../delivery/attempt-outcome.ts'
import { notifyDeliveries } from '../delivery/delivery.global.repository.ts'
import type { EndpointRow } from '../endpoints/endpoints.repository.ts'
import { listAllEndpoints } from '../endpoints/endpoints.repository.ts'
import { getEndpoint } from '../endpoints/endpoints.service.ts'
import { holdsKnownType, matchesFilter } from '../endpoints/filter-types.ts'
import * as all from '../history/all-events.ts'
import { holdMoves } from '../history/history-state.global.repository.ts'
import { bringBack } from '../history/returned-events.repository.ts'
import { findEventPage } from './event-pages.ts'
import type { AttemptRow, DeliveryRow, EventRow } from './messages.repository.ts'
import type {
  Attempt,
  AttemptListQuery,
  EventDetail,
  EventListQuery,
  EventSummary,
  Recovery,
} from './messages.schema.ts'
import { RECOVER_WEBHOOK } from './recovery.ts'
import * as resending from './resend.repository.ts'

function toSummary(row: EventRow, deliveries: readonly DeliveryRow[]): EventSummary {
  const isSent = deliveries.some(({ event_id: eventId }) => eventId === row.id)
  return {
    id: row.id,
    event_type: row.event_type,
    user_id: row.user_id,
    created_at: formatInstant(row.created_at),
    is_dispatched: !row.is_waiting,
    // An event that was resent since then is no longer unsent.
    unsent_reason: isSent ? null : row.unsent_reason,
    deliveries: deliveries
      .filter(({ event_id: eventId }) => eventId === row.id)
      .map((delivery) => ({
        webhook_id: delivery.endpoint_id,
        status: delivery.status,
        attempts: delivery.attempts,
        next_attempt_at: delivery.next_attempt_at && formatInstant(delivery.next_attempt_at),
      })),
  }
}

const EVENT_PAGES = new KeysetPages({ id: textKey(EVENT_ID) })

/** Refuses an unknown type, because a mistyped one only causes silence. @throws InputError 422 */
function refuseUnknownType(eventTypes: ReadonlySet<string>, type: string | undefined): void {
  if (type === undefined || holdsKnownType(eventTypes, type)) return
  throw invalidInput(['query', 'event_type'], 'There is no such event type', 'unknown_event_type')
}

/**
 * Returns a page of all events, the newest first, including those that matched no endpoint.
 * @param eventTypes Every type that a filter can name.
 */
export async function listEvents(
  scope: Scope,
  eventTypes: ReadonlySet<string>,
  query: EventListQuery,
) {
  const { event_type: eventType, user_id: userId, webhook_id: endpointId, status } = query
  refuseUnknownType(eventTypes, eventType)
  const since = query.since === undefined ? undefined : parseStartBound(query.since)
  const until = query.until === undefined ? undefined : parseEndBound(query.until)
  if (since !== undefined && until !== undefined && since > until) {
    throw badRequest('invalid_date_range', 'since is later than until.')
  }
  const { since: from, until: to, order_id: orderId } = query
  const terms = [eventType, userId, endpointId, status, from, to, orderId]
  const cursorScope = ['events', scope.environment.id, ...terms]
  const before = EVENT_PAGES.read(cursorScope, query.next_cursor)?.id ?? null
  const filter = { eventType, userId, endpointId, status, since, until, before }
  const { rows, next } = await findEventPage(scope, filter, query.order_id, query.limit)
  const ids = rows.map(({ id }) => id)
  const deliveries = await all.listDeliveries(scope, ids)
  return {
    data: rows.map((row) => toSummary(row, deliveries)),
    next_cursor: EVENT_PAGES.write(cursorScope, next === null ? null : { id: next }),
  }
}

async function getEventRow(scope: Scope, eventId: string) {
  const row = await all.findEvent(scope, eventId)
  if (row === undefined) throw notFound('Event')
  return row
}

/**
 * Returns an event with its payload and, for each endpoint, its delivery or the reason for which
 * there is none.
 */
export async function getEvent(scope: Scope, eventId: string): Promise<EventDetail> {
  const row = await getEventRow(scope, eventId)
  const deliveries = await all.listDeliveries(scope, [row.id])
  const endpoints = await listAllEndpoints(scope)
  const without = endpoints.filter(
    ({ id }) => !deliveries.some((delivery) => delivery.endpoint_id === id),
  )
  const isSent = deliveries.length > 0
  return {
    ...toSummary(row, deliveries),
    unsent_explanation: isSent ? null : row.unsent_reason && UNSENT_REASONS[row.unsent_reason],
    not_sent_to: row.is_waiting
      ? []
      : without.map((endpoint) => ({ webhook_id: endpoint.id, reason: reasonOf(row, endpoint) })),
    payload: JSON.parse(unpackBody(row.body).toString('utf8')),
  }
}

type NotSentReason = EventDetail['not_sent_to'][number]['reason']

function reasonOf(
  event: Awaited<ReturnType<typeof getEventRow>>,
  endpoint: EndpointRow,
): NotSentReason {
  // An example for this endpoint alone: only the state of the endpoint can have prevented it.
  if (event.only_endpoint_id === endpoint.id) return 'disabled'
  const isForAnother = event.only_endpoint_id !== null || event.except_endpoint_id === endpoint.id
  if (isForAnother || event.unsent_reason === 'event_type_prefixes') return 'left_out'
  if (endpoint.created_at > event.created_at) return 'created_later'
  if (!matchesFilter(endpoint.filter_types, event.event_type)) return 'not_subscribed'
  // Its filter matches the event now, so it did not match at that time.
  return endpoint.disabled_at === null ? 'not_subscribed' : 'disabled'
}

function toAttempt(row: AttemptRow): Attempt {
  return {
    event_id: row.event_id,
    event_type: row.event_type,
    webhook_id: row.endpoint_id,
    number: row.number,
    timestamp: formatInstant(row.attempted_at),
    status: isSuccess({ status: row.response_status }) ? 'succeeded' : 'failed',
    response_status_code: row.response_status,
    error: row.error,
    duration_ms: row.duration_ms,
    response_body: row.response_body,
  }
}

/** Returns every attempt to deliver an event, the oldest first. */
export async function listAttemptsOfEvent(scope: Scope, eventId: string) {
  const event = await getEventRow(scope, eventId)
  const rows = await all.listAttemptsOfEvent(scope, event.id)
  return { data: rows.map(toAttempt), next_cursor: null }
}

/** The largest integer of the column. */
const MOST_ATTEMPTS = 0x7fffffff

const ATTEMPT_PAGES = new KeysetPages({
  attemptedAt: LISTED_INSTANT,
  eventId: textKey(EVENT_ID),
  number: integerKey(1, MOST_ATTEMPTS),
})

/**
 * Returns a page of the attempts at an endpoint, the newest first.
 * @param eventTypes The same as in listEvents.
 */
export async function listAttemptsOfEndpoint(
  scope: Scope,
  eventTypes: ReadonlySet<string>,
  endpointId: string,
  query: AttemptListQuery,
) {
  const endpoint = await getEndpoint(scope, endpointId)
  const { status, event_type: eventType } = query
  refuseUnknownType(eventTypes, eventType)
  const cursorScope = ['attempts', endpoint.id, status, eventType]
  const before = ATTEMPT_PAGES.read(cursorScope, query.next_cursor)
  const filter = { endpointId: endpoint.id, status, eventType, before }
  const rows = await all.listAttemptsOfEndpoint(scope, filter, query.limit + 1)
  const { page, nextCursor } = ATTEMPT_PAGES.cut(cursorScope, rows, query.limit, (row) => ({
    attemptedAt: row.position,
    eventId: row.event_id,
    number: row.number,
  }))
  return { data: page.map(toAttempt), next_cursor: nextCursor }
}

/** @throws AppError 404, 400 `webhook_disabled` */
async function getEnabledEndpoint(scope: Scope, endpointId: string) {
  const endpoint = await getEndpoint(scope, endpointId)
  if (endpoint.disabled_at === null) return endpoint
  throw badRequest('webhook_disabled', 'The webhook is disabled. Enable it first.')
}

/** Sends an event to an endpoint again, with the same message id. */
export async function resendEvent(
  scope: Scope,
  endpointId: string,
  eventId: string,
): Promise<EventSummary> {
  const { clock } = scope
  const endpoint = await getEnabledEndpoint(scope, endpointId)
  const event = await getEventRow(scope, eventId)
  if (event.is_waiting) {
    throw conflict('not_dispatched', 'The event was not sent for the first time yet.')
  }
  const resend = { eventId: event.id, endpointId: endpoint.id, at: clock.now() }
  await scope.transaction(async (tx) => {
    await holdMoves(tx.db)
    await bringBack(tx, [event.id])
    await resending.resendEvent(tx, resend)
    await notifyDeliveries(tx.db, [endpoint.id])
  })
  return toSummary(event, await all.listDeliveries(scope, [event.id]))
}

/**
 * Sends events again to one endpoint; returns the outcome of each.
 * @throws AppError 404 for the endpoint, 400 `webhook_disabled`
 */
export async function resendEvents(
  scope: Scope,
  endpointId: string,
  eventIds: readonly string[],
): Promise<RowResults> {
  await getEnabledEndpoint(scope, endpointId)
  return forEachRow([...new Set(eventIds)], (id) => resendEvent(scope, endpointId, id))
}

/**
 * Sends, in the background, the events since a date that match the endpoint and were not delivered.
 */
export async function recoverWebhook(
  scope: Scope,
  endpointId: string,
  { since, until }: Recovery,
): Promise<void> {
  const { db, clock, environment } = scope
  const endpoint = await getEnabledEndpoint(scope, endpointId)
  const from = parseStartBound(since) as number
  const to = until ? (parseEndBound(until) as number) : clock.now().getTime()
  if (from > to) throw badRequest('invalid_date_range', 'since is later than until.')
  const payload = {
    environmentId: environment.id,
    endpointId: endpoint.id,
    fromId: leastEventId(from),
    toId: leastEventId(to + 1),
  }
  await addJob(db, RECOVER_WEBHOOK, payload, { queue: `recover ${endpoint.id}` })
}

/** Sends an example of a type to one endpoint, whatever its filters; returns its id. */
export async function sendExample(
  scope: Scope,
  catalog: readonly EventType[],
  endpointId: string,
  eventType: string,
): Promise<{ event_id: string }> {
  const { db, clock, environment } = scope
  const endpoint = await getEnabledEndpoint(scope, endpointId)
  const type = catalog.find(({ name }) => name === eventType)
  if (type === undefined) {
    throw invalidInput(['body', 'event_type'], 'There is no such event type', 'unknown_event_type')
  }
  const user = type.isAboutUser ? EXAMPLE_USER : null
  const event = newEvent({ type, user, data: type.example, onlyEndpointId: endpoint.id })
  // The request names the type, so no setting of the team applies.
  const settings = { event_type_prefixes: null }
  const row = toRow({ ...environment, settings }, event, clock.now())
  await insertEvents(db, [row])
  return { event_id: row.id }
}

const EXAMPLE_USER = {
  id: '3fa85f64-5717-4562-b3fc-2c963f66afa6',
  client_user_id: 'example',
}

/** Lists the event types, each with its schema and an example. */
export function listEventTypes(catalog: readonly EventType[]) {
  return {
    data: catalog.map(({ name, meaning, isAboutUser, data, example }) => ({
      name,
      meaning,
      is_about_user: isAboutUser,
      schema: data,
      example,
    })),
  }
}
