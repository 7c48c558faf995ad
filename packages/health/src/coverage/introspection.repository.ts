import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Scope } from '@salus/kernel/scope'
import type { HistoricalPullRow } from '../ingest/index.ts'

export interface PullFilter {
  userId: string | null
  provider: string | null
}

/** Returns users with history, in order of their ids, after the given one. */
export async function listPulledUsers(
  { db, environment }: Scope,
  { userId, provider }: PullFilter,
  after: string | null,
  limit: number,
): Promise<string[]> {
  let query = db
    .selectFrom('historical_pulls')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'historical_pulls.environment_id')
        .onRef('users.id', '=', 'historical_pulls.user_id')
        .on('users.deleted_at', 'is', null),
    )
    .select('historical_pulls.user_id')
    .distinct()
    .where('historical_pulls.environment_id', '=', environment.id)
  if (userId !== null) query = query.where('historical_pulls.user_id', '=', userId)
  if (provider !== null) query = query.where('historical_pulls.provider', '=', provider)
  if (after !== null) query = query.where('historical_pulls.user_id', '>', after)
  const rows = await query.orderBy('historical_pulls.user_id').limit(limit).execute()
  return rows.map((row) => row.user_id)
}

export function listPulls(
  { db, environment }: Scope,
  userIds: readonly string[],
  provider: string | null,
): Promise<HistoricalPullRow[]> {
  let query = db
    .selectFrom('historical_pulls')
    .selectAll()
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', anyOf(userIds))
  if (provider !== null) query = query.where('provider', '=', provider)
  return query.orderBy('user_id').orderBy('provider').orderBy('resource').execute()
}

/** The UTC days, YYYY-MM-DD, on which a user has samples of a provider and series. */
interface DaysWithData {
  user_id: string
  provider: string
  series: string
  days: string[]
}

/** Returns the UTC days on which samples of these series start, by user, provider and series. */
export function listDaysWithData(
  { clickhouse, environment }: Scope,
  userIds: readonly string[],
  series: readonly string[],
  range: { from: Date; to: Date },
): Promise<DaysWithData[]> {
  return clickhouse.queryRows<DaysWithData>(
    `select user_id, provider, series, groupUniqArray(toString(toDate(started_at, 'UTC'))) as days
    from samples
    where environment_id = {environmentId:UUID} and user_id in {userIds:Array(UUID)}
      and series in {series:Array(String)}
      and started_at >= fromUnixTimestamp64Milli({from:Int64}, 'UTC')
      and started_at <= fromUnixTimestamp64Milli({to:Int64}, 'UTC')
    group by user_id, provider, series`,
    {
      environmentId: environment.id,
      userIds,
      series,
      from: range.from.getTime(),
      to: range.to.getTime(),
    },
  )
}
