import type { ClickHouse, QueryParameters } from '@salus/kernel/clickhouse/clickhouse'
import type { HistoryState } from './history-state.global.repository.ts'

/** Attempts of one endpoint, of a time range. */
export interface MovedFigures {
  endpoint_id: string
  succeeded: number
  failed: number
  last_attempt_at_ms: number
}

/** An attempt of the newest ones of an endpoint. */
export interface TimedAttempt {
  endpoint_id: string
  duration_ms: number
  /** Time from the event to its first attempt; null for later attempts. */
  lag_ms: number | null
}

/** Moved attempts since a time, of one environment or of all. */
export interface FiguresRange {
  environmentId?: string
  since: Date
}

function conditionOf({ moves }: HistoryState, { environmentId, since }: FiguresRange) {
  const parameters: QueryParameters = { moves, since: since.getTime() }
  if (environmentId !== undefined) parameters.environmentId = environmentId
  return {
    condition: `${environmentId === undefined ? '1' : 'environment_id = {environmentId:UUID}'}
      and move <= {moves:UInt64} and attempted_at >= fromUnixTimestamp64Milli({since:Int64})`,
    parameters,
  }
}

/** Counts moved attempts by endpoint. */
export function countMovedAttempts(
  clickhouse: ClickHouse,
  state: HistoryState,
  range: FiguresRange,
): Promise<MovedFigures[]> {
  const { condition, parameters } = conditionOf(state, range)
  return clickhouse.queryRows<MovedFigures>(
    `select toString(endpoint_id) as endpoint_id,
      toUInt32(countIf(ifNull(response_status between 200 and 299, 0))) as succeeded,
      toUInt32(count() - countIf(ifNull(response_status between 200 and 299, 0))) as failed,
      toUnixTimestamp64Milli(max(attempted_at)) as last_attempt_at_ms
    from webhook_attempt_history where ${condition} group by endpoint_id`,
    parameters,
  )
}

/** Returns the newest moved attempts of each endpoint, the newest first. */
export function listNewestMovedAttempts(
  clickhouse: ClickHouse,
  state: HistoryState,
  range: FiguresRange,
  limit: number,
): Promise<TimedAttempt[]> {
  const { condition, parameters } = conditionOf(state, range)
  return clickhouse.queryRows<TimedAttempt>(
    `select toString(endpoint_id) as endpoint_id, duration_ms,
      if(number = 1, toUnixTimestamp64Milli(attempted_at) - toUnixTimestamp64Milli(event_created_at), null)
        as lag_ms
    from webhook_attempt_history where ${condition}
    order by attempted_at desc limit {limit:UInt32} by webhook_attempt_history.endpoint_id`,
    { ...parameters, limit },
  )
}
