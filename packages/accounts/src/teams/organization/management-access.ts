import { forbidden, notFound } from '@salus/kernel/errors'
import { ENVIRONMENTS, type EnvironmentKind } from '@salus/kernel/scope'
import { includesAll, PERMISSIONS_OF_ROLES, type Role } from './roles.registry.ts'
import type { TeamUpdate } from './teams.schema.ts'

/** Rights of a role and its bindings. */
export interface Power {
  role: Role
  /** Null means every team of the organization. */
  teamIds: string[] | null
  /** Null means both. */
  environments: EnvironmentKind[] | null
}

/** Caller of the management API. */
export interface ManagementKeyIdentity extends Power {
  id: string
  organizationId: string
  /** Session of the console that uses the key. */
  session?: { id: string; expiresAt: Date }
}

/**
 * Returns the caller if the request is about its own organization; any other is 404, so that
 * existence never leaks.
 */
export function callerFor(caller: ManagementKeyIdentity, orgId: string): ManagementKeyIdentity {
  if (caller.organizationId !== orgId.toLowerCase()) throw notFound('Organization')
  return caller
}

/** Whether a key may use a team of its organization. */
export function mayUseTeam({ teamIds }: Power, teamId: string): boolean {
  return teamIds === null || teamIds.includes(teamId.toLowerCase())
}

/** Whether a key may use an environment of the teams that it may use. */
export function mayUseEnvironment({ environments }: Power, environment: EnvironmentKind): boolean {
  return environments === null || environments.includes(environment)
}

/**
 * Requires a key for both environments, for what they share.
 * @throws AppError 403 `role_too_low`
 */
export function requireBothEnvironments({ environments }: Power): void {
  if (environments === null) return
  throw forbidden('role_too_low', 'This concerns both environments, and the key is limited to one.')
}

/** @throws AppError 403 `role_too_low` where a change reaches beyond the environment of the key */
export function refuseOtherEnvironments(caller: ManagementKeyIdentity, changes: TeamUpdate): void {
  const isWithin =
    changes.name === undefined &&
    changes.integration_team_id === undefined &&
    ENVIRONMENTS.every((name) => !changes[name] || mayUseEnvironment(caller, name))
  if (!isWithin) requireBothEnvironments(caller)
}

/** @throws AppError 403 `role_too_low` for any other role */
export function requireOrgAdmin({ role }: Power): void {
  if (role !== 'org_admin') {
    throw forbidden('role_too_low', 'This needs a management key with the role org_admin.')
  }
}

/** True when `holder` has all rights that `other` has. */
export function hasRightsOf(holder: Power, other: Power): boolean {
  if (holder.role === 'org_admin') return true
  if (other.role === 'org_admin') return false
  const [own, others] = [PERMISSIONS_OF_ROLES[holder.role], PERMISSIONS_OF_ROLES[other.role]]
  if (!includesAll(own, others)) return false
  const isWithin = other.environments?.every((name) => mayUseEnvironment(holder, name))
  if (!(isWithin ?? holder.environments === null)) return false
  if (holder.teamIds === null) return true
  return other.teamIds?.every((teamId) => mayUseTeam(holder, teamId)) ?? false
}

/** @throws AppError 403 `role_too_low` when `other` has more rights than the caller */
export function requireRightsOf(caller: Power, other: Power): void {
  if (!hasRightsOf(caller, other)) {
    throw forbidden('role_too_low', 'That management key has more rights than the calling one.')
  }
}
