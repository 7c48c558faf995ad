import type { Db } from '@salus/kernel/postgres/database'

interface DemoUser {
  environment_id: string
  user_id: string
}

const selectLive = (db: Db) =>
  db
    .selectFrom('demo_connections')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'demo_connections.environment_id')
        .onRef('users.id', '=', 'demo_connections.user_id')
        .on('users.deleted_at', 'is', null),
    )
    .select(['demo_connections.environment_id', 'demo_connections.user_id'])

/** Returns users of all environments whose demo data end before an instant. */
export function listUsersToExtend(db: Db, before: Date): Promise<DemoUser[]> {
  return selectLive(db).distinct().where('demo_connections.generated_until', '<', before).execute()
}

/** Returns users of all environments whose first demo connection was made before an instant. */
export function listUsersToEnd(db: Db, before: Date): Promise<DemoUser[]> {
  return selectLive(db)
    .groupBy(['demo_connections.environment_id', 'demo_connections.user_id'])
    .having((select) => select.fn.min('demo_connections.created_at'), '<', before)
    .execute()
}
