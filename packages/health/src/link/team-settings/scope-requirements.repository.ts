import type { Scope } from '@salus/kernel/scope'
import type { ColumnType, Selectable } from 'kysely'

interface ScopeRequirementsTable {
  team_id: string
  provider: string
  user_must_grant: ColumnType<string[], string, string>
  user_may_grant: ColumnType<string[], string, string>
  updated_at: Date
}

declare module '@salus/kernel/postgres/database' {
  interface Database {
    scope_requirements: ScopeRequirementsTable
  }
}

export type ScopeRequirementRow = Selectable<ScopeRequirementsTable>

/** Returns the scopes that the team of an environment requires of a provider. */
export function findScopeRequirement(
  { db, environment }: Scope,
  provider: string,
): Promise<ScopeRequirementRow | undefined> {
  return db
    .selectFrom('scope_requirements')
    .selectAll()
    .where('team_id', '=', environment.teamId)
    .where('provider', '=', provider)
    .executeTakeFirst()
}
