import { invalidInput } from '@salus/kernel/errors'
import type { Db } from '@salus/kernel/postgres/database'
import { type EnvironmentPath, scopeOf } from '../organization/environment-path.ts'
import type { ManagementKeyIdentity } from '../organization/management-access.ts'
import { getTeamEnvironment, getTeamRow } from '../organization/teams.service.ts'
import { environmentsInScope } from './team-keys.repository.ts'

/** An environment that a management key may configure. */
export interface ManagedEnvironment {
  environmentId: string
  teamId: string
}

/** @throws InputError when the team is in another region than the path names */
export function requireRegion(team: { region: string }, { region }: EnvironmentPath): void {
  if (team.region === region) return
  throw invalidInput(['path', 'region'], 'The team is in another region', 'region_mismatch')
}

/**
 * Returns the environment of a team, which has to be in the region of the path.
 * @throws AppError 404; InputError
 */
export async function getManagedEnvironment(
  db: Db,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
  teamId: string,
): Promise<ManagedEnvironment> {
  const { team, environmentId } = await getTeamEnvironment(db, caller, teamId, path.env)
  requireRegion(team, path)
  return { environmentId, teamId: team.id }
}

/** Returns the environments of every team that the caller may use. */
export async function listManagedEnvironments(
  db: Db,
  caller: ManagementKeyIdentity,
  path: EnvironmentPath,
): Promise<ManagedEnvironment[]> {
  return environmentsInScope(db, caller.organizationId, scopeOf(caller, path))
    .select(['environment.id as environmentId', 'team.id as teamId'])
    .execute()
}

/** Returns the id of a team that the caller may use. @throws AppError 404 */
export async function getManagedTeamId(
  db: Db,
  caller: ManagementKeyIdentity,
  teamId: string,
): Promise<string> {
  return (await getTeamRow(db, caller, teamId)).id
}
