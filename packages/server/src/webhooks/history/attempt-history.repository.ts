import { parseInstant } from '@salus/kernel/time/instants'
import type { AttemptFilter } from '../messages/messages.repository.ts'
import { type HistoryScope, queryHistory } from './event-history.repository.ts'
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
  return queryHistory(
    scope,
    state,
    `select ${ATTEMPT} from webhook_attempt_history
    where ${OF_ATTEMPTS} and event_id = {eventId:String}
    limit 1 by endpoint_id, event_id, number`,
    { eventId },
  )
}

/** Returns the moved attempts at an endpoint, the newest first. */
export function listMovedAttempts(
  scope: HistoryScope,
  state: HistoryState,
  { endpointId, status, eventType, before }: AttemptFilter,
  limit: number,
): Promise<AttemptHistoryRow[]> {
  const conditions = [OF_ATTEMPTS, 'webhook_attempt_history.endpoint_id = {endpointId:UUID}']
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
      ...{ endpointId, limit, eventType: eventType?.replace(/\*$/, '') ?? '' },
      ...(before !== null && {
        attemptedMs: parseInstant(before.attemptedAt)?.epochMilliseconds ?? 0,
        eventId: before.eventId,
        number: before.number,
      }),
    },
  )
}
