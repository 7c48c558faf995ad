import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { type Answer, createHarness } from './harness.ts'
import { openPortal } from './persons-rights/portal-subject.ts'
import { useFixture } from './use-fixture.ts'

/**
 * Names of providers, labs, events and resources that do not exist: no route answers as if there
 * were one.
 */
const INVENTED = 'invented_name'

const salus = useFixture(createHarness)
let userId: string
let webhookId: string
let portalToken: string
before(async () => {
  userId = await salus.makeUser()
  portalToken = await openPortal(salus, userId)
  const path = `/team/${salus.teamId}/sandbox/webhook`
  const made = await salus.manage('POST', path, { url: 'https://example.com/hook' })
  assert.equal(made.status, 200, made.text)
  webhookId = made.body.id
})

/** With a key of each kind, and a session of the page of the person. */
const send = (method: string, url: string, body?: unknown, type = 'application/json') =>
  salus.call(method, url, body, {
    'x-management-key': salus.managementKey,
    'x-salus-portal': '1',
    cookie: `salus-portal=${portalToken}`,
    'content-type': type,
  })

interface Parameter {
  name: string
  in: 'path' | 'query'
}

interface Operation {
  parameters?: Parameter[]
  requestBody?: { content: object }
}

/** Parameters of all operations that take one of the names, from the document. */
async function operationsWith(names: readonly string[]) {
  const { body: document } = await salus.call('GET', '/openapi.json')
  const resolve = (parameter: Parameter & { $ref?: string }): Parameter =>
    parameter.$ref === undefined
      ? parameter
      : document.components.parameters[parameter.$ref.split('/').at(-1) ?? '']
  return Object.entries<Record<string, Operation>>(document.paths).flatMap(([path, operations]) =>
    Object.entries(operations).flatMap(([method, { parameters = [], requestBody }]) =>
      parameters
        .map(resolve)
        .filter(({ name }) => names.includes(name))
        .map((parameter) => ({
          method: method.toUpperCase(),
          path,
          parameter,
          types: Object.keys(requestBody?.content ?? {}),
        })),
    ),
  )
}

function urlWith(path: string, { name, in: place }: Parameter): string {
  const ids: Record<string, string> = {
    user_id: userId,
    org_id: salus.organizationId,
    team_id: salus.teamId,
    env: 'sandbox',
    region: 'us',
    webhook_id: webhookId,
    [name]: INVENTED,
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, id: string) => ids[id] ?? newId())
  const query = new URLSearchParams({ start_date: '2026-02-01' })
  if (!path.includes('{user_id}')) query.set('user_id', userId)
  if (place === 'query') query.set(name, INVENTED)
  return `${filled}?${query}`
}

/** 422 about the name, whatever else is wrong with the request. */
function assertNamed(answer: Answer, name: string, what: string): void {
  assert.equal(answer.status, 422, `${what}: ${answer.status} ${answer.text}`)
  const locations: unknown[][] = answer.body.detail.map(({ loc }: { loc: unknown[] }) => loc)
  assert.ok(
    locations.some((loc) => loc.includes(name)),
    `${what}: ${answer.text}`,
  )
}

test('a provider in a path or query that is none is 422 on every route that takes one', async () => {
  const operations = await operationsWith(['provider', 'oauth_provider'])
  assert.ok(operations.length > 200, `${operations.length}`)
  for (const { method, path, parameter, types } of operations) {
    const url = urlWith(path, parameter)
    const takesLines = types.includes('application/x-ndjson')
    const body = method === 'GET' ? undefined : takesLines ? '{}' : {}
    const answer = await send(method, url, body, takesLines ? 'application/x-ndjson' : undefined)
    assertNamed(answer, parameter.name, `${method} ${path}`)
  }
})

test('so is a lab, an event and a resource in a query', async () => {
  const { status } = await salus.manage('PATCH', `/team/${salus.teamId}`, {
    sandbox: { match_review_enabled: true },
  })
  assert.equal(status, 200)
  const operations = await operationsWith(['lab_slug', 'event_type', 'resource', 'source_type'])
  assert.ok(operations.length >= 6, `${operations.length}`)
  for (const { method, path, parameter } of operations) {
    assertNamed(await send(method, urlWith(path, parameter)), parameter.name, `${method} ${path}`)
  }
})

describe('in a body', () => {
  const ofTeam = () => `/v1/org/${salus.organizationId}`
  const scopes = { user_must_grant: [], user_may_grant: [] }
  const upload = { stage: 'daily', start_date: '2026-02-01', end_date: '2026-02-02', data: [] }
  const wanted = { historical_days_to_pull: 1 }
  const cases: [string, string, () => string, () => unknown][] = [
    ['POST', 'provider', () => '/v2/user/search', () => ({ provider: INVENTED })],
    ['POST', 'provider', () => '/v2/link/token', () => ({ user_id: userId, provider: INVENTED })],
    ['POST', 'provider', () => '/v2/link/start', () => ({ link_token: 'x', provider: INVENTED })],
    [
      'POST',
      'provider',
      () => '/v2/link/provider/email/freestyle_libre',
      () => ({ email: 'a@example.com', provider: INVENTED }),
    ],
    [
      'POST',
      'provider',
      () => '/v2/link/auth',
      () => ({ username: 'a', password: 'b', provider: INVENTED }),
    ],
    [
      'POST',
      'provider',
      () => '/v2/link/auth/email',
      () => ({ email: 'a@example.com', provider: INVENTED }),
    ],
    [
      'POST',
      'provider',
      () => '/v2/link/connect/demo',
      () => ({ user_id: userId, provider: INVENTED }),
    ],
    [
      'POST',
      'provider',
      () => '/v2/link/bulk_import',
      () => ({ provider: INVENTED, connections: [] }),
    ],
    ['POST', 'provider', () => '/v2/link/bulk_export', () => ({ provider: INVENTED })],
    ['POST', 'provider', () => '/v2/link/bulk_pause', () => ({ provider: INVENTED, user_ids: [] })],
    [
      'POST',
      'provider',
      () => '/v2/link/bulk_trigger_historical_pull',
      () => ({ provider: INVENTED, user_ids: [] }),
    ],
    [
      'POST',
      'provider',
      () => `/v2/timeseries/${userId}/steps`,
      () => ({ ...upload, provider: INVENTED }),
    ],
    [
      'POST',
      'provider',
      () => `/v2/summary/activity/${userId}`,
      () => ({ ...upload, provider: INVENTED }),
    ],
    [
      'PATCH',
      'slug',
      () => '/v2/team/source/priorities',
      () => [{ slug: INVENTED, priority: 1, data_type: 'workouts' }],
    ],
    [
      'PUT',
      'provider',
      () => `/v2/user/${userId}/source_priorities`,
      () => ({ source_priorities: [{ provider: INVENTED, priority: 1 }] }),
    ],
    [
      'POST',
      INVENTED,
      () => `${ofTeam()}/team/${salus.teamId}/scope_requirements`,
      () => ({ [INVENTED]: scopes }),
    ],
    [
      'POST',
      INVENTED,
      () => `${ofTeam()}/team/${salus.teamId}/scope_requirements`,
      () => ({ [INVENTED]: 7 }),
    ],
    [
      'POST',
      INVENTED,
      () => `${ofTeam()}/team/${salus.teamId}/scope_requirements`,
      () => ({ [INVENTED]: null }),
    ],
    [
      'POST',
      INVENTED,
      () => `${ofTeam()}/team_data_pull_preferences/sandbox/us`,
      () => ({ team_ids: [salus.teamId], providers: { [INVENTED]: { default: wanted } } }),
    ],
    [
      'POST',
      INVENTED,
      () => `${ofTeam()}/team_data_pull_preferences/sandbox/us`,
      () => ({
        team_ids: [salus.teamId],
        providers: { oura: { default: wanted, resource_overrides: { [INVENTED]: wanted } } },
      }),
    ],
    [
      'POST',
      'provider',
      () => `${ofTeam()}/team_custom_credentials/sandbox/us`,
      () => ({ team_id: salus.teamId, provider: INVENTED, client_id: 'a', client_secret: 'b' }),
    ],
    [
      'POST',
      'lab_slug',
      () => '/v3/lab_tests',
      () => ({
        name: 'x',
        description: 'x',
        method: 'testkit',
        provider_ids: ['1'],
        lab_slug: INVENTED,
      }),
    ],
    [
      'POST',
      'filter_types',
      () => `${ofTeam()}/team/${salus.teamId}/sandbox/webhook`,
      () => ({ url: 'https://example.com/hook', filter_types: [INVENTED] }),
    ],
    [
      'POST',
      'event_type_prefixes',
      () => `${ofTeam()}/team`,
      () => ({ name: 'T', region: 'us', event_type_prefixes: [INVENTED] }),
    ],
  ]
  for (const [method, name, url, body] of cases) {
    test(`${method} ${url.toString().replace(/^\(\) => /, '')} refuses ${name}`, async () => {
      assertNamed(await send(method, url(), body()), name, url())
    })
  }

  test('of many providers at once, nothing is kept', async () => {
    const url = `${ofTeam()}/team/${salus.teamId}/scope_requirements`
    const many = Array.from({ length: 3_000 }, (_, n) => [`${INVENTED}_${n}`, scopes])
    const answer = await send('POST', url, Object.fromEntries([['oura', scopes], ...many]))
    assert.equal(answer.status, 422)
    assert.deepEqual((await send('GET', url)).body, { requirements: [] })
  })
})
