import type { Db } from '@salus/kernel/postgres/database'
import { sql } from 'kysely'
import { environmentsInScope } from '../keys/team-keys.repository.ts'
import { PAGE_SIZE, type Position } from '../organization/creation-order.ts'
import type { EnvironmentScope } from '../organization/environment-path.ts'
import type { StoredSettings } from '../organization/environment-settings.schema.ts'
import type { EnvironmentRow } from '../organization/teams.repository.ts'

/** A team of a list, with the settings of the environment in scope. */
interface ListedTeam {
  id: string
  created_at: Date
  settings: StoredSettings
}

/** Returns one row more than a page, the oldest team first. */
export function listTeamSettings(
  db: Db,
  organizationId: string,
  scope: EnvironmentScope,
  filter: { teamId?: string; after?: Position },
): Promise<ListedTeam[]> {
  const { teamId, after } = filter
  let query = environmentsInScope(db, organizationId, scope).select([
    'team.id',
    'team.created_at',
    'environment.settings',
  ])
  if (teamId !== undefined) query = query.where('team.id', '=', teamId)
  if (after !== undefined) {
    query = query.where(
      sql<boolean>`(team.created_at, team.id) > (${after.createdAt}::timestamptz, ${after.id}::uuid)`,
    )
  }
  return query
    .orderBy('team.created_at')
    .orderBy('team.id')
    .limit(PAGE_SIZE + 1)
    .execute()
}

/**
 * Returns the environments in scope in an order that cannot deadlock, locked until the transaction
 * ends.
 */
export function lockEnvironmentsInScope(
  db: Db,
  organizationId: string,
  scope: EnvironmentScope,
): Promise<EnvironmentRow[]> {
  return environmentsInScope(db, organizationId, scope)
    .selectAll('environment')
    .orderBy('environment.id')
    .forUpdate('environment')
    .execute()
}
