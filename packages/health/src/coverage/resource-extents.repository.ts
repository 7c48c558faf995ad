import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Scope } from '@salus/kernel/scope'
import type { PullFilter } from './introspection.repository.ts'

interface ConnectionName {
  user_id: string
  provider: string
}

/**
 * Returns users with a connection, also an ended one, in order of their ids, after the given one.
 */
export async function listConnectedUsers(
  { db, environment }: Scope,
  { userId, provider }: PullFilter,
  after: string | null,
  limit: number,
): Promise<string[]> {
  let query = db
    .selectFrom('connections')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'connections.environment_id')
        .onRef('users.id', '=', 'connections.user_id')
        .on('users.deleted_at', 'is', null),
    )
    .select('connections.user_id')
    .distinct()
    .where('connections.environment_id', '=', environment.id)
  if (userId !== null) query = query.where('connections.user_id', '=', userId)
  if (provider !== null) query = query.where('connections.provider', '=', provider)
  if (after !== null) query = query.where('connections.user_id', '>', after)
  const rows = await query.orderBy('connections.user_id').limit(limit).execute()
  return rows.map((row) => row.user_id)
}

export function listConnectionNames(
  { db, environment }: Scope,
  userIds: readonly string[],
): Promise<ConnectionName[]> {
  return db
    .selectFrom('connections')
    .select(['user_id', 'provider'])
    .where('environment_id', '=', environment.id)
    .where('user_id', '=', anyOf(userIds))
    .orderBy('user_id')
    .orderBy('provider')
    .execute()
}

/** Time range of a user's samples of a series from a provider. */
interface SeriesExtent {
  user_id: string
  provider: string
  series: string
  /** Start of the first and of the last sample in epoch milliseconds. */
  oldest: number
  newest: number
}

/** For a single user the engine groups by short names, which takes less than half the time. */
export async function listSeriesExtents(
  { clickhouse, environment }: Scope,
  userIds: readonly string[],
): Promise<SeriesExtent[]> {
  const [only] = userIds.length === 1 ? userIds : []
  const person = only === undefined ? 'user_id, ' : ''
  const rows = await clickhouse.queryRows<SeriesExtent>(
    `select ${person}provider, series,
      toUnixTimestamp64Milli(min(started_at)) as oldest,
      toUnixTimestamp64Milli(max(started_at)) as newest
    from samples
    where environment_id = {environmentId:UUID} and user_id in {userIds:Array(UUID)}
    group by ${person}provider, series`,
    { environmentId: environment.id, userIds },
  )
  return only === undefined ? rows : rows.map((row) => ({ ...row, user_id: only }))
}
