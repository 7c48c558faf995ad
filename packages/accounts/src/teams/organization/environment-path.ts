import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENTS, type EnvironmentKind } from '@salus/kernel/scope'
import Type from 'typebox'
import { type ManagementKeyIdentity, mayUseEnvironment } from './management-access.ts'
import { REGIONS, type Region } from './teams.schema.ts'

export const EnvironmentPathParams = Type.Object({
  org_id: Uuid,
  env: TextEnum(ENVIRONMENTS),
  region: TextEnum(REGIONS),
})

/** Environment and region in the path. */
export interface EnvironmentPath {
  env: EnvironmentKind
  region: Region
}

/** Part that a caller may see: one environment and region, of some or all (null) teams. */
export interface EnvironmentScope {
  environment: EnvironmentKind
  region: Region
  teamIds: string[] | null
}

/** Returns the part of the named environment that the caller may see. */
export function scopeOf(
  caller: ManagementKeyIdentity,
  { env, region }: EnvironmentPath,
): EnvironmentScope {
  const teamIds = mayUseEnvironment(caller, env) ? caller.teamIds : []
  return { environment: env, region, teamIds }
}
