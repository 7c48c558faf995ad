import type { Db } from '../../../platform/postgres/database.ts'

/** People whose demo data end before an instant, of all environments. */
export function listBehind(
  db: Db,
  before: Date,
): Promise<{ environment_id: string; user_id: string }[]> {
  return db
    .selectFrom('demo_connections')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'demo_connections.environment_id')
        .onRef('users.id', '=', 'demo_connections.user_id'),
    )
    .select(['demo_connections.environment_id', 'demo_connections.user_id'])
    .distinct()
    .where('demo_connections.generated_until', '<', before)
    .where('users.deleted_at', 'is', null)
    .execute()
}

/** People whose first demo connection was made before an instant, of all environments. */
export function listOutdated(
  db: Db,
  before: Date,
): Promise<{ environment_id: string; user_id: string }[]> {
  return db
    .selectFrom('demo_connections')
    .innerJoin('users', (join) =>
      join
        .onRef('users.environment_id', '=', 'demo_connections.environment_id')
        .onRef('users.id', '=', 'demo_connections.user_id'),
    )
    .select(['demo_connections.environment_id', 'demo_connections.user_id'])
    .where('users.deleted_at', 'is', null)
    .groupBy(['demo_connections.environment_id', 'demo_connections.user_id'])
    .having((select) => select.fn.min('demo_connections.created_at'), '<', before)
    .execute()
}
