import { sql } from 'kysely'
import { type HistoryScope, queryHistory } from './event-history.repository.ts'
import type { HistoryState } from './history-state.global.repository.ts'

/** Attempts that are counted, in intervals of so many seconds since 1970. */
export interface AttemptRange {
  /** Undefined for all endpoints of the environment. */
  endpointId: string | undefined
  since: Date
  intervalSeconds: number
}

/** Attempts of an interval, which begins at this epoch second. */
export interface AttemptCount {
  from_second: number
  succeeded: number
  failed: number
}

const SUCCEEDED = sql`response_status between 200 and 299`

/** Counts attempts of PostgreSQL; an interval without any has no row. */
export async function countRecentAttempts(
  { db, environment }: HistoryScope,
  { endpointId, since, intervalSeconds }: AttemptRange,
): Promise<AttemptCount[]> {
  const isWanted = endpointId === undefined ? sql`true` : sql`endpoint.id = ${endpointId}`
  const { rows } = await sql<AttemptCount>`
    select (floor(extract(epoch from attempted_at) / ${sql.lit(intervalSeconds)})
        * ${sql.lit(intervalSeconds)})::bigint as from_second,
      count(*) filter (where ${SUCCEEDED}) as succeeded,
      count(*) filter (where ${SUCCEEDED} is not true) as failed
    from webhook_endpoints as endpoint
    cross join lateral (
      select attempted_at, response_status from webhook_attempts
      where environment_id = endpoint.environment_id and endpoint_id = endpoint.id
        and attempted_at >= ${since}
    ) as attempt
    where endpoint.environment_id = ${environment.id} and endpoint.deleted_at is null
      and ${isWanted}
    group by 1`.execute(db)
  return rows
}

/** Counts the attempts that were moved. */
export function countMovedAttempts(
  scope: HistoryScope,
  state: HistoryState,
  { endpointId, since, intervalSeconds }: AttemptRange,
): Promise<AttemptCount[]> {
  const ofEndpoint = endpointId === undefined ? '1' : 'endpoint_id = {endpointId:UUID}'
  const parameters = { since: since.getTime(), intervalSeconds }
  return queryHistory(
    scope,
    state,
    `select intDiv(toUnixTimestamp(attempted_at), {intervalSeconds:UInt32}) * {intervalSeconds:UInt32}
        as from_second,
      countIf(ifNull(response_status between 200 and 299, 0)) as succeeded,
      count() - succeeded as failed
    from webhook_attempt_history
    where environment_id = {environmentId:UUID} and ${ofEndpoint} and move <= {moves:UInt64}
      and attempted_at >= fromUnixTimestamp64Milli({since:Int64})
    group by from_second`,
    endpointId === undefined ? parameters : { ...parameters, endpointId },
  )
}
