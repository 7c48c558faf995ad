import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createAppClient } from '../mobile/app-client.ts'
import { isForApps } from '../mobile/app-routes.registry.ts'
import {
  isManagementCase,
  isOpenCase,
  ROUTE_CASES,
  type RouteCase,
  requestOf,
} from '../route-cases.ts'
import type { Subject } from '../subject.ts'
import { errorTypeOf, nameOf, type RouteWalk } from './route-walk.ts'

/** What apps reach on every route: their own person, where the contract lists the route. */
export function describeApps(walk: () => RouteWalk): void {
  const cases = ROUTE_CASES.filter((entry) => !isOpenCase(entry))
  const teamCases = cases.filter((entry) => !isManagementCase(entry))

  let subject: Subject
  /** Access tokens: of the subject, of another person of the team, of a person of another team. */
  let own: string
  let neighbour: string
  let stranger: string

  const send = async (entry: RouteCase, token: string, method = entry.method) => {
    const { url, payload, headers } = requestOf(entry, subject)
    const { statusCode: status, body: text } = await walk().harness.app.inject({
      method: method as 'GET',
      url,
      payload,
      headers: { ...headers, authorization: `Bearer ${token}` },
    })
    return { status, text }
  }

  describe('an app', () => {
    before(async () => {
      const { harness, subjectOf, strangers } = walk()
      const app = createAppClient(harness)
      // What the owner's walk leaves whole.
      subject = subjectOf(ROUTE_CASES.find((entry) => entry.subject === undefined) as RouteCase)
      const makeStranger = async (headers?: object) => {
        const body = { client_user_id: `an app's person of ${headers ? 'another team' : 'ours'}` }
        const { user_id } = (await harness.call('POST', '/v2/user', body, headers)).body
        return (await app.signIn(user_id, headers)).access_token
      }
      own = (await app.signIn(subject.userId)).access_token
      neighbour = await makeStranger()
      stranger = await makeStranger({ 'x-service-api-key': strangers.team.sandboxKey })
    })

    test('reaches its own person by the routes that are listed, and by no other', async () => {
      const listed = teamCases.filter(({ method, path }) => isForApps(method, path))
      assert.ok(listed.length > 150)
      for (const entry of teamCases) {
        const { status, text } = await send(entry, own)
        if (isForApps(entry.method, entry.path)) {
          // Some of it is used up, because the owner walked here before.
          const isLetIn = status < 500 && status !== 401 && status !== 403
          assert.ok(isLetIn, `${nameOf(entry)}: ${text}`)
        } else {
          assert.equal(status, 403, `${nameOf(entry)}: ${text}`)
          assert.equal(errorTypeOf(text), 'own_user_only')
        }
      }
    })

    test('of another person, of the same team or another one, gets 403 on every route', async () => {
      for (const entry of teamCases) {
        for (const token of [neighbour, stranger]) {
          const { status, text } = await send(entry, token)
          assert.equal(status, 403, `${nameOf(entry)}: ${text}`)
        }
      }
    })

    test('gets no more by asking with HEAD', async () => {
      for (const entry of teamCases.filter(({ method }) => method === 'GET')) {
        assert.equal((await send(entry, neighbour, 'HEAD')).status, 403, nameOf(entry))
      }
    })

    test('gets 401 of the whole management API', async () => {
      for (const entry of cases.filter(isManagementCase)) {
        assert.equal((await send(entry, own)).status, 401, nameOf(entry))
      }
    })
  })
}
