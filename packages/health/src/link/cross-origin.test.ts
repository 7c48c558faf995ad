import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import type { Answer } from '../../../server/test/harness.ts'
import { createLinkFixture } from '../../../server/test/link/link-fixture.ts'
import { changeSettings } from '../../../server/test/stored-events.ts'
import { useFixture } from '../../../server/test/use-fixture.ts'

const fixture = useFixture(createLinkFixture)

const APP = 'https://app.example.com'
const LOCAL = 'http://localhost:3000'
const OTHER_TEAM = 'https://other.example.org'

/** Routes that a page of one's own calls, each with what a browser asks about it. */
const ROUTES: [method: string, url: string][] = [
  ['GET', '/v2/link/providers'],
  ['GET', '/v2/link/state'],
  ['GET', '/v2/team/link/config'],
  ['GET', '/v2/link/provider/oauth/oura'],
  ['POST', '/v2/link/provider/password/abbott_libreview'],
  ['POST', '/v2/link/provider/password/abbott_libreview/complete_mfa'],
  ['POST', '/v2/link/provider/email/freestyle_libre'],
  ['POST', '/v2/link/start'],
]

/** Origins that look like the allowed one and are not it. */
const LOOK_ALIKES = [
  'null',
  '*',
  'https://evil.example',
  'http://app.example.com',
  'https://app.example.com:8443',
  'https://app.example.com:443',
  'https://app.example.com/',
  'https://APP.example.com',
  'https://app.example.com.evil.example',
  'https://evil-app.example.com',
  'https://sub.app.example.com',
  'https://app.example.com, https://evil.example',
  'http://localhost',
  'http://localhost:3001',
  'http://127.0.0.1:3000',
]

const corsOf = ({ headers }: Answer): Record<string, unknown> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith('access-control-')))

function ask(url: string, origin: string | undefined, method = 'GET'): Promise<Answer> {
  return fixture.harness.call('OPTIONS', url, undefined, {
    'x-service-api-key': '',
    ...(origin !== undefined && { origin }),
    'access-control-request-method': method,
    'access-control-request-headers': 'content-type,x-service-link-token',
  })
}

function send(token: string, origin: string, url = '/v2/link/providers'): Promise<Answer> {
  const headers = { 'x-service-api-key': '', 'x-service-link-token': token, origin }
  return fixture.harness.call('GET', url, undefined, headers)
}

describe('a page of another origin', () => {
  let otherTeam: { id: string; sandboxKey: string }
  before(async () => {
    const { harness } = fixture
    await changeSettings(harness, { link_origins: [APP, LOCAL] })
    otherTeam = await harness.makeTeam({ link_origins: [OTHER_TEAM] })
  })

  test('may send a link token if its origin is allowed, and nothing else', async () => {
    for (const [method, url] of ROUTES) {
      const answer = await ask(url, APP, method)
      assert.equal(answer.status, 204, url)
      assert.equal(answer.text, '')
      assert.deepEqual(
        corsOf(answer),
        {
          'access-control-allow-origin': APP,
          'access-control-allow-methods': method,
          'access-control-allow-headers': 'content-type, x-service-link-token, x-vital-link-token',
          'access-control-max-age': '600',
        },
        url,
      )
      assert.equal(answer.headers.vary, 'origin')
    }
  })

  test('is not allowed by an origin that only looks like an allowed one', async () => {
    const { token } = await fixture.issue()
    for (const origin of LOOK_ALIKES) {
      const answer = await ask('/v2/link/providers', origin)
      assert.equal(answer.status, 204, origin)
      assert.deepEqual(corsOf(answer), {}, origin)
      const read = await send(token, origin)
      assert.deepEqual([read.status, corsOf(read)], [200, {}], origin)
      assert.equal(read.headers.vary, 'origin')
    }
    assert.deepEqual(corsOf(await ask('/v2/link/providers', undefined)), {})
  })

  test('reads the answer if the team of its token allows it, and no cookie is ever accepted', async () => {
    const { token } = await fixture.issue()
    for (const origin of [APP, LOCAL]) {
      for (const url of ['/v2/link/providers', '/v2/team/link/config', '/v2/link/state']) {
        const answer = await send(token, origin, url)
        assert.equal(answer.status, 200)
        const cors = corsOf(answer)
        assert.equal(cors['access-control-allow-origin'], origin)
        assert.equal(cors['access-control-allow-credentials'], undefined)
      }
    }
    const started = await send(token, APP, '/v2/link/provider/oauth/oura')
    assert.equal(started.headers['set-cookie'], undefined)
  })

  test("does not read the answer of another team's token, though a browser may ask for either", async () => {
    const { token } = await fixture.issue()
    assert.equal((await ask('/v2/link/providers', OTHER_TEAM)).status, 204)
    assert.deepEqual(corsOf(await send(token, OTHER_TEAM)), {})
    const { harness } = fixture
    const key = { 'x-service-api-key': otherTeam.sandboxKey }
    const user = await harness.call('POST', '/v2/user', { client_user_id: 'theirs' }, key)
    const { user_id } = user.body
    const made = await harness.call('POST', '/v2/link/token', { user_id }, key)
    const own = await send(made.body.link_token, OTHER_TEAM)
    assert.equal(own.headers['access-control-allow-origin'], OTHER_TEAM)
    assert.deepEqual(corsOf(await send(made.body.link_token, APP)), {})
  })

  test('reads why it was refused: a bad token, a used one, an invalid body', async () => {
    const { harness, issue, connect } = fixture
    const bad = await send('made-up', APP)
    assert.deepEqual([bad.status, bad.body.detail.error_type], [401, 'invalid_token'])
    assert.equal(bad.headers['access-control-allow-origin'], APP)
    assert.deepEqual(corsOf(await send('made-up', 'https://evil.example')), {})
    const { token } = await issue()
    await connect('cors-account', token)
    const used = await send(token, APP)
    assert.deepEqual([used.status, used.body.detail.error_type], [401, 'token_consumed'])
    assert.equal(used.headers['access-control-allow-origin'], APP)
    const headers = { 'x-service-api-key': '', 'x-service-link-token': token, origin: APP }
    const url = '/v2/link/provider/password/abbott_libreview'
    const invalid = await harness.call('POST', url, { username: 1 }, headers)
    assert.equal(invalid.status, 422)
    assert.equal(invalid.headers['access-control-allow-origin'], APP)
  })

  test('may not use what takes a key of the team, nor an address that does not exist', async () => {
    for (const url of ['/v2/link/token', '/v2/link/bulk_export', '/v2/link/code/create']) {
      const answer = await ask(url, APP, 'POST')
      assert.deepEqual([answer.status, corsOf(answer)], [405, {}], url)
    }
    assert.equal((await ask('/v2/link/nothing', APP)).status, 404)
    assert.deepEqual(corsOf(await ask('/v2/user', APP)), {})
  })

  test('is no longer allowed once the team removes it', async () => {
    const { token } = await fixture.issue()
    await changeSettings(fixture.harness, { link_origins: [LOCAL] })
    assert.deepEqual(corsOf(await ask('/v2/link/providers', APP)), {})
    assert.deepEqual(corsOf(await send(token, APP)), {})
    await changeSettings(fixture.harness, { link_origins: null })
    assert.deepEqual(corsOf(await ask('/v2/link/providers', LOCAL)), {})
    await changeSettings(fixture.harness, { link_origins: [APP, LOCAL] })
  })
})

test('an allowed origin is one that browsers send, from a page that no network can change', async () => {
  const { harness } = fixture
  const set = (origin: string) =>
    harness.manage('PATCH', `/team/${harness.teamId}`, { sandbox: { link_origins: [origin] } })
  const good = [
    'https://app.example.com:8443',
    'https://xn--bcher-kva.example',
    'http://localhost',
    'http://app.localhost:5173',
    'http://127.0.0.1:3000',
    'http://[::1]:3000',
  ]
  for (const origin of good) assert.equal((await set(origin)).status, 200, origin)
  const bad = [
    ...['*', 'null', '', 'https://', 'https://*.example.com', 'app.example.com', 'file://'],
    ...['http://app.example.com', 'http://localhost.evil.example', 'myapp://linked'],
    ...['https://user@app.example.com', 'https://app.example.com/linked', 'javascript:alert(1)'],
  ]
  for (const origin of bad) assert.equal((await set(origin)).status, 422, origin)
  const spelled: [string, string][] = [
    ['https://app.example.com/', 'https://app.example.com'],
    ['https://APP.example.com:443', 'https://app.example.com'],
    ['https://bücher.example', 'https://xn--bcher-kva.example'],
  ]
  for (const [given, origin] of spelled) {
    const { status, body } = await set(given)
    assert.equal(status, 422, given)
    assert.equal(body.detail[0].msg, `Not an origin as browsers send it: ${origin}`)
    assert.deepEqual(body.detail[0].loc, ['body', 'sandbox', 'link_origins', 0])
  }
  await changeSettings(harness, { link_origins: null })
})
