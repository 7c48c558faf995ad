import { unpackBody } from '@salus/kernel/events/event-body'
import type { Scope } from '@salus/kernel/scope'
import * as all from '../history/all-events.ts'
import type { EventFilter, EventRow } from './messages.repository.ts'
import * as repository from './messages.repository.ts'

interface EventPage {
  rows: EventRow[]
  /** Id of the event after which the next page begins; null on the last one. */
  next: string | null
}

/**
 * Returns events, the newest first, all or those about one order.
 * @param limit Maximum number; about an order there may be fewer, or none, and more on the next
 *   page.
 */
export function findEventPage(
  scope: Scope,
  filter: EventFilter,
  orderId: string | undefined,
  limit: number,
): Promise<EventPage> {
  return orderId === undefined
    ? findPage(scope, filter, limit)
    : findPageOfOrder(scope, filter, orderId.toLowerCase(), limit)
}

/**
 * Returns events about a user that could not be delivered to a webhook, the newest first.
 * @param before Only events with a smaller id, which are older.
 */
export function listFailedMessages(
  scope: Scope,
  userId: string,
  before: string,
  limit: number,
): Promise<Pick<EventRow, 'id' | 'event_type' | 'created_at'>[]> {
  const filter = { userId, status: 'failed' as const, before }
  return all.listEvents(scope, { ...NO_FILTER, ...filter }, limit)
}

const NO_FILTER = {
  eventType: undefined,
  endpointId: undefined,
  since: undefined,
  until: undefined,
}

async function findPage(scope: Scope, filter: EventFilter, limit: number): Promise<EventPage> {
  const rows = await all.listEvents(scope, filter, limit + 1)
  const page = rows.slice(0, limit)
  return { rows: page, next: rows.length > limit ? (page.at(-1)?.id ?? null) : null }
}

/**
 * Number of events of PostgreSQL whose bodies are read for one page: events of former versions only
 * say there what they are about, and bodies may be compressed, so that no index finds orders.
 */
const MOST_BODIES_READ = 500

async function findPageOfOrder(
  scope: Scope,
  filter: EventFilter,
  orderId: string,
  limit: number,
): Promise<EventPage> {
  const about = { ...filter, subjectId: orderId }
  const { rows: found, unreadFrom } = await all.listWithMoved(
    scope,
    about,
    limit + 1,
    async (at) => {
      const read = await repository.listLabEvents(at, filter, MOST_BODIES_READ)
      const rows = read.filter(({ body }) => isAboutOrder(body, orderId))
      return { rows, unreadFrom: read.length < MOST_BODIES_READ ? null : (read.at(-1)?.id ?? null) }
    },
  )
  const rows = found.slice(0, limit)
  return { rows, next: found.length > limit ? (rows.at(-1)?.id ?? null) : unreadFrom }
}

/** Whether the data of an event are an order, or a part of it. */
function isAboutOrder(body: Buffer, orderId: string): boolean {
  const { data } = JSON.parse(unpackBody(body).toString('utf8')) as {
    data: Record<string, unknown>
  }
  return [data.id, data.order_id, data.resolved_order_id].includes(orderId)
}
