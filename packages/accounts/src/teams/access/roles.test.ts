import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'

/**
 * What roles and scopes let in on every route is in test/every-route; here is how they are given,
 * and that no way around gives more.
 */

const harness = useFixture(createHarness)

const keys = (env = 'sandbox') => `/team_api_keys/${env}/us`
const makeKey = async (role: string, more: object = {}): Promise<{ id: string; key: string }> => {
  const made = await harness.manage('POST', '/management_key', { label: role, role, ...more })
  assert.equal(made.status, 200, made.text)
  return made.body
}
const mint = (key: string, more: object = {}) =>
  harness.manage(
    'POST',
    `/team/${harness.teamId}/create_api_access_token`,
    { env: 'sandbox', ...more },
    key,
  )
const bearer = async (key: string, more: object = {}) => {
  const { status, body, text } = await mint(key, more)
  assert.equal(status, 200, text)
  return { 'x-service-api-key': '', authorization: `Bearer ${body.access_token}` }
}
const read = (url: string, headers: object) => harness.call('GET', url, undefined, headers)

function assertMissing(answer: { status: number; body: unknown }, permission: string): void {
  assert.equal(answer.status, 403)
  const { detail } = answer.body as { detail: Record<string, unknown> }
  assert.deepEqual([detail.error_type, detail.permission], ['insufficient_scope', permission])
}

describe('a team key with scopes', () => {
  const create = (more: object, key?: string) =>
    harness.manage('POST', keys(), { label: 'Part', team_id: harness.teamId, ...more }, key)

  test('does what they name; one to write includes the one to read', async () => {
    const made = await create({ scopes: ['people:write', 'orders:read', 'orders:read'] })
    assert.deepEqual(made.body.scopes, ['orders:read', 'people:write'])
    const headers = { 'x-service-api-key': made.body.value }
    const user = { client_user_id: 'by a part of a key' }
    assert.equal((await harness.call('POST', '/v2/user', user, headers)).status, 200)
    assert.equal((await read('/v2/user', headers)).status, 200)
    assert.equal((await read('/v3/orders', headers)).status, 200)
    assertMissing(await harness.call('POST', '/v3/order', {}, headers), 'orders:write')
    assertMissing(await read('/v3/unmatched_result', headers), 'results:read')
    const { body } = await read('/v2/access', headers)
    assert.deepEqual(body.scopes, ['people:read', 'people:write', 'orders:read'])
  })

  test('is listed with them, and one from before has all', async () => {
    const made = await create({ scopes: ['health:read'] })
    const listed = (await harness.manage('GET', keys())).body.api_keys
    const scopesOf = new Map(
      listed.map(({ id, scopes }: { id: string; scopes: unknown }) => [id, scopes]),
    )
    assert.deepEqual(scopesOf.get(made.body.id), ['health:read'])
    assert.ok([...scopesOf.values()].includes(null))
    const wrong = [['health:all'], [], ['everything'], 'health:read']
    for (const scopes of wrong) assert.equal((await create({ scopes })).status, 422, `${scopes}`)
  })

  test('gets no more by MCP, FHIR or a body that names more', async () => {
    const made = await create({ scopes: ['audit:read'] })
    const headers = { 'x-service-api-key': made.body.value }
    const call = {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'find_people', arguments: {} },
    }
    const accept = { accept: 'application/json, text/event-stream' }
    const tool = await harness.call('POST', '/mcp', call, { ...headers, ...accept })
    assert.equal(tool.status, 200)
    assert.match(
      tool.text,
      /insufficient_scope|does not have the permission|Unknown tool|not found/,
    )
    assert.doesNotMatch(tool.text, /client_user_id/)
    for (const url of [
      '/fhir/R4/Patient',
      '/fhir/R4/Observation?patient=x',
      '/fhir/R4/Patient/$export',
    ]) {
      assert.equal((await read(url, headers)).status, 403, url)
    }
  })
})

describe('a role', () => {
  test('gives no key and no token more than it has', async () => {
    const { key } = await makeKey('developer')
    const body = { label: 'Part', team_id: harness.teamId }
    assertMissing(await harness.manage('POST', keys(), body, key), 'people:write')
    const wanted = { ...body, scopes: ['connections:write', 'health:read'] }
    assertMissing(await harness.manage('POST', keys(), wanted, key), 'health:read')
    const within = { ...body, scopes: ['connections:write'] }
    assert.equal((await harness.manage('POST', keys(), within, key)).status, 200)
    assertMissing(await mint(key, { scopes: ['health:read'] }), 'health:read')
    const headers = await bearer(key, { scopes: ['people:read'] })
    assertMissing(await read(`/v2/user/providers/${harness.teamId}`, headers), 'connections:read')
  })

  test('makes, changes and ends only keys with no more rights', async () => {
    const developer = await makeKey('developer')
    const viewer = await makeKey('viewer')
    const admin = await makeKey('team_admin')
    const give = (role: string, key: string) =>
      harness.manage('POST', '/management_key', { label: 'Next', role }, key)
    for (const role of ['org_admin', 'team_admin', 'clinician', 'viewer']) {
      const { status, body } = await give(role, developer.key)
      assert.deepEqual([status, body.detail.error_type], [403, 'role_too_low'], role)
    }
    assert.equal((await give('developer', developer.key)).status, 200)
    assert.equal((await give('org_admin', admin.key)).status, 403)
    assert.equal((await give('viewer', admin.key)).status, 200)
    // A viewer changes nothing, not even its own key; a role is no field of a change.
    const own = `/management_key/${viewer.id}`
    assertMissing(
      await harness.manage('PATCH', own, { role: 'org_admin' }, viewer.key),
      'keys:write',
    )
    assertMissing(await give('viewer', viewer.key), 'keys:write')
    assertMissing(
      await harness.manage('GET', '/management_key', undefined, viewer.key),
      'keys:read',
    )
    const changed = await harness.manage('PATCH', own, { role: 'org_admin' })
    assert.equal(changed.body.role, 'viewer')
    const listed = await harness.manage('GET', '/management_key', undefined, developer.key)
    const roles = new Set(listed.body.data.map(({ role }: { role: string }) => role))
    assert.deepEqual([...roles], ['developer'])
    const end = await harness.manage('DELETE', own, undefined, developer.key)
    assert.deepEqual([end.status, end.body.detail.error_type], [403, 'role_too_low'])
  })

  test('without health data gets none by webhooks, apps, clients and copies', async () => {
    const { key } = await makeKey('developer')
    const team = `/team/${harness.teamId}/sandbox`
    const webhook = { url: 'https://example.com/mine' }
    assertMissing(
      await harness.manage('POST', `${team}/webhook`, webhook, key),
      'demographics:read',
    )
    const client = { label: 'Mine', jwks: { keys: [] }, scopes: ['system/*.rs'] }
    assertMissing(await harness.manage('POST', `${team}/smart_client`, client, key), 'orders:write')
    assertMissing(
      await harness.manage('GET', `${team}/event_stream`, undefined, key),
      'demographics:read',
    )
    const userId = await harness.makeUser()
    const headers = await bearer(key)
    const call = (path: string) => harness.call('POST', path, undefined, headers)
    assertMissing(await call(`/v2/user/${userId}/sign_in_token`), 'health:write')
    assertMissing(await call(`/v2/link/code/create?user_id=${userId}`), 'health:write')
    assertMissing(await call(`/v2/user/${userId}/export`), 'rights:write')
    assert.equal((await read(`/v2/user/${userId}`, headers)).status, 200)
  })

  test('counts as it is now: a token loses what its key loses, within seconds', async () => {
    const made = await makeKey('clinician')
    const headers = await bearer(made.key)
    assert.equal((await read('/v3/orders', headers)).status, 200)
    // As another process would change it, when an identity provider reports another role.
    const text = 'update management_keys set role = $2 where id = $1'
    await harness.database.pool.query(text, [made.id, 'developer'])
    harness.clock.advance(5)
    assertMissing(await read('/v3/orders', headers), 'orders:read')
  })

  test('of one environment reaches nothing of the other', async () => {
    const made = await makeKey('team_admin', { environments: ['sandbox'] })
    assert.deepEqual(made, { ...made, environments: ['sandbox'] })
    const { key } = made
    const { teamId } = harness
    const manage = (method: string, path: string, body?: object) =>
      harness.manage(method, path, body, key)
    const team = (await manage('GET', `/team/${teamId}`)).body
    assert.deepEqual([team.environments, team.production], [['sandbox'], null])
    assert.equal((await mint(key, { env: 'production' })).status, 404)
    const one = { label: 'One', team_id: teamId }
    assert.equal((await manage('POST', keys('production'), one)).status, 404)
    assert.deepEqual((await manage('GET', keys('production'))).body.api_keys, [])
    assert.equal((await manage('GET', `/team/${teamId}/production/webhook`)).status, 404)
    const settings = (env: string) => ({ [env]: { minor_ordering_enabled: true } })
    const shared = [settings('production'), { name: 'Renamed' }]
    for (const change of shared) {
      const { status, body } = await manage('PATCH', `/team/${teamId}`, change)
      assert.deepEqual([status, body.detail.error_type], [403, 'role_too_low'])
    }
    assert.equal((await manage('PATCH', `/team/${teamId}`, settings('sandbox'))).status, 200)
    const pipelines = { team_ids: [teamId], push_historical_data: true }
    assert.equal((await manage('POST', '/team_etl_pipelines/production/us', pipelines)).status, 404)
    // Its own keys are limited as it is.
    const wider = { label: 'Wider', role: 'viewer' }
    assert.equal((await manage('POST', '/management_key', wider)).status, 403)
    const within = { ...wider, environments: ['sandbox'] }
    assert.equal((await manage('POST', '/management_key', within)).status, 200)
    // A token ends with the environment of its key.
    const headers = await bearer(key)
    assert.equal((await read('/v2/user', headers)).status, 200)
    const moved = { environments: ['production'] }
    assert.equal((await harness.manage('PATCH', `/management_key/${made.id}`, moved)).status, 200)
    assert.equal((await read('/v2/user', headers)).status, 401)
    const limited = { label: 'x', role: 'org_admin', environments: ['sandbox'] }
    assert.equal((await harness.manage('POST', '/management_key', limited)).status, 422)
  })

  test('of a developer operates the first installation, if it is bound to nothing', async () => {
    const status = (key: string) =>
      harness.call('GET', '/v1/operation/job_kind', undefined, { 'x-management-key': key })
    assert.equal((await status((await makeKey('developer')).key)).status, 200)
    const bindings = { team_role_bindings: [{ team_id: harness.teamId }] }
    const bound = await status((await makeKey('developer', bindings)).key)
    assert.deepEqual([bound.status, bound.body.detail.error_type], [403, 'role_too_low'])
    assertMissing(await status((await makeKey('viewer')).key), 'operation:read')
  })
})
