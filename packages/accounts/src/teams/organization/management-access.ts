import { forbidden, notFound } from '@salus/kernel/errors'
import type { Role } from './teams.schema.ts'

/** What a role and its bindings allow. `teamIds` null is every team of the organization. */
export interface Power {
  role: Role
  teamIds: string[] | null
}

/** Who calls the management API. */
export interface ManagementKeyIdentity extends Power {
  id: string
  organizationId: string
  /** Of the console, when a session of it calls as the key. */
  session?: { id: string; expiresAt: Date }
}

/**
 * The caller, when it asks about its own organization; any other is 404, so that existence never
 * leaks.
 */
export function callerFor(caller: ManagementKeyIdentity, orgId: string): ManagementKeyIdentity {
  if (caller.organizationId !== orgId.toLowerCase()) throw notFound('Organization')
  return caller
}

/** Whether a key reaches a team of its organization. */
export function mayUseTeam({ teamIds }: Power, teamId: string): boolean {
  return teamIds === null || teamIds.includes(teamId.toLowerCase())
}

/** @throws AppError 403 `role_too_low` for a team_admin */
export function requireOrgAdmin({ role }: Power): void {
  if (role !== 'org_admin') {
    throw forbidden('role_too_low', 'This needs a management key with the role org_admin.')
  }
}

/** True when `holder` can do all that `other` can. */
export function covers(holder: Power, other: Power): boolean {
  if (holder.role === 'org_admin') return true
  if (other.role === 'org_admin') return false
  if (holder.teamIds === null) return true
  return other.teamIds?.every((teamId) => mayUseTeam(holder, teamId)) ?? false
}

/** @throws AppError 403 `role_too_low` when `other` reaches further than the caller */
export function requirePowerOver(caller: Power, other: Power): void {
  if (!covers(caller, other)) {
    throw forbidden('role_too_low', 'That management key has more rights than the calling one.')
  }
}
