import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'

/**
 * Whether any environment allows pages of the origin. A browser asks before it sends a link token,
 * so the team is not known yet.
 */
export async function isLinkOriginOfAny(db: Db, origin: string): Promise<boolean> {
  const found = await db
    .selectFrom('team_environments as environment')
    .innerJoin('teams as team', 'team.id', 'environment.team_id')
    .select('environment.id')
    .where('team.deleted_at', 'is', null)
    .where(sql<boolean>`environment.settings -> 'link_origins' ? ${origin}`)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}
