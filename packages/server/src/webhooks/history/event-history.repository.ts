import { DAY_MS } from '@salus/contracts/time-units'
import type { QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import { leastEventId, timeOfEventId } from '@salus/kernel/events/event-id'
import type { RowScope, Scope } from '@salus/kernel/scope'
import type { FeedPosition } from '../feed/feed.repository.ts'
import type { EventFilter } from '../messages/messages.repository.ts'
import { onDaysOf } from './days-of-ids.ts'
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
  `(${selectVersions(columns, conditions, order)})`

const selectVersions = (columns: string, conditions: readonly string[], order = 'id desc') =>
  `select ${columns} from event_history
    where ${['environment_id = {environmentId:UUID}', 'move <= {moves:UInt64}', ...conditions].join(' and ')}
    order by environment_id ${order.endsWith('desc') ? 'desc' : ''}, ${order}, move desc
    limit 1 by id`

/** Whether everything that was moved is older than a time. */
export const isAfterMoved = (epochMilliseconds: number, movedBefore: string): boolean =>
  leastEventId(epochMilliseconds) >= movedBefore

/** First with what is young: a page reads a few of the partitions, which are days. */
export const SPANS_MS = [DAY_MS, 16 * DAY_MS, Number.POSITIVE_INFINITY]

type Summary = Pick<HistoryRow, 'id' | 'user_id' | 'event_type' | 'unsent_reason' | 'created_at_ms'>

/** What has something to do is never moved. */
export const isNeverMoved = ({ status }: Pick<EventFilter, 'status'>): boolean =>
  status === 'waiting' || status === 'pending'

/** A filter of events, of which those about a record alone can be wanted. */
export type MovedFilter = EventFilter & { subjectId?: string }

/** Returns moved events, the newest first. */
export async function listMovedEvents(
  scope: HistoryScope,
  state: HistoryState,
  filter: MovedFilter,
  limit: number,
): Promise<Summary[]> {
  if (isNeverMoved(filter)) return []
  const { parameters, conditions, ofNewest } = conditionsOf(filter)
  const before = [state.movedBefore, filter.before, parameters.until].reduce<string>(
    (least, id) => (typeof id === 'string' && id < least ? id : least),
    state.movedBefore,
  )
  const upper = timeOfEventId(before) + 1
  for (const span of SPANS_MS) {
    const from = Math.max(0, upper - span)
    const range = [...conditions, ...OF_SPAN]
    const given = { ...parameters, before, from, limit }
    const rows =
      ofNewest === undefined
        ? await queryHistory<Summary>(
            scope,
            state,
            `select ${SUMMARY} from ${versions('*', range)} order by id desc limit {limit:UInt32}`,
            given,
          )
        : await listByNewest(scope, state, [...range, ofNewest], ofNewest, given)
    if (rows.length === limit || from === 0) return rows
  }
  return []
}

const OF_SPAN = [
  'id < {before:String}',
  'created_at >= fromUnixTimestamp64Milli({from:Int64})',
] as const

/**
 * Returns events whose newest version meets a condition. Looks for those with any such version
 * first, in a few columns: to find a rare one, all events would be searched for newer versions.
 */
async function listByNewest(
  scope: HistoryScope,
  state: HistoryState,
  conditions: readonly string[],
  ofNewest: string,
  parameters: QueryParameters & { before: string; limit: number },
): Promise<Summary[]> {
  const found: Summary[] = []
  const { limit } = parameters
  let { before } = parameters
  for (;;) {
    const given = { ...parameters, before }
    const candidates = await queryHistory<{ id: string }>(
      scope,
      state,
      `${selectVersions('id', conditions)} limit {limit:UInt32}`,
      given,
    )
    const ids = candidates.map(({ id }) => id)
    if (ids.length > 0) {
      const of = ofIds(ids)
      const rows = await queryHistory<Summary>(
        scope,
        state,
        `select ${SUMMARY} from ${versions('*', of.conditions)} where ${ofNewest} order by id desc`,
        { ...given, ...of.parameters },
      )
      found.push(...rows)
    }
    before = ids.at(-1) ?? before
    if (ids.length < limit || found.length >= limit) return found.slice(0, limit)
  }
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
  const ofNewest: string[] = []
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
  const isWanted = ofNewest.length === 0 ? undefined : ofNewest.join(' and ')
  return { conditions, parameters, ofNewest: isWanted }
}

/** Returns the condition that an event is one of these, with its parameters. */
function ofIds(ids: readonly string[]) {
  const { condition, parameters } = onDaysOf('created_at', ids)
  return {
    conditions: ['id in {ids:Array(String)}', condition],
    parameters: { ids, ...parameters },
  }
}

/** Returns moved events with their bodies, in no order. */
export function findMovedEvents(
  scope: HistoryScope,
  state: HistoryState,
  ids: readonly string[],
): Promise<(HistoryRow & { body: string })[]> {
  const { conditions, parameters } = ofIds(ids)
  const sql = `select ${ALL}, body from ${versions('*', conditions)}`
  return queryHistory(scope, state, sql, parameters)
}

/** Returns the deliveries of moved events, those of one in a text. */
export function findMovedDeliveries(
  scope: HistoryScope,
  state: HistoryState,
  ids: readonly string[],
): Promise<Pick<HistoryRow, 'id' | 'user_id' | 'sequence' | 'deliveries'>[]> {
  const { conditions, parameters } = ofIds(ids)
  return queryHistory(
    scope,
    state,
    `select id, toString(user_id) as user_id, sequence, deliveries
    from ${versions('id, user_id, sequence, deliveries, move', conditions)}`,
    parameters,
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
  const { condition, parameters } = onDaysOf('created_at', [fromId, toId])
  return queryHistory(
    scope,
    state,
    `select id, event_type, deliveries
    from ${versions('id, event_type, deliveries, move', [...RANGE, condition], 'id')}
    order by id limit {limit:UInt32}`,
    { ...parameters, endpointId, fromId, toId, limit },
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
  const { conditions, parameters } = ofIds(ids)
  const rows = await queryHistory<{ id: string; body: string }>(
    scope,
    state,
    `select id, body from ${versions('id, body, move', conditions)}`,
    parameters,
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
