import { PAGE_SIZE, type Position } from '@salus/accounts/teams'
import { anyOf } from '@salus/kernel/postgres/bulk'
import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import type { CustomCredentialRow } from './custom-credentials.repository.ts'

/** Returns one row more than a page, oldest first. */
export function listCustomCredentials(
  db: Db,
  environmentIds: readonly string[],
  filter: { provider: string | undefined; after: Position | undefined },
): Promise<CustomCredentialRow[]> {
  const { provider, after } = filter
  let query = db
    .selectFrom('team_custom_credentials')
    .selectAll()
    .where('environment_id', '=', anyOf(environmentIds))
  if (provider !== undefined) query = query.where('provider', '=', provider)
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(created_at, id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE_SIZE + 1)
    .execute()
}

/** @returns those of the ids that existed */
export function removeCustomCredentials(
  db: Db,
  environmentIds: readonly string[],
  ids: readonly string[],
): Promise<Pick<CustomCredentialRow, 'id' | 'environment_id' | 'provider'>[]> {
  return db
    .deleteFrom('team_custom_credentials')
    .where('environment_id', '=', anyOf(environmentIds))
    .where('id', '=', anyOf(ids))
    .returning(['id', 'environment_id', 'provider'])
    .execute()
}

/** Returns how many teams have an app of their own in production, by provider. */
export async function countOwnApps(db: Db): Promise<ReadonlyMap<string, number>> {
  const rows = await db
    .selectFrom('team_custom_credentials as app')
    .innerJoin('team_environments as environment', 'environment.id', 'app.environment_id')
    .where('environment.environment', '=', 'production')
    .groupBy('app.provider')
    .select(({ fn }) => ['app.provider', fn.countAll<string>().as('teams')])
    .execute()
  return new Map(rows.map(({ provider, teams }) => [provider, Number(teams)]))
}
