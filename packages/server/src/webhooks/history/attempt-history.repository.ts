import { parseInstant } from '@salus/kernel/time/instants'
import type { AttemptFilter } from '../messages/messages.repository.ts'
import { onDaysOf } from './days-of-ids.ts'
import { type HistoryScope, queryHistory, SPANS_MS } from './event-history.repository.ts'
import type { AttemptHistoryRow } from './history-rows.ts'
import type { HistoryState } from './history-state.global.repository.ts'

const ATTEMPT = `event_id, toString(endpoint_id) as endpoint_id, toString(user_id) as user_id, event_type,
  number, toUnixTimestamp64Milli(webhook_attempt_history.attempted_at) as attempted_at_ms,
  response_status, error, duration_ms, response_body`
const OF_ATTEMPTS = 'environment_id = {environmentId:UUID} and move <= {moves:UInt64}'

/** Returns the moved attempts of an event, in no order. */
export function listMovedAttemptsOfEvent(
  scope: HistoryScope,
  state: HistoryState,
  eventId: string,
): Promise<AttemptHistoryRow[]> {
  const { condition, parameters } = onDaysOf('event_created_at', [eventId])
  return queryHistory(
    scope,
    state,
    `select ${ATTEMPT} from webhook_attempt_history
    where ${OF_ATTEMPTS} and event_id = {eventId:String} and ${condition}
    limit 1 by endpoint_id, event_id, number`,
    { ...parameters, eventId },
  )
}

/** Returns the moved attempts at an endpoint, the newest first. */
export async function listMovedAttempts(
  scope: HistoryScope,
  state: HistoryState,
  filter: AttemptFilter,
  limit: number,
): Promise<AttemptHistoryRow[]> {
  const until = filter.before === null ? state.movedAttemptsUntil?.getTime() : timeOf(filter.before)
  for (const span of SPANS_MS) {
    const from = Math.max(0, (until ?? 0) - span)
    const rows = await listMovedSince(scope, state, filter, { from, limit })
    if (rows.length === limit || from === 0) return rows
  }
  return []
}

const timeOf = ({ attemptedAt }: NonNullable<AttemptFilter['before']>): number =>
  parseInstant(attemptedAt)?.epochMilliseconds ?? 0

function listMovedSince(
  scope: HistoryScope,
  state: HistoryState,
  { endpointId, status, eventType, before }: AttemptFilter,
  { from, limit }: { from: number; limit: number },
): Promise<AttemptHistoryRow[]> {
  const conditions = [
    OF_ATTEMPTS,
    'webhook_attempt_history.endpoint_id = {endpointId:UUID}',
    'webhook_attempt_history.attempted_at >= fromUnixTimestamp64Milli({from:Int64})',
  ]
  const isSuccess = 'ifNull(response_status between 200 and 299, 0)'
  if (status === 'succeeded') conditions.push(isSuccess)
  if (status === 'failed') conditions.push(`not ${isSuccess}`)
  if (eventType?.endsWith('*')) conditions.push('startsWith(event_type, {eventType:String})')
  else if (eventType !== undefined) conditions.push('event_type = {eventType:String}')
  if (before !== null) {
    conditions.push(`(webhook_attempt_history.attempted_at, event_id, number)
      < (fromUnixTimestamp64Milli({attemptedMs:Int64}), {eventId:String}, {number:UInt32})`)
  }
  return queryHistory(
    scope,
    state,
    `select ${ATTEMPT} from webhook_attempt_history
    where ${conditions.join(' and ')}
    order by environment_id desc, webhook_attempt_history.endpoint_id desc,
      webhook_attempt_history.attempted_at desc, event_id desc, number desc
    limit 1 by webhook_attempt_history.attempted_at, event_id, number limit {limit:UInt32}`,
    {
      ...{ endpointId, from, limit, eventType: eventType?.replace(/\*$/, '') ?? '' },
      ...(before !== null && {
        attemptedMs: timeOf(before),
        eventId: before.eventId,
        number: before.number,
      }),
    },
  )
}
