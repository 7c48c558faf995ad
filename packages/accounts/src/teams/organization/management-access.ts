import { forbidden, notFound } from '@salus/kernel/errors'
import type { Role } from './teams.schema.ts'

/** Rights of a role and its bindings. `teamIds` null means every team of the organization. */
export interface Power {
  role: Role
  teamIds: string[] | null
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

/** @throws AppError 403 `role_too_low` for a team_admin */
export function requireOrgAdmin({ role }: Power): void {
  if (role !== 'org_admin') {
    throw forbidden('role_too_low', 'This needs a management key with the role org_admin.')
  }
}

/** True when `holder` has all rights that `other` has. */
export function hasRightsOf(holder: Power, other: Power): boolean {
  if (holder.role === 'org_admin') return true
  if (other.role === 'org_admin') return false
  if (holder.teamIds === null) return true
  return other.teamIds?.every((teamId) => mayUseTeam(holder, teamId)) ?? false
}

/** @throws AppError 403 `role_too_low` when `other` has more rights than the caller */
export function requireRightsOf(caller: Power, other: Power): void {
  if (!hasRightsOf(caller, other)) {
    throw forbidden('role_too_low', 'That management key has more rights than the calling one.')
  }
}
