import type { ColumnType, Selectable } from 'kysely'
import type { Scope } from '../../../platform/scope.ts'

interface ScopeRequirementsTable {
  team_id: string
  provider: string
  user_must_grant: ColumnType<string[], string, string>
  user_may_grant: ColumnType<string[], string, string>
  updated_at: Date
}

declare module '../../../platform/postgres/database.ts' {
  interface Database {
    scope_requirements: ScopeRequirementsTable
  }
}

export type ScopeRequirementRow = Selectable<ScopeRequirementsTable>

/** What the team of an environment demands of a provider. */
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
