import type { RowScope } from '@salus/kernel/scope'
import { findCurrentPosition } from '../feed/feed.global.repository.ts'
import {
  type FeedEvent,
  type FeedPosition,
  listRecentEventsAfter,
} from '../feed/feed.repository.ts'
import type {
  AttemptFilter,
  AttemptRow,
  EventFilter,
  EventRow,
} from '../messages/messages.repository.ts'
import * as recent from '../messages/messages.repository.ts'
import * as attempts from './attempt-history.repository.ts'
import * as moved from './event-history.repository.ts'
import {
  readAttempt,
  readDeliveries,
  readEvent,
  readSummary,
  type StoredDelivery,
  type StoredEvent,
} from './history-rows.ts'
import {
  type HistoryState,
  readAtOneInstant,
  readHistoryState,
} from './history-state.global.repository.ts'
import { dropHidden, findDeletedUsers } from './visible-rows.repository.ts'

/**
 * Events of both stores. PostgreSQL has the recent ones and those with something to do, ClickHouse
 * the others. An answer that PostgreSQL has completely costs one small statement more; else all of
 * PostgreSQL is read at one instant, so that a move meanwhile changes nothing.
 */

type Scope = moved.HistoryScope

/** Returns events of a filter, the newest first. */
export async function listEvents(
  scope: Scope,
  filter: EventFilter,
  limit: number,
): Promise<EventRow[]> {
  const { rows } = await listWithMoved(scope, filter, limit, async (at) => ({
    rows: await recent.listEvents(at, filter, limit),
    unreadFrom: null,
  }))
  return rows
}

interface ReadEvents {
  rows: EventRow[]
  /** Id of the last event that was read, when there may be more; null at the end. */
  unreadFrom: string | null
}

/** Joins moved events to those that a function reads of PostgreSQL, the newest first. */
export async function listWithMoved(
  scope: Scope,
  filter: moved.MovedFilter,
  limit: number,
  readRecent: (scope: RowScope) => Promise<ReadEvents>,
): Promise<ReadEvents> {
  const { clickhouse, environment } = scope
  const found = await readRecent(scope)
  const state = await readHistoryState(scope.db)
  if (state.moves === 0 || isAfterMoved(found, limit, filter, state)) return found
  return readAtOneInstant(scope.db, async (db, at) => {
    const instant = { db, clickhouse, environment }
    const { rows, unreadFrom } = await readRecent(instant)
    const old = await readVisible(instant, limit, async (last: { id: string } | undefined) =>
      moved.listMovedEvents(instant, at, { ...filter, before: last?.id ?? filter.before }, limit),
    )
    const read = old.filter(({ id }) => unreadFrom === null || id > unreadFrom).map(readSummary)
    return { rows: [...rows, ...read].sort(byIdDescending).slice(0, limit), unreadFrom }
  })
}

/** Whether the events are a full page above all that was moved, or the filter excludes it. */
function isAfterMoved(
  { rows, unreadFrom }: ReadEvents,
  limit: number,
  filter: EventFilter,
  { movedBefore }: HistoryState,
): boolean {
  if (moved.isNeverMoved(filter)) return true
  if (unreadFrom !== null && unreadFrom >= movedBefore) return true
  const { since } = filter
  if (since !== undefined && moved.isAfterMoved(since, movedBefore)) return true
  const last = rows[limit - 1]
  return last !== undefined && last.id >= movedBefore
}

const byIdDescending = (one: { id: string }, other: { id: string }): number =>
  one.id < other.id ? 1 : -1

/** Reads pages until enough rows of them count, or there are no more. */
async function readVisible<Row extends { id: string; user_id: string }>(
  scope: Scope,
  limit: number,
  readPage: (last: Row | undefined) => Promise<Row[]>,
): Promise<Row[]> {
  const visible: Row[] = []
  let last: Row | undefined
  for (;;) {
    const page = await readPage(last)
    visible.push(...(await dropHidden(scope, page)))
    last = page.at(-1)
    if (page.length < limit || visible.length >= limit) return visible
  }
}

/** Returns an event with its body; undefined also for one about a deleted user. */
export async function findEvent(
  scope: Scope,
  eventId: string,
): Promise<(StoredEvent & { is_waiting: boolean }) | undefined> {
  const found = await recent.findEvent(scope, eventId)
  if (found !== undefined) return found
  const state = await readHistoryState(scope.db)
  if (eventId >= state.movedBefore) return undefined
  const [row] = await moved.findMovedEvents(scope, state, [eventId])
  if (row === undefined || (await findDeletedUsers(scope, [row])).size > 0) return undefined
  return readEvent(scope.environment.id, row)
}

/** Returns deliveries of events, in the order in which their endpoints were created. */
export async function listDeliveries(
  scope: Scope,
  eventIds: readonly string[],
): Promise<StoredDelivery[]> {
  const found = await recent.listDeliveries(scope, eventIds)
  const known = new Set(found.map(({ event_id: id }) => id))
  const others = eventIds.filter((id) => !known.has(id))
  if (others.length === 0) return found
  const state = await readHistoryState(scope.db)
  const old = others.filter((id) => id < state.movedBefore)
  if (old.length === 0) return found
  const rows = await moved.findMovedDeliveries(scope, state, old)
  return [...found, ...rows.flatMap((row) => readDeliveries(scope.environment.id, row))]
}

/** Returns the attempts of one event, the oldest first. */
export async function listAttemptsOfEvent(scope: Scope, eventId: string): Promise<AttemptRow[]> {
  const found = await recent.listAttemptsOfEvent(scope, eventId)
  const state = await readHistoryState(scope.db)
  if (eventId >= state.movedBefore) return found
  const rows = await attempts.listMovedAttemptsOfEvent(scope, state, eventId)
  const keyOf = (row: AttemptRow): string => `${row.endpoint_id} ${row.number}`
  const known = new Set(found.map(keyOf))
  const old = rows.map((row) => readAttempt(scope.environment.id, row))
  return [...found, ...old.filter((row) => !known.has(keyOf(row)))].sort(
    (one, other) =>
      one.attempted_at.getTime() - other.attempted_at.getTime() ||
      compare(one.endpoint_id, other.endpoint_id) ||
      one.number - other.number,
  )
}

const compare = (one: string, other: string): number => (one < other ? -1 : one > other ? 1 : 0)

type ListedAttempt = AttemptRow & { position: string }

/** Returns the attempts at one endpoint, the newest first, each with its position in the list. */
export async function listAttemptsOfEndpoint(
  scope: Scope,
  filter: AttemptFilter,
  limit: number,
): Promise<ListedAttempt[]> {
  const { clickhouse, environment } = scope
  const found = await recent.listAttemptsOfEndpoint(scope, filter, limit)
  const { movedAttemptsUntil: until } = await readHistoryState(scope.db)
  const last = found.at(-1)
  if (until === null || (found.length === limit && last && last.attempted_at > until)) return found
  return readAtOneInstant(scope.db, async (db, state) => {
    const instant = { db, clickhouse, environment }
    const rows = await recent.listAttemptsOfEndpoint(instant, filter, limit)
    const old = await readVisibleAttempts(instant, state, filter, limit)
    return [...rows, ...old].sort(newestFirst).slice(0, limit)
  })
}

const newestFirst = (one: AttemptRow, other: AttemptRow): number =>
  other.attempted_at.getTime() - one.attempted_at.getTime() ||
  compare(other.event_id, one.event_id) ||
  other.number - one.number

async function readVisibleAttempts(
  scope: Scope,
  state: HistoryState,
  filter: AttemptFilter,
  limit: number,
): Promise<ListedAttempt[]> {
  const visible: ListedAttempt[] = []
  let { before } = filter
  for (;;) {
    const page = (await attempts.listMovedAttempts(scope, state, { ...filter, before }, limit)).map(
      (row) => readAttempt(scope.environment.id, row),
    )
    const deleted = await findDeletedUsers(scope, page)
    visible.push(...page.filter(({ user_id: userId }) => !deleted.has(userId)))
    const last = page.at(-1)
    if (last === undefined || page.length < limit || visible.length >= limit) return visible
    before = { attemptedAt: last.position, eventId: last.event_id, number: last.number }
  }
}

/** Returns the next events of the feed after a position, old ones included. */
export async function listEventsAfter(
  scope: Scope,
  position: FeedPosition,
  limit: number,
): Promise<FeedEvent[]> {
  const { clickhouse, environment } = scope
  const { events, movedTransactionId } = await listRecentEventsAfter(scope, position, limit)
  if (BigInt(position.transactionId) > BigInt(movedTransactionId)) return events
  return readAtOneInstant(scope.db, async (db, state) => {
    const instant = { db, clickhouse, environment }
    const { events: rows } = await listRecentEventsAfter(instant, position, limit)
    const { transactionId: readableBefore } = await findCurrentPosition(db)
    const old = await readVisible(instant, limit, (last: moved.FeedRow | undefined) =>
      moved.listMovedAfter(
        instant,
        state,
        last === undefined
          ? position
          : { transactionId: last.transaction_id, sequence: last.sequence },
        { readableBefore, limit },
      ),
    )
    const page = [...rows, ...old].sort(byPosition).slice(0, limit)
    const ids = page.flatMap((row) => ('body' in row ? [] : [row.id]))
    const bodies = ids.length === 0 ? undefined : await moved.findMovedBodies(instant, state, ids)
    return page.flatMap((row) => {
      if ('body' in row) return [row]
      const body = bodies?.get(row.id)
      // It was erased at this very moment.
      if (body === undefined) return []
      const { created_at_ms: at, user_id: _, ...event } = row
      return [{ ...event, created_at: new Date(at), body: Buffer.from(body) }]
    })
  })
}

type Positioned = Pick<FeedEvent, 'transaction_id' | 'sequence'>

const byPosition = (one: Positioned, other: Positioned): number =>
  Number(BigInt(one.transaction_id) - BigInt(other.transaction_id)) || one.sequence - other.sequence
