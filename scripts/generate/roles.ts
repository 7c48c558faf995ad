import { listPermissions, PERMISSIONS_OF_ROLES, ROLES, type Role } from '@salus/accounts/teams'
import { RESOURCES, type Resource } from '@salus/kernel/http/permissions'
import { code, codeList, generatedNotice, joinParts, markdownTable } from './markdown.ts'
import type { OpenApiDocument } from './sdk-operations.ts'

const MEANING: Readonly<Record<Role, string>> = {
  org_admin: 'everything in the organization; teams and their names; other org_admins',
  team_admin: 'everything in the teams of the key, without creating and deleting teams',
  clinician: 'people, their health data, orders and results; no keys, secrets and settings',
  developer: 'connections, webhooks, queries, keys and settings; no health data and no names',
  viewer: 'reads what people and their data are; no keys, secrets and downloads of exports',
}

/** Generates docs/roles.md: permissions, roles, and what needs more than one permission. */
export function describeRoles(document: OpenApiDocument): string {
  return joinParts(
    generatedNotice(
      'packages/accounts/src/teams/organization/roles.registry.ts and packages/server/src/route-permissions.registry.ts',
    ),
    '# Roles and permissions',
    'Every operation requires permissions, which `x-permissions` in the [OpenAPI document](http.md) names. A request without one of them is 403 `insufficient_scope`; `permission` in the body is the first that is missing. The check comes before anything is looked up. Ids of other teams stay 404.',
    'A permission is a resource with `read` or `write`, such as `orders:read`. One to write includes the one to read. Searches, queries and validations by POST are reads.',
    markdownTable(
      ['Resource', 'What it covers'],
      Object.entries(RESOURCES).map(([name, words]) => [code(name), words]),
    ),
    '## Roles',
    'A [management key](contract/01-conventions.md#management-keys) has one role, and so has each user of the [console](console.md). The role counts in the teams to which the key is bound, and in both environments unless `environments` limits it to one.',
    markdownTable(
      ['Role', 'For'],
      ROLES.map((role) => [code(role), MEANING[role]]),
    ),
    markdownTable(
      ['Resource', ...ROLES.map(code)],
      (Object.keys(RESOURCES) as Resource[]).map((resource) => [
        code(resource),
        ...ROLES.map((role) => accessOf(role, resource)),
      ]),
    ),
    'Some limits are not permissions: only an org_admin creates, renames and deletes teams and renames the organization, and only an [operator](http.md#keys-and-tokens) uses what needs `operation`. An operator has a key of the first organization without bindings, as org_admin or as developer.',
    'A key creates, changes and revokes only keys that have no more rights than itself: their permissions, teams and environments are within its own. No key changes its own role, because no key changes a role.',
    '## Scopes of team keys',
    'A team key and a team access token have every permission, unless `scopes` lists some. `salus key create --scope orders:read --scope results:read` creates such a key. `expires_at` ends a key at a time of your choice. `GET /v2/access` returns the scopes of a key.',
    'A team access token has no more than the role of the management key that created it, at each time of its use, and ends with the session of the console that created it. A role that asks for scopes which it does not have gets 403 `insufficient_scope`. A team key keeps its scopes when the role of its creator changes: revoke it.',
    'Changes count at once in the process that made them. Other processes of the same installation notice within 5 seconds.',
    '## What needs several permissions',
    'What leaves the service as a whole, or gives access in another way, needs every permission for what it contains.',
    markdownTable(['Permissions', 'Operations'], combinationsOf(document)),
  )
}

function accessOf(role: Role, resource: Resource): string {
  const granted = listPermissions(PERMISSIONS_OF_ROLES[role])
  if (granted.includes(`${resource}:write`)) return 'write'
  return granted.includes(`${resource}:read`) ? 'read' : '–'
}

/** Operations that need permissions for more than one resource, by these. */
function combinationsOf({ paths }: OpenApiDocument): string[][] {
  const addresses = new Map<string, string[]>()
  for (const [path, verbs] of Object.entries(paths)) {
    for (const [verb, operation] of Object.entries(verbs)) {
      const needed = (operation as { 'x-permissions'?: string[] })['x-permissions'] ?? []
      if (needed.length < 2) continue
      const key = codeList(needed)
      addresses.set(key, [...(addresses.get(key) ?? []), `${verb.toUpperCase()} ${path}`])
    }
  }
  return [...addresses].map(([needed, all]) => [needed, codeList(all)])
}
