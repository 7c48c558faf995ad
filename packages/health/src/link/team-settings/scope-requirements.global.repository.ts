import type { Db } from '@salus/kernel/postgres/database'
import type { ScopeRequirementRow } from './scope-requirements.repository.ts'

/** Returns the scope requirements of a team, by provider. */
export function listScopeRequirements(
  db: Db,
  teamId: string,
  provider: string | undefined,
): Promise<ScopeRequirementRow[]> {
  let query = db.selectFrom('scope_requirements').selectAll().where('team_id', '=', teamId)
  if (provider !== undefined) query = query.where('provider', '=', provider)
  return query.orderBy('provider').execute()
}

export async function putScopeRequirement(
  db: Db,
  row: Omit<ScopeRequirementRow, 'updated_at'>,
  at: Date,
): Promise<void> {
  const content = {
    user_must_grant: JSON.stringify(row.user_must_grant),
    user_may_grant: JSON.stringify(row.user_may_grant),
    updated_at: at,
  }
  await db
    .insertInto('scope_requirements')
    .values({ team_id: row.team_id, provider: row.provider, ...content })
    .onConflict((conflict) => conflict.columns(['team_id', 'provider']).doUpdateSet(content))
    .execute()
}

export async function removeScopeRequirement(
  db: Db,
  teamId: string,
  provider: string,
): Promise<void> {
  await db
    .deleteFrom('scope_requirements')
    .where('team_id', '=', teamId)
    .where('provider', '=', provider)
    .execute()
}
