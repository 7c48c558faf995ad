import { TextEnum, Uuid } from '@salus/contracts/schema-types'
import { ENVIRONMENTS, type EnvironmentKind } from '@salus/kernel/scope'
import Type from 'typebox'
import type { ManagementKeyIdentity } from './management-access.ts'
import { REGIONS, type Region } from './teams.schema.ts'

export const EnvironmentPathParams = Type.Object({
  org_id: Uuid,
  env: TextEnum(ENVIRONMENTS),
  region: TextEnum(REGIONS),
})

/** The environment and region of the address. */
export interface EnvironmentPath {
  env: EnvironmentKind
  region: Region
}

/** What a caller may see: one environment and region, of some or all (null) teams. */
export interface EnvironmentScope {
  environment: EnvironmentKind
  region: Region
  teamIds: string[] | null
}

/** What the caller may see of the environment that it names. */
export function scopeOf(
  { teamIds }: ManagementKeyIdentity,
  { env, region }: EnvironmentPath,
): EnvironmentScope {
  return { environment: env, region, teamIds }
}
