import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import {
  isManagementCase,
  isOpenCase,
  ROUTE_CASES,
  type RouteCase,
  requestOf,
} from '../route-cases.ts'
import { ownIds, type Subject } from '../subject.ts'
import { errorTypeOf, nameOf, type RouteWalk } from './route-walk.ts'

/** Reads by POST, as docs/contract/01-conventions.md#limited-credentials lists them. */
const READING_POSTS = [
  'POST /v2/user/search',
  'POST /v2/user/search/export',
  'POST /v2/user/{user_id}/timeline',
  'POST /v2/user/{user_id}/erasure/dry_run',
  'POST /v2/user/{user_id}/source_priorities/preview',
  'POST /v3/rule/preview',
  'POST /aggregate/v1/user/{user_id}/query',
  'POST /mcp',
  // Changes nothing: there are no such keys.
  'POST /v2/user/{user_id}/revoke_app_api_key',
  'POST /fhir/R4/{resource_type}/_search',
  'POST /v3/lab_tests/list_order_set_markers',
  'POST /v3/compendium/search',
  'POST /v3/compendium/convert',
  'POST /v3/compendium/search_orderable_tests',
  'POST /v3/insurance/search/payor',
  'POST /v3/insurance/validate_icd_codes',
  'POST /v3/order/validate',
  'POST /v3/order/phlebotomy/appointment/availability',
  'POST /v3/order/psc/appointment/availability',
]
/** A person is found in these by the query. */
const BY_QUERY = [
  'GET /v3/orders',
  'GET /v3/orders/export',
  'GET /v3/critical_result_task',
  'GET /lab_report/v1/parser/job',
  'GET /v2/introspect/historical_pull',
  'GET /v2/introspect/resources',
]
const ABOUT_NOBODY = ['GET /v2/access', 'GET /v2/providers', 'GET /aggregate/v1/table', 'POST /mcp']
/** About a person, and for the team alone. */
const FOR_TEAM = /\{user_id\}\/(note|timeline)/
const OF_PERSON =
  /\{(user_id|order_id|transaction_id|workout_id|sleep_id|task_id)\}|parser\/job\/\{job_id\}/

/** What keys and tokens that are limited reach on every route. */
export function describeLimits(walk: () => RouteWalk): void {
  // Of the series two are enough: their routes are made by one rule.
  const isFurtherSeries = ({ path }: RouteCase) =>
    /timeseries\/\{user_id\}\/(?!steps|heartrate)/.test(path)
  const teamCases = ROUTE_CASES.filter(
    (entry) => !isManagementCase(entry) && !isOpenCase(entry) && !isFurtherSeries(entry),
  )
  const reads = ({ method, path }: RouteCase) =>
    method === 'GET' ? !/oauth|connect\/\{/.test(path) : READING_POSTS.includes(`${method} ${path}`)
  const names = (entry: RouteCase) =>
    (OF_PERSON.test(entry.path) && !FOR_TEAM.test(entry.path)) ||
    BY_QUERY.includes(nameOf(entry)) ||
    ABOUT_NOBODY.includes(nameOf(entry))

  let subject: Subject
  /** Headers: of the subject, of another person of the team, of no person. */
  let own: Record<string, string>
  let neighbour: object
  let reader: object

  const send = async (entry: RouteCase, headers: object, method = entry.method) => {
    const { url, payload, headers: others } = requestOf(entry, subject)
    const address = BY_QUERY.includes(nameOf(entry))
      ? `${url.split('?')[0]}?user_id=${subject.userId}`
      : url
    const answer = await walk().harness.app.inject({
      method: method as 'GET',
      url: address,
      payload,
      headers: { ...others, ...headers },
    })
    const type = method === 'HEAD' ? undefined : errorTypeOf(answer.body)
    return { status: answer.statusCode, text: answer.body, type, url: address }
  }

  describe('a limited credential', () => {
    before(async () => {
      const { harness, subjectOf } = walk()
      const { teamId, organizationId, managementKey } = harness
      subject = subjectOf(ROUTE_CASES.find((entry) => entry.subject === undefined) as RouteCase)
      const make = async (path: string, body: object) => {
        const url = `/v1/org/${organizationId}${path}`
        const made = await harness.call('POST', url, body, { 'x-management-key': managementKey })
        assert.equal(made.status, 200, made.text)
        return made.body
      }
      const label = 'Assistant'
      const keyOf = (limits: object) =>
        make('/team_api_keys/sandbox/us', { label, team_id: teamId, ...limits })
      const { access_token: token } = await make(`/team/${teamId}/create_api_access_token`, {
        env: 'sandbox',
        user_id: subject.userId.toUpperCase(),
        access: 'read',
      })
      own = { authorization: `Bearer ${token}` }
      const other = await harness.makeUser()
      neighbour = { 'x-service-api-key': (await keyOf({ user_id: other })).value }
      reader = { 'x-service-api-key': (await keyOf({ access: 'read' })).value }
    })

    test('that only reads is refused every change, and nothing that reads', async () => {
      for (const entry of teamCases) {
        const { status, type, text } = await send(entry, reader)
        if (reads(entry)) assert.notEqual(type, 'read_only', nameOf(entry))
        else assert.deepEqual([status, type], [403, 'read_only'], `${nameOf(entry)}: ${text}`)
      }
    })

    test('of one person reaches what names the person, and else nothing', async () => {
      for (const entry of teamCases.filter(reads)) {
        const { status, type, text } = await send(entry, own)
        if (names(entry)) {
          // Some of it is used up, because the owner walked here before.
          assert.ok(status < 500 && status !== 401 && status !== 403, `${nameOf(entry)}: ${text}`)
        } else assert.deepEqual([status, type], [403, 'one_user_only'], `${nameOf(entry)}: ${text}`)
      }
    })

    test('of another person of the team gets 404 or 403 on every route, and no id of ours', async () => {
      for (const entry of teamCases) {
        if (ABOUT_NOBODY.includes(nameOf(entry))) continue
        const { status, type, text, url } = await send(entry, neighbour)
        const expected = names(entry) ? [404, undefined] : [403, 'one_user_only']
        assert.deepEqual([status, type], expected, `${nameOf(entry)}: ${text}`)
        const sent = ownIds(subject).filter(([, id]) => text.includes(id) && !url.includes(id))
        assert.deepEqual(sent, [], nameOf(entry))
        if (entry.method === 'GET') {
          assert.equal((await send(entry, neighbour, 'HEAD')).status, status, nameOf(entry))
        }
      }
    })

    test('of one person needs the person in the query of lists', async () => {
      for (const name of BY_QUERY) {
        const url = name.replace('GET ', '')
        for (const query of [
          '',
          '?user_id=',
          `?user_id=${subject.userId}&user_id=${subject.userId}`,
        ]) {
          const { statusCode } = await walk().harness.app.inject({
            url: url + query,
            headers: own,
          })
          assert.ok([403, 404].includes(statusCode), `${url}${query}: ${statusCode}`)
        }
      }
    })

    test('says what it opens', async () => {
      const { harness } = walk()
      const answer = await harness.app.inject({ url: '/v2/access', headers: own })
      assert.deepEqual(answer.json(), {
        team_id: harness.teamId,
        environment: 'sandbox',
        user_id: subject.userId,
        access: 'read',
        scopes: null,
      })
    })
  })
}
