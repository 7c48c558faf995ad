import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { prepared } from '@salus/kernel/postgres/prepared-statements'
import { sql } from 'kysely'

/**
 * Returns the only device of each user and provider that has exactly one. Uploads of all
 * environments are stored together.
 */
export function listOnlyDevices(
  db: Db,
  environmentIds: readonly string[],
  userIds: readonly string[],
): Promise<{ environment_id: string; user_id: string; provider: string; id: string }[]> {
  return prepared(db)
    .selectFrom('devices')
    .select(['environment_id', 'user_id', 'provider'])
    .select(sql<string>`min(id::text)`.as('id'))
    .where('environment_id', '=', anyOf(environmentIds))
    .where('user_id', '=', anyOf(userIds))
    .groupBy(['environment_id', 'user_id', 'provider'])
    .having(sql<boolean>`count(*) = 1`)
    .execute()
}
