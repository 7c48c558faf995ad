import { DAY_MS } from '@salus/contracts/time-units'
import type { QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import { leastEventId, timeOfEventId } from '@salus/kernel/events/event-id'
import type { RowScope, Scope } from '@salus/kernel/scope'
import type { FeedPosition } from '../feed/feed.repository.ts'
import type { EventFilter } from '../messages/messages.repository.ts'
import { type HistoryRow, NO_PERSON } from './history-rows.ts'
import type { HistoryState } from './history-state.global.repository.ts'

/** The environment and the stores of its events. */
export type HistoryScope = Pick<Scope, 'clickhouse'> & RowScope

const SUMMARY = `id, toString(user_id) as user_id, event_type, unsent_reason,
  toUnixTimestamp64Milli(created_at) as created_at_ms`
const ALL = `${SUMMARY}, sequence, toString(transaction_id) as transaction_id, deliveries,
  toString(only_endpoint_id) as only_endpoint_id, toString(except_endpoint_id) as except_endpoint_id,
  trace_parent, subject_ids`

/**
 * The version of each event that counts. Without FINAL the engine reads the newest granules of the
 * key, and no more than a page needs.
 */
const versions = (columns: string, conditions: readonly string[], order = 'id desc'): string =>
  `(select ${columns} from event_history
    where ${['environment_id = {environmentId:UUID}', 'move <= {moves:UInt64}', ...conditions].join(' and ')}
    order by environment_id ${order.endsWith('desc') ? 'desc' : ''}, ${order}, move desc
    limit 1 by id)`

/** Whether everything that was moved is older than a time. */
export const isAfterMoved = (epochMilliseconds: number, movedBefore: string): boolean =>
  leastEventId(epochMilliseconds) >= movedBefore

/** First with what is young: a page reads a few of the partitions, which are days. */
const SPANS_MS = [DAY_MS, 16 * DAY_MS, Number.POSITIVE_INFINITY]

type Summary = Pick<HistoryRow, 'id' | 'user_id' | 'event_type' | 'unsent_reason' | 'created_at_ms'>

/** A filter of events, of which those about a record alone can be wanted. */
export type MovedFilter = EventFilter & { subjectId?: string }

/** Returns moved events, the newest first; `waiting` ones are never moved. */
export async function listMovedEvents(
  scope: HistoryScope,
  state: HistoryState,
  filter: MovedFilter,
  limit: number,
): Promise<Summary[]> {
  if (filter.status === 'waiting') return []
  const { parameters, conditions, ofNewest } = conditionsOf(filter)
  const before = [state.movedBefore, filter.before, parameters.until].reduce<string>(
    (least, id) => (typeof id === 'string' && id < least ? id : least),
    state.movedBefore,
  )
  const upper = timeOfEventId(before) + 1
  for (const span of SPANS_MS) {
    const from = Math.max(0, upper - span)
    const rows = await queryHistory<Summary>(
      scope,
      state,
      `select ${SUMMARY} from ${versions('*', [...conditions, 'id < {before:String}', 'created_at >= fromUnixTimestamp64Milli({from:Int64})'])}
      where ${ofNewest} order by id desc limit {limit:UInt32}`,
      { ...parameters, before, from, limit },
    )
    if (rows.length === limit || from === 0) return rows
  }
  return []
}

/** Conditions that are true of all versions of an event or none, and those of the newest one. */
function conditionsOf(filter: MovedFilter) {
  const { eventType, userId, endpointId, status, since, until, subjectId } = filter
  const conditions: string[] = []
  const parameters: QueryParameters = {}
  if (eventType?.endsWith('*')) {
    conditions.push('startsWith(event_type, {prefix:String})')
    parameters.prefix = eventType.slice(0, -1)
  } else if (eventType !== undefined) {
    conditions.push('event_type = {eventType:String}')
    parameters.eventType = eventType
  }
  if (userId !== undefined) {
    conditions.push('user_id = {userId:UUID}', `user_id != '${NO_PERSON}'`)
    parameters.userId = userId
  }
  if (subjectId !== undefined) {
    conditions.push('has(subject_ids, {subjectId:UUID})')
    parameters.subjectId = subjectId
  }
  if (since !== undefined) {
    conditions.push('id >= {since:String}')
    parameters.since = leastEventId(since)
  }
  if (until !== undefined) parameters.until = leastEventId(until + 1)
  const ofNewest: string[] = ['1']
  if (status === 'unsent') ofNewest.push("unsent_reason != '' and empty(delivery_endpoints)")
  else if (status !== undefined) {
    const isOfEndpoint = endpointId === undefined ? '1' : 'endpoint = {endpointId:UUID}'
    ofNewest.push(`arrayExists((endpoint, status) -> status = {status:String} and ${isOfEndpoint},
      delivery_endpoints, delivery_statuses)`)
    parameters.status = status
  }
  if (endpointId !== undefined) {
    ofNewest.push('has(delivery_endpoints, {endpointId:UUID})')
    parameters.endpointId = endpointId
  }
  return { conditions, parameters, ofNewest: ofNewest.join(' and ') }
}

const OF_IDS = 'id in {ids:Array(String)}'

/** Returns moved events with their bodies, in no order. */
export function findMovedEvents(
  scope: HistoryScope,
  state: HistoryState,
  ids: readonly string[],
): Promise<(HistoryRow & { body: string })[]> {
  return queryHistory(scope, state, `select ${ALL}, body from ${versions('*', [OF_IDS])}`, { ids })
}

/** Returns the deliveries of moved events, those of one in a text. */
export function findMovedDeliveries(
  scope: HistoryScope,
  state: HistoryState,
  ids: readonly string[],
): Promise<Pick<HistoryRow, 'id' | 'user_id' | 'sequence' | 'deliveries'>[]> {
  return queryHistory(
    scope,
    state,
    `select id, toString(user_id) as user_id, sequence, deliveries
    from ${versions('id, user_id, sequence, deliveries, move', [OF_IDS])}`,
    { ids },
  )
}

const RANGE = [
  'id >= {fromId:String}',
  'id < {toId:String}',
  'only_endpoint_id is null',
  '(except_endpoint_id is null or except_endpoint_id != {endpointId:UUID})',
  "unsent_reason != 'event_type_prefixes'",
]

/** Returns the next moved events of a range of ids that an endpoint may get, the oldest first. */
export function listMovedRange(
  scope: HistoryScope,
  state: HistoryState,
  { endpointId, fromId, toId }: { endpointId: string; fromId: string; toId: string },
  limit: number,
): Promise<Pick<HistoryRow, 'id' | 'event_type' | 'deliveries'>[]> {
  return queryHistory(
    scope,
    state,
    `select id, event_type, deliveries
    from ${versions('id, event_type, deliveries, move', RANGE, 'id')}
    order by id limit {limit:UInt32}`,
    { endpointId, fromId, toId, limit },
  )
}

export type FeedRow = Pick<
  HistoryRow,
  'id' | 'user_id' | 'event_type' | 'sequence' | 'created_at_ms'
> & {
  transaction_id: string
}

/** Numbers of transactions in the first look; later ones are wider. */
const FIRST_TRANSACTIONS = 4_096n
const WIDER = 16n

/**
 * Returns the next moved events of the feed, without their bodies.
 * @param readableBefore The oldest transaction that runs.
 */
export async function listMovedAfter(
  scope: HistoryScope,
  state: HistoryState,
  { transactionId, sequence }: FeedPosition,
  { readableBefore, limit }: { readableBefore: string; limit: number },
): Promise<FeedRow[]> {
  const last = BigInt(state.movedTransactionId)
  for (let span = FIRST_TRANSACTIONS; ; span *= WIDER) {
    const until = BigInt(transactionId) + span
    const rows = await queryHistory<FeedRow>(
      scope,
      state,
      `select id, toString(user_id) as user_id, event_type, sequence,
        toString(event_history.transaction_id) as transaction_id,
        toUnixTimestamp64Milli(created_at) as created_at_ms
      from event_history
      where environment_id = {environmentId:UUID} and move <= {moves:UInt64}
        and event_history.transaction_id between {transactionId:UInt64} and {until:UInt64}
        and (event_history.transaction_id, sequence) > ({transactionId:UInt64}, {sequence:UInt64})
        and event_history.transaction_id < {readableBefore:UInt64}
        and only_endpoint_id is null and unsent_reason != 'event_type_prefixes'
      order by event_history.transaction_id, sequence limit 1 by id limit {limit:UInt32}`,
      { transactionId, until: String(until), sequence, readableBefore, limit },
    )
    if (rows.length === limit || until >= last) return rows
  }
}

/** Returns the bodies of moved events by their ids. */
export async function findMovedBodies(
  scope: HistoryScope,
  state: HistoryState,
  ids: readonly string[],
): Promise<Map<string, string>> {
  const rows = await queryHistory<{ id: string; body: string }>(
    scope,
    state,
    `select id, body from ${versions('id, body, move', [OF_IDS])}`,
    { ids },
  )
  return new Map(rows.map(({ id, body }) => [id, body]))
}

/** Runs a statement about what counts of an environment. */
export function queryHistory<Row>(
  { clickhouse, environment }: HistoryScope,
  { moves }: HistoryState,
  sql: string,
  parameters: QueryParameters,
): Promise<Row[]> {
  return clickhouse.queryRows<Row>(sql, { environmentId: environment.id, moves, ...parameters })
}
