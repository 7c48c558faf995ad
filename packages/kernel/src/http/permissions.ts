import type { FastifyRequest } from 'fastify'
import { isRead } from '../audit/audited-requests.ts'
import { AppError } from '../errors.ts'

/**
 * What keys, tokens and roles give access to (docs/roles.md). Contents of events, of webhooks and
 * of exports are data of people too: routes that return them require all of `DATA_OF_PEOPLE`.
 */
export const RESOURCES = {
  people: 'users: ids, settings such as time zone and birth date, devices',
  demographics: 'names, addresses, dates of birth and insurance of people',
  connections: 'connections of people to providers, their states and priorities',
  health: 'samples, summaries, imports and results of queries',
  orders: 'laboratory orders, appointments and requisitions',
  results: 'laboratory results, reports and critical results',
  tasks: 'tasks of the team: what waits, who has it and who acknowledged it',
  catalog: 'laboratories, lab tests, markers and service centers',
  webhooks: 'webhook endpoints, event types and deliveries',
  queries: 'continuous queries and tables of the query language',
  keys: 'keys, users of the organization, secrets of webhooks and FHIR clients',
  settings: 'teams, their settings, providers and laboratory connections',
  audit: 'the audit log',
  rights: 'exports, erasures, legal holds and retention of data',
  operation: 'the state of the installation; only of its first organization',
} as const

export type Resource = keyof typeof RESOURCES
export type Permission = `${Resource}:${'read' | 'write'}`
/** A permission, or a resource: its `read` for requests that only read, else its `write`. */
export type Need = Resource | Permission

/** Every permission. One to write includes the one to read. */
export const PERMISSIONS: readonly Permission[] = (Object.keys(RESOURCES) as Resource[]).flatMap(
  (resource): Permission[] => [`${resource}:read`, `${resource}:write`],
)

export const DATA_OF_PEOPLE: readonly Permission[] = [
  'people:read',
  'demographics:read',
  'health:read',
  'orders:read',
  'results:read',
]

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the route requires; none for a route that is open to every valid credential. */
    permissions?: readonly Permission[]
  }
}

/** Permissions of a credential; null means all. */
export type PermissionSet = ReadonlySet<Permission> | null

const INCLUDED_IN = new Map(
  PERMISSIONS.map((permission) => [
    permission,
    permission.replace(/:read$/, ':write') as Permission,
  ]),
)

export const hasPermission = (granted: PermissionSet, permission: Permission): boolean =>
  granted === null ||
  granted.has(permission) ||
  granted.has(INCLUDED_IN.get(permission) ?? permission)

/** Returns what both give access to. */
export function commonPermissions(one: PermissionSet, other: PermissionSet): PermissionSet {
  if (one === null) return other
  if (other === null) return one
  return new Set(
    PERMISSIONS.filter(
      (permission) => hasPermission(one, permission) && hasPermission(other, permission),
    ),
  )
}

/**
 * Checks that permissions include others.
 * @throws AppError 403 `insufficient_scope` with the first that is missing
 */
export function requirePermissions(granted: PermissionSet, needed: Iterable<Permission>): void {
  for (const permission of needed) {
    if (hasPermission(granted, permission)) continue
    const message = 'The key, token or role does not have the permission that this needs.'
    throw new AppError(403, 'insufficient_scope', message, { permission })
  }
}

/**
 * Checks a request before anything is looked up.
 * @throws AppError 403 `insufficient_scope`
 */
export function requirePermissionsOfRoute(
  { routeOptions }: FastifyRequest,
  granted: PermissionSet,
): void {
  const { permissions } = routeOptions.config
  // A route that declares nothing is a mistake, and closed.
  if (permissions === undefined) throw new Error(`${routeOptions.url} declares no permissions`)
  requirePermissions(granted, permissions)
}

/** Returns the permissions of a route. */
export function permissionsOf(
  needs: readonly Need[],
  route: Parameters<typeof isRead>[0],
): Permission[] {
  const action = isRead(route) ? 'read' : 'write'
  return needs.map((need) => (need.includes(':') ? need : `${need}:${action}`) as Permission)
}
