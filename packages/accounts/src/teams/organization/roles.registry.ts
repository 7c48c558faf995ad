import {
  commonPermissions,
  hasPermission,
  PERMISSIONS,
  type Permission,
  type PermissionSet,
} from '@salus/kernel/http/permissions'

/**
 * Roles of management keys, and so of users of the console. An org_admin has what a team_admin has,
 * and in addition what is the organization's.
 */
export const ROLES = ['org_admin', 'team_admin', 'clinician', 'developer', 'viewer'] as const
export type Role = (typeof ROLES)[number]

/** What each role may do; null means everything. A permission to write includes that to read. */
export const PERMISSIONS_OF_ROLES: Readonly<Record<Role, PermissionSet>> = {
  org_admin: null,
  team_admin: null,
  clinician: new Set<Permission>([
    'people:write',
    'demographics:write',
    'connections:write',
    'health:write',
    'orders:write',
    'results:write',
    'tasks:write',
    'catalog:read',
    'webhooks:read',
    'queries:read',
    'settings:read',
    'audit:read',
    'rights:read',
  ]),
  // Sets up and watches the service, and sees no health data and no names.
  developer: new Set<Permission>([
    'people:read',
    'connections:write',
    'catalog:write',
    'webhooks:write',
    'queries:write',
    'keys:write',
    'settings:write',
    'audit:read',
    'operation:write',
  ]),
  viewer: new Set(
    PERMISSIONS.filter(
      (permission) =>
        permission.endsWith(':read') &&
        permission !== 'keys:read' &&
        permission !== 'operation:read',
    ),
  ),
}

/** Returns the permissions of a set as a sorted list, each with those that it includes. */
export const listPermissions = (granted: PermissionSet): Permission[] =>
  PERMISSIONS.filter((permission) => hasPermission(granted, permission))

/** Whether a set has all permissions of another one. */
export const includesAll = (granted: PermissionSet, other: PermissionSet): boolean =>
  granted === null ||
  (other !== null && listPermissions(other).every((one) => hasPermission(granted, one)))

/** Returns the permissions of a token: those that it was given, within those of the role. */
export const permissionsOfToken = (
  role: Role,
  scopes: readonly Permission[] | null,
): PermissionSet => commonPermissions(PERMISSIONS_OF_ROLES[role], toPermissionSet(scopes))

export const toPermissionSet = (scopes: readonly Permission[] | null): PermissionSet =>
  scopes && new Set(scopes)
