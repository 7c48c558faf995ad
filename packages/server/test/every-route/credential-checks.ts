import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { makeConsoleSubject } from '../console/console-subject.ts'
import type { Document } from '../contract-check.ts'
import type { Harness } from '../harness.ts'
import { createAppClient } from '../mobile/app-client.ts'
import { isForApps } from '../mobile/app-routes.registry.ts'
import { openPortal } from '../persons-rights/portal-subject.ts'
import { isOpenCase, ROUTE_CASES, requestOf } from '../route-cases.ts'
import { nameOf, type RouteWalk } from './route-walk.ts'

const SECURITY_OF_OPEN = {
  none: [],
  link: [{ linkToken: [] }],
  console: [{ consoleSession: [] }],
  portal: [{ portalSession: [] }],
}

/** The document says which credential opens what, and each opens that. */
export function describeCredentials(walk: () => RouteWalk): void {
  let harness: Harness
  let document: Document
  before(async () => {
    harness = walk().harness
    document = (await harness.call('GET', '/openapi.json')).body
  })

  const operationsOf = (): [name: string, operation: Document][] =>
    Object.entries<object>(document.paths).flatMap(([path, methods]) =>
      Object.entries(methods).map(([method, operation]): [string, Document] => [
        `${method.toUpperCase()} ${path}`,
        operation,
      ]),
    )

  describe('credentials in the OpenAPI document', () => {
    test('the management API is under its own key, the rest under that of a team, or open to apps or all', () => {
      const team = [{ teamKey: [] }, { teamToken: [] }, { teamKeyAlias: [] }]
      const management = [{ managementKey: [] }, { managementKeyAlias: [] }, { consoleSession: [] }]
      const open = new Map(
        ROUTE_CASES.filter(isOpenCase).map((entry) => [
          nameOf(entry),
          SECURITY_OF_OPEN[entry.credential ?? 'none'],
        ]),
      )
      assert.deepEqual(document.security, team)
      for (const [name, operation] of operationsOf()) {
        const [method = '', path = ''] = name.split(' ')
        const ofTeam = isForApps(method, path) ? [...team, { appToken: [] }] : team
        const expected = path.startsWith('/v1/') ? management : ofTeam
        assert.deepEqual(operation.security, open.get(name) ?? expected, name)
      }
    })

    test('the session of a person opens none but the routes of their page', async () => {
      const closed = ROUTE_CASES.filter(
        ({ credential }) => credential === undefined || credential === 'console',
      )
      const entry = ROUTE_CASES.find(({ subject }) => subject === undefined)
      const subject = walk().subjectOf(entry as (typeof ROUTE_CASES)[number])
      const cookie = `salus-portal=${subject.portalToken}`
      for (const entry of closed) {
        const { url, payload, headers } = requestOf(entry, subject)
        const { statusCode } = await harness.app.inject({
          method: entry.method as 'GET',
          url,
          payload,
          headers: { ...headers, 'x-salus-portal': '1', cookie },
        })
        assert.equal(statusCode, 401, nameOf(entry))
      }
    })

    test('every credential that it names opens what it says', async () => {
      const { apiKey, managementKey, organizationId, teamId } = harness
      const teamPath = `/v1/org/${organizationId}/team/${teamId}`
      const minted = await harness.call(
        'POST',
        `${teamPath}/create_api_access_token`,
        { env: 'sandbox' },
        { 'x-management-key': managementKey },
      )
      const userId = await harness.makeUser()
      const link = await harness.call('POST', '/v2/link/token', { user_id: userId })
      const secrets: Record<string, string> = {
        appToken: (await createAppClient(harness).signIn(userId)).access_token,
        teamKey: apiKey,
        teamKeyAlias: apiKey,
        teamToken: minted.body.access_token,
        managementKey,
        managementKeyAlias: managementKey,
        linkToken: link.body.link_token,
        consoleSession: (await makeConsoleSubject(harness)).consoleToken,
        portalSession: await openPortal(harness, userId),
      }
      const schemes = Object.entries<Document>(document.components.securitySchemes)
      assert.deepEqual(schemes.map(([name]) => name).sort(), Object.keys(secrets).sort())
      for (const [name, { scheme, in: where, name: header }] of schemes) {
        const secret = secrets[name]
        const headers =
          scheme === 'bearer'
            ? { authorization: `Bearer ${secret}` }
            : where === 'cookie'
              ? {
                  cookie: `${header}=${secret}`,
                  'x-salus-console': '1',
                  'x-salus-portal': '1',
                }
              : { [header]: secret }
        const opens = async (url: string) =>
          (await harness.app.inject({ method: 'GET', url, headers })).statusCode
        const isLink = name === 'linkToken'
        const refusal = name === 'appToken' ? 403 : 400
        assert.equal(await opens('/v2/link/state'), isLink ? 200 : refusal, name)
        if (isLink) continue
        const isPortal = name === 'portalSession'
        assert.equal(
          await opens('/me/session'),
          isPortal ? 200 : name === 'consoleSession' ? 401 : 403,
          name,
        )
        const isManagement = name.startsWith('management') || name === 'consoleSession'
        const ofTeam = name === 'appToken' ? `/v2/user/${userId}` : '/v2/user'
        assert.equal(await opens(ofTeam), isManagement || isPortal ? 401 : 200, name)
        assert.equal(await opens(teamPath), isManagement ? 200 : 401, name)
      }
    })
  })
}
