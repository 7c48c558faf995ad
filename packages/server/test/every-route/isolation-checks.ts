import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import type { Harness } from '../harness.ts'
import { PUBLIC_FORMS, PUBLIC_ROUTES, SIGNED_ROUTES } from '../public-routes.registry.ts'
import {
  isManagementCase,
  isOpenCase,
  ROUTE_CASES,
  type RouteCase,
  requestOf,
} from '../route-cases.ts'
import type { RegisteredRoute } from '../route-table.ts'
import { ownIds, type Subject } from '../subject.ts'
import { isNotFoundBody, nameOf, type RouteWalk, type Strangers } from './route-walk.ts'

let harness: Harness
let routes: RegisteredRoute[]
let subjects: Map<RouteCase, Subject>
/** The state of everything that belongs to the first team, before any stranger called. */
let untouched: Record<string, unknown>
let strangers: Strangers

const subjectOf = (entry: RouteCase) => subjects.get(entry) as Subject
const teamCases = ROUTE_CASES.filter((entry) => !isManagementCase(entry) && !isOpenCase(entry))
const managementCases = ROUTE_CASES.filter(isManagementCase)

const TABLES_OF_SANDBOX = [
  ...['users', 'user_demographics', 'connections', 'devices', 'import_jobs', 'lab_tests', 'orders'],
  ...['order_events', 'order_transactions', 'shipments', 'results', 'tasks', 'person_notes'],
  ...['appointments', 'appointment_events', 'booking_attempts', 'import_uploads'],
  ...['unmatched_results', 'lab_messages', 'insurance_policies', 'payors', 'lab_connections'],
]

interface Sent {
  status: number
  text: string
}

async function send(entry: RouteCase, subject: Subject, headers: object): Promise<Sent> {
  const { url, payload, headers: ownHeaders } = requestOf(entry, subject)
  const response = await harness.app.inject({
    method: entry.method as 'GET',
    url,
    payload,
    headers: { ...ownHeaders, ...headers },
  })
  return { status: response.statusCode, text: response.body }
}

/** Rows of the first team's sandbox, rows of its organization, its samples and its files. */
async function readState(): Promise<Record<string, unknown>> {
  const { pool } = harness.database
  const state: Record<string, unknown> = {}
  const read = async (table: string, condition: string, value: string) => {
    // That a key was used is no change of what is the owner's.
    const text = `select coalesce(json_agg(to_jsonb(t) - 'last_used_at' order by t::text), '[]') as rows
      from ${table} t where ${condition}`
    state[table] = (await pool.query(text, [value])).rows[0].rows
  }
  const ofSandbox =
    "environment_id = (select id from team_environments where team_id = $1 and environment = 'sandbox')"
  for (const table of TABLES_OF_SANDBOX) await read(table, ofSandbox, harness.teamId)
  for (const table of ['teams', 'management_keys']) {
    await read(table, 'organization_id = $1', harness.organizationId)
  }
  const ofTeams = 'team_id in (select id from teams where organization_id = $1)'
  // The stranger may move the time of its own sandbox.
  const ofOthers = `${ofTeams} and team_id <> '${strangers.team.id}'`
  await read('team_environments', ofOthers, harness.organizationId)
  const ofEnvironments = `environment_id in (select id from team_environments where ${ofTeams})`
  await read('team_api_keys', ofEnvironments, harness.organizationId)
  await read('team_access_tokens', ofEnvironments, harness.organizationId)
  for (const table of ['webhook_endpoints', 'webhook_deliveries', 'events']) {
    await read(table, ofEnvironments, harness.organizationId)
  }
  await read('organizations', 'id = $1', harness.organizationId)
  const jobs = await pool.query(
    `select count(*)::int as count from graphile_worker._private_jobs where not exists (
      select from team_environments where payload::text like '%' || id || '%'
        and (team_id = $1 or team_id = $2 and environment = 'production'))`,
    [strangers.team.id, harness.teamId],
  )
  state.jobs = jobs.rows[0].count
  for (const table of ['samples', 'quarantined_items']) {
    const bytes = await harness.clickhouse.queryBytes(
      `select count() from ${table}`,
      {},
      'TabSeparated',
    )
    state[table] = Buffer.from(bytes).toString()
  }
  state.files = readdirSync(join(harness.config.dataDirectory, 'files', 'imports')).sort()
  return state
}

/** Ids of the subject that the stranger did not send itself. */
function leaks(entry: RouteCase, subject: Subject, { text }: Sent): string[] {
  const { url, payload } = requestOf(entry, subject)
  const sent = `${url}${payload ?? ''}`
  return ownIds(subject)
    .filter(([, value]) => text.includes(value) && !sent.includes(value))
    .map(([name]) => name)
}

function assertRefused(
  entry: RouteCase,
  answer: Sent,
  expected = entry.stranger,
  subject = subjectOf(entry),
): void {
  if (expected === 'not found') {
    assert.equal(answer.status, 404, `${nameOf(entry)}: ${answer.text}`)
    assert.ok(isNotFoundBody(entry, answer.text), nameOf(entry))
    return
  }
  const isRefused = expected === 'forbidden' && answer.status === 403
  assert.ok(isRefused || answer.status < 300, `${nameOf(entry)}: ${answer.text}`)
  assert.equal(isRefused, expected === 'forbidden', nameOf(entry))
  assert.deepEqual(leaks(entry, subject, answer), [], nameOf(entry))
}

/** No caller gets data of another owner, or changes them. */
export function describeIsolation(walk: () => RouteWalk): void {
  before(async () => {
    const started = walk()
    ;({ harness, routes, subjects, strangers } = started)
    untouched = await readState()
  })

  describe('the route table', () => {
    test('every documented operation has a case, and every case is an operation', () => {
      const documented = routes
        .filter(({ method, isHidden }) => method !== 'HEAD' && !isHidden)
        .map(({ method, path }) => `${method} ${path}`)
      assert.deepEqual([...new Set(documented)].sort(), ROUTE_CASES.map(nameOf).sort())
    })

    test('the routes outside the document are the public ones, and they only read', () => {
      const hidden = routes.filter(
        ({ isHidden, path, method }) =>
          isHidden && !SIGNED_ROUTES.includes(path) && method !== 'OPTIONS',
      )
      assert.deepEqual(
        [...new Set(hidden.map(({ path }) => path))].sort(),
        PUBLIC_ROUTES.toSorted(),
      )
      const reading = hidden.filter(({ path }) => !PUBLIC_FORMS.includes(path))
      assert.deepEqual([...new Set(reading.map(({ method }) => method))].sort(), ['GET', 'HEAD'])
    })

    test('pages of other origins may ask about the routes of link tokens, and no others', () => {
      // Of uploads only the server's own pages can ask: the answer names no other origin.
      const asked = routes.filter(
        ({ method, path }) => method === 'OPTIONS' && !path.endsWith('/import/uploads'),
      )
      const open = ROUTE_CASES.filter(
        ({ path, credential }) =>
          credential === 'link' ||
          (credential === 'none' && /^\/v2\/link\/(start|token\/\w+)$/.test(path)),
      )
      const pathsOf = (entries: readonly { path: string }[]) =>
        [...new Set(entries.map(({ path }) => path))].sort()
      assert.deepEqual(pathsOf(asked), pathsOf(open))
    })

    test('routes for providers take nothing that is not signed', async () => {
      for (const path of SIGNED_ROUTES) {
        for (const method of ['GET', 'POST'] as const) {
          const url = path.replace('{provider}', 'oura').replace(/\{\w+\}/, newId())
          const { statusCode } = await harness.app.inject({ method, url })
          assert.ok([401, 404, 405].includes(statusCode), `${method} ${url}: ${statusCode}`)
        }
      }
    })

    test('public routes answer without a key and return nothing of a team', async () => {
      const [subject] = subjects.values()
      const page = await harness.app.inject('/link')
      const [, script = ''] = /assets\/web\/([\w-]+\.js)/.exec(page.body) ?? []
      for (const path of PUBLIC_ROUTES) {
        const named = path.replace('{slug}', 'oura').replace('{file}', script)
        const url = named.replace('providers/*', 'providers/oura/account')
        const { statusCode, body } = await harness.app.inject({ method: 'GET', url })
        assert.ok([200, 301].includes(statusCode), `${url}: ${statusCode}`)
        const reported = ownIds(subject as Subject).filter(([, value]) => body.includes(value))
        assert.deepEqual(reported, [], url)
      }
    })
  })

  describe('a stranger with a valid key', () => {
    test('of another team gets 404 for every id, and else only its own things', async () => {
      for (const entry of teamCases) {
        const answer = await send(entry, subjectOf(entry), {
          'x-service-api-key': strangers.team.sandboxKey,
        })
        assertRefused(entry, answer)
      }
    })

    test("of the team's own production gets the same: sandbox and production share nothing", async () => {
      for (const entry of teamCases.filter(({ isOfWholeTeam }) => !isOfWholeTeam)) {
        // The two environments are of one team, so its id is no secret between them.
        const subject = { ...subjectOf(entry), teamId: 'shared by both' }
        const answer = await send(entry, subject, { 'x-service-api-key': strangers.productionKey })
        const { isOfSandbox, isOffInProduction } = entry
        const right = isOfSandbox ? [403, 404] : isOffInProduction ? [400] : undefined
        if (right === undefined) assertRefused(entry, answer, entry.stranger, subject)
        else assert.ok(right.includes(answer.status), `${nameOf(entry)}: ${answer.text}`)
      }
    })

    test('of another organization gets 404 for every path of ours', async () => {
      for (const entry of managementCases) {
        const headers = { 'x-management-key': strangers.organization.key }
        assertRefused(entry, await send(entry, subjectOf(entry), headers))
      }
    })

    test('of another organization reaches nothing of ours through its own paths', async () => {
      for (const entry of managementCases) {
        const subject = { ...subjectOf(entry), organizationId: strangers.organization.id }
        const answer = await send(entry, subject, {
          'x-management-key': strangers.organization.key,
        })
        assertRefused(entry, answer, entry.strangerAtHome ?? entry.stranger)
      }
    })

    test('cannot distinguish an id of ours from one that does not exist', async () => {
      const unknown = newId()
      for (const entry of teamCases.filter((known) => known.path.includes('{user_id}'))) {
        const headers = { 'x-service-api-key': strangers.team.sandboxKey }
        const ofOurs = await send(entry, subjectOf(entry), headers)
        const ofUnknown = await send(entry, { ...subjectOf(entry), userId: unknown }, headers)
        assert.deepEqual(ofOurs, ofUnknown, nameOf(entry))
      }
    })

    test('gets no more by asking with HEAD', async () => {
      for (const entry of teamCases.filter((known) => known.method === 'GET')) {
        if (entry.stranger !== 'not found') continue
        const asHead = { ...entry, method: 'HEAD' }
        const headers = { 'x-service-api-key': strangers.team.sandboxKey }
        assert.equal((await send(asHead, subjectOf(entry), headers)).status, 404, nameOf(entry))
        assert.equal((await send(asHead, subjectOf(entry), {})).status, 401, nameOf(entry))
      }
    })
  })

  describe('without a valid key', () => {
    test('every route of the team API answers 401', async () => {
      const { apiKey, managementKey } = harness
      const attempts = [
        {},
        { 'x-service-api-key': 'sk_us_wrongwrongwrongwrongwrong' },
        { 'x-service-api-key': managementKey },
        { 'x-management-key': managementKey },
        { authorization: `Bearer ${apiKey}` },
      ]
      for (const entry of teamCases) {
        for (const headers of attempts) {
          const { status } = await send(entry, subjectOf(entry), headers)
          assert.equal(status, 401, `${nameOf(entry)} with ${Object.keys(headers)}`)
        }
      }
    })

    test('every route of the management API answers 401', async () => {
      const { apiKey, managementKey } = harness
      const attempts = [
        {},
        { 'x-management-key': 'mg_wrongwrongwrongwrongwrong' },
        { 'x-management-key': apiKey },
        { 'x-service-api-key': apiKey },
        { 'x-service-api-key': managementKey },
        { authorization: `Bearer ${managementKey}` },
      ]
      for (const entry of managementCases) {
        for (const headers of attempts) {
          const { status } = await send(entry, subjectOf(entry), headers)
          assert.equal(status, 401, `${nameOf(entry)} with ${Object.keys(headers)}`)
        }
      }
    })
  })

  describe('afterwards', () => {
    test('nothing of the owner has changed', async () => {
      const state = await readState()
      for (const [name, value] of Object.entries(untouched)) {
        assert.deepEqual(state[name], value, name)
      }
    })
  })
}
