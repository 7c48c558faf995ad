import type { Db } from '@salus/kernel/postgres/database'

const MOST_AT_ONCE = 1_000

/** Returns credentials of users whose connection has ended. */
export function listEndedCredentials(
  db: Db,
): Promise<{ environment_id: string; user_id: string; provider: string }[]> {
  return db
    .selectFrom('credentials')
    .innerJoin('connections', (join) =>
      join
        .onRef('connections.environment_id', '=', 'credentials.environment_id')
        .onRef('connections.user_id', '=', 'credentials.user_id')
        .onRef('connections.provider', '=', 'credentials.name'),
    )
    .select(['connections.environment_id', 'connections.user_id', 'connections.provider'])
    .where('connections.status', '=', 'deregistered')
    .limit(MOST_AT_ONCE)
    .execute()
}
