import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { PERMISSIONS_OF_ROLES, ROLES, type Role } from '@salus/accounts/teams'
import { hasPermission, type Permission } from '@salus/kernel/http/permissions'
import { NEEDS_OF_OPERATIONS } from '../../src/route-permissions.registry.ts'
import type { Document } from '../contract-check.ts'
import {
  isManagementCase,
  isOpenCase,
  ROUTE_CASES,
  type RouteCase,
  requestOf,
} from '../route-cases.ts'
import { errorTypeOf, nameOf, type RouteWalk } from './route-walk.ts'

/** Roles that may not do everything. */
const LIMITED = ROLES.filter((role) => PERMISSIONS_OF_ROLES[role] !== null)
/** What demographics and orders of subjects hold, which a developer never sees. */
const PERSONAL = ['Moreau', 'Main St', '85001-2345', '+15550100']
const SECRET = /whsec_|\b(sk|pk)_(us|eu)_\w{20}|\bmg_\w{20}/

/** What each role and each scope reaches on every route, in its own team and in another one. */
export function describePermissions(walk: () => RouteWalk): void {
  // Of the series two are enough: their routes are made by one rule.
  const isFurtherSeries = ({ path }: RouteCase) =>
    /timeseries\/\{user_id\}\/(?!steps|heartrate)/.test(path)
  const cases = ROUTE_CASES.filter((entry) => !isOpenCase(entry) && !isFurtherSeries(entry))
  const isRead = ({ method, path }: RouteCase) =>
    method === 'GET' && !/event_stream|oauth|connect\/\{/.test(path)

  let permissions: Map<string, readonly Permission[]>
  /** Credentials of each role: for the first team, and for another one of the organization. */
  const own = new Map<Role, Credential>()
  const others = new Map<Role, Credential>()
  let makeScopedKey: (scopes: Permission[]) => Promise<object>

  const send = async (entry: RouteCase, credential: Credential | object) => {
    const { url, payload, headers } = requestOf(entry, walk().subjectOf(entry))
    const isOfRole = 'key' in credential
    const given = !isOfRole
      ? credential
      : isManagementCase(entry)
        ? credential.key
        : credential.token
    const answer = await walk().harness.app.inject({
      method: entry.method as 'GET',
      url,
      payload,
      headers: { ...headers, ...given },
    })
    const type = errorTypeOf(answer.body)
    return { status: answer.statusCode, text: answer.body, type }
  }
  const missingOf = (entry: RouteCase, granted: ReadonlySet<Permission> | null) =>
    neededBy(entry).find((permission) => !hasPermission(granted, permission))
  const neededBy = (entry: RouteCase): readonly Permission[] => {
    const needed = permissions.get(nameOf(entry))
    assert.ok(needed, nameOf(entry))
    return needed
  }
  const assertMissing = (entry: RouteCase, missing: string, { status, type, text }: Sent) => {
    assert.deepEqual([status, type], [403, 'insufficient_scope'], `${nameOf(entry)}: ${text}`)
    if (!entry.path.startsWith('/fhir/')) {
      assert.equal(JSON.parse(text).detail.permission, missing, nameOf(entry))
    }
  }

  describe('permissions', () => {
    before(async () => {
      const { harness, routes, strangers } = walk()
      const { organizationId, teamId, managementKey } = harness
      permissions = new Map(
        routes.map(({ method, path, config }) => [`${method} ${path}`, config?.permissions ?? []]),
      )
      const make = async (path: string, body: object, key = managementKey) => {
        const url = `/v1/org/${organizationId}${path}`
        const made = await harness.call('POST', url, body, { 'x-management-key': key })
        assert.equal(made.status, 200, made.text)
        return made.body
      }
      const credentialOf = async (role: Role, team: string): Promise<Credential> => {
        const bindings = { team_role_bindings: [{ team_id: team }] }
        const { key } = await make('/management_key', { label: role, role, ...bindings })
        const path = `/team/${team}/create_api_access_token`
        const { access_token: token } = await make(path, { env: 'sandbox' }, key)
        return { key: { 'x-management-key': key }, token: { authorization: `Bearer ${token}` } }
      }
      for (const role of LIMITED) {
        own.set(role, await credentialOf(role, teamId))
        others.set(role, await credentialOf(role, strangers.team.id))
      }
      makeScopedKey = async (scopes) => {
        const body = { label: 'Scoped', team_id: strangers.team.id, scopes }
        return { 'x-service-api-key': (await make('/team_api_keys/sandbox/us', body)).value }
      }
    })

    test('are those of operations that exist, each once', async () => {
      const document: Document = (await walk().harness.call('GET', '/openapi.json')).body
      const known = Object.values<Document>(document.paths).flatMap((methods) =>
        Object.values<Document>(methods).map(({ operationId }) => operationId),
      )
      const listed = NEEDS_OF_OPERATIONS.flatMap(([, ids]) => ids.split(' '))
      assert.deepEqual(
        listed.filter((id, index) => !known.includes(id) || listed.indexOf(id) !== index),
        [],
      )
    })

    test('of a role refuse what they do not include, in its own team and in another one', async () => {
      for (const role of LIMITED) {
        let refused = 0
        for (const entry of cases) {
          const missing = missingOf(entry, PERMISSIONS_OF_ROLES[role])
          if (missing === undefined) continue
          refused += 1
          for (const credentials of [own, others]) {
            const credential = credentials.get(role) as Credential
            assertMissing(entry, missing, await send(entry, credential))
          }
        }
        assert.ok(refused > 50, `${role}: ${refused}`)
      }
    })

    test('of a role let in what they include, and ids of another team stay 404', async () => {
      for (const role of LIMITED) {
        for (const entry of cases) {
          if (missingOf(entry, PERMISSIONS_OF_ROLES[role]) !== undefined) continue
          const { status, type, text } = await send(entry, others.get(role) as Credential)
          const where = `${role}: ${nameOf(entry)}: ${text}`
          assert.ok(type !== 'insufficient_scope' && status < 500 && status !== 401, where)
          const isOfTeam = isManagementCase(entry)
            ? entry.path.includes('/team/{team_id}')
            : entry.stranger === 'not found'
          // What only an org_admin may do is refused for every id.
          if (isOfTeam && type !== 'role_too_low') assert.equal(status, 404, where)
        }
      }
    })

    test('of a developer show no personal data, and those of a viewer no secrets', async () => {
      for (const role of ['developer', 'viewer'] as const) {
        const readable = cases.filter(
          (entry) => isRead(entry) && !missingOf(entry, PERMISSIONS_OF_ROLES[role]),
        )
        let succeeded = 0
        for (const entry of readable) {
          const { status, text } = await send(entry, own.get(role) as Credential)
          if (status === 200) succeeded += 1
          assert.doesNotMatch(text, SECRET, nameOf(entry))
          if (role === 'viewer') continue
          const found = PERSONAL.filter((value) => text.includes(value))
          assert.deepEqual(found, [], nameOf(entry))
        }
        assert.ok(succeeded > readable.length / 2, `${role}: ${succeeded} of ${readable.length}`)
      }
    })

    test('of a team key open what they name, and nothing else', async () => {
      const teamCases = cases.filter((entry) => !isManagementCase(entry))
      const granted: Permission[] = ['audit:read', 'results:read', 'connections:write']
      const key = await makeScopedKey(granted)
      for (const entry of teamCases) {
        const missing = missingOf(entry, new Set(granted))
        const answer = await send(entry, key)
        if (missing !== undefined) assertMissing(entry, missing, answer)
        else assert.notEqual(answer.type, 'insufficient_scope', nameOf(entry))
      }
    })
  })
}

interface Credential {
  key: object
  token: object
}

interface Sent {
  status: number
  text: string
  type: string | undefined
}
