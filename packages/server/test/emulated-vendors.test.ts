import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { sandboxAppOf } from '@salus/health/connectors'
import { createEmulatorState } from '@salus/kernel/postgres/emulator-state'
import { ProviderEmulator } from '@salus/sandbox/providers'
import { buildApp } from '../src/app.ts'
import { readConfig } from '../src/config.ts'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

/**
 * The vendors of sandboxes as the service has them: pages for browsers, and everything for
 * connectors.
 */

const PAGES = '/sandbox/providers/oura/web/oauth/authorize'
const RETURN_TO = 'https://app.example.com/back?kept=1'

const ASKED = new URLSearchParams({
  response_type: 'code',
  client_id: 'sandbox',
  redirect_uri: RETURN_TO,
  scope: 'daily heartrate',
  state: 'a state',
})

const harness = useFixture(createHarness)
let emulator: ProviderEmulator
let clientSecret: string

before(() => {
  emulator = harness.dependencies.emulator as ProviderEmulator
  clientSecret = sandboxAppOf(harness.secrets).clientSecret
})

async function send(form: Record<string, string>) {
  return harness.app.inject({
    method: 'POST',
    url: `${PAGES}?${ASKED}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html' },
    payload: new URLSearchParams(form).toString(),
  })
}

async function allow(username: string, decision = 'allow'): Promise<URL> {
  const consent = await send({ step: 'sign_in', username, password: 'correct' })
  const [, ticket = ''] = /name="ticket" value="([^"]+)"/.exec(consent.body) ?? []
  const answer = await send({ step: 'consent', ticket, scope: 'daily', decision })
  assert.equal(answer.statusCode, 303, answer.body)
  return new URL(String(answer.headers.location))
}

interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  error: string
}

async function exchange(form: Record<string, string>, url = emulator.url) {
  const answer = await fetch(`${url}/sandbox/providers/oura/api/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'sandbox', client_secret: clientSecret, ...form }),
  })
  return { status: answer.status, body: (await answer.json()) as Tokens }
}

const takeCode = (code: string | null) =>
  exchange({ grant_type: 'authorization_code', code: code ?? '', redirect_uri: RETURN_TO })

async function readActivity(token: string, url = emulator.url): Promise<number> {
  const path = '/sandbox/providers/oura/api/v2/usercollection/daily_activity'
  const answer = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${token}` } })
  await answer.arrayBuffer()
  return answer.status
}

describe('in a browser', () => {
  test('a user signs in, lets an app see some data, and is redirected to its address', async () => {
    const page = await harness.app.inject({ url: `${PAGES}?${ASKED}` })
    assert.equal(page.statusCode, 200)
    assert.match(String(page.headers['content-type']), /^text\/html/)
    const back = await allow('anna')
    assert.equal(back.origin + back.pathname, 'https://app.example.com/back')
    assert.equal(back.searchParams.get('kept'), '1')
    assert.equal(back.searchParams.get('state'), 'a state')
    const { status, body } = await takeCode(back.searchParams.get('code'))
    assert.equal(status, 200)
    assert.equal(body.scope, 'daily')
    assert.equal(await readActivity(body.access_token), 200)
  })

  test('no browser reaches the part for connectors', async () => {
    for (const path of [
      'v2/usercollection/daily_activity',
      'v2/webhook/subscription',
      'oauth/token',
    ]) {
      const url = `/sandbox/providers/oura/api/${path}`
      const headers = { 'x-client-id': 'sandbox', 'x-client-secret': clientSecret }
      const read = await harness.app.inject({ url, headers })
      const sent = await harness.app.inject({ method: 'POST', url, headers, payload: {} })
      assert.deepEqual([read.statusCode, sent.statusCode], [404, 404], path)
    }
  })

  test('pages forbid scripts and framing, and keep the way back open', async () => {
    const { headers } = await harness.app.inject({ url: `${PAGES}?${ASKED}` })
    const policy = String(headers['content-security-policy'])
    assert.match(policy, /default-src 'none'/)
    assert.match(policy, /frame-ancestors 'none'/)
    assert.doesNotMatch(policy, /form-action|script-src/)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.equal(headers['cache-control'], 'no-store')
  })

  test('pages name no address of their own, so that they work behind any proxy', async () => {
    const page = await harness.app.inject({ url: `${PAGES}?${ASKED}` })
    assert.doesNotMatch(page.body, /(href|action|src)="/)
  })

  test('what is typed in is shown as text', async () => {
    const { body } = await send({ step: 'sign_in', username: '"><script>1', password: 'no' })
    assert.doesNotMatch(body, /<script>/)
    assert.match(body, /&quot;&gt;&lt;script&gt;1/)
  })
})

test('the app of sandboxes has a secret of this installation alone', async () => {
  const { refresh_token } = await emulator.grant('oura', 'eve', ['daily'])
  const form = { grant_type: 'refresh_token', refresh_token }
  const known = await exchange({ ...form, client_secret: 'sandbox' })
  assert.deepEqual([known.status, known.body.error], [401, 'invalid_client'])
  assert.equal((await exchange(form)).status, 200)
})

test('vendors are emulated unless the installation has a public address, or a setting says so', () => {
  const plays = (environment: Record<string, string>) => readConfig(environment).providerEmulator
  const https = { SALUS_BASE_URL: 'https://salus.example.com' }
  assert.equal(plays({}), true)
  assert.equal(plays({ SALUS_BASE_URL: 'http://localhost:8787' }), true)
  assert.equal(plays(https), false)
  assert.equal(plays({ ...https, SALUS_SANDBOX_PROVIDERS: 'auto' }), false)
  assert.equal(plays({ ...https, SALUS_SANDBOX_PROVIDERS: 'true' }), true)
  assert.equal(plays({ SALUS_SANDBOX_PROVIDERS: 'false' }), false)
  assert.throws(
    () => plays({ SALUS_SANDBOX_PROVIDERS: 'yes' }),
    /^StartupError|SALUS_SANDBOX_PROVIDERS/,
  )
})

describe('state', () => {
  test('survives a restart: tokens go on, used codes and old refresh tokens stay used', async () => {
    const code = (await allow('bob')).searchParams.get('code')
    const { body: first } = await takeCode(code)
    const refresh = { grant_type: 'refresh_token', refresh_token: first.refresh_token }
    const { body: second } = await exchange(refresh)

    const { clock, database } = harness
    const restarted = new ProviderEmulator({
      clock,
      store: createEmulatorState(database.db),
      clientSecret: () => clientSecret,
    })
    await restarted.listen()
    try {
      assert.equal(await readActivity(second.access_token, restarted.url), 200)
      assert.equal((await exchange(refresh, restarted.url)).body.error, 'invalid_grant')
      await restarted.revoke('oura', 'bob')
      assert.equal(await readActivity(second.access_token), 401)
    } finally {
      await restarted.close()
    }
  })

  test('of many refreshes with one token at once, through two processes, one succeeds', async () => {
    const { clock, database } = harness
    const other = new ProviderEmulator({
      clock,
      store: createEmulatorState(database.db),
      clientSecret: () => clientSecret,
    })
    await other.listen()
    try {
      const { refresh_token } = await emulator.grant('oura', 'carl', ['daily'])
      const form = { grant_type: 'refresh_token', refresh_token }
      const urls = Array.from({ length: 10 }, (_, index) => (index % 2 ? other : emulator).url)
      const answers = await Promise.all(urls.map((url) => exchange(form, url)))
      assert.equal(answers.filter(({ status }) => status === 200).length, 1)
    } finally {
      await other.close()
    }
  })

  test('what is expired is as if it had never been', async () => {
    const store = createEmulatorState(harness.database.db)
    const now = harness.clock.now()
    const later = new Date(now.getTime() + 1000)
    const entry = { key: 'a/b', value: { n: 1 }, now }
    assert.equal(await store.compareAndSet({ ...entry, version: null, expiresAt: later }), true)
    assert.equal(await store.compareAndSet({ ...entry, version: null, expiresAt: later }), false)
    assert.equal(await store.compareAndSet({ ...entry, version: 2, expiresAt: later }), false)
    assert.deepEqual(await store.list('a/', '', 10, now), [
      { key: 'a/b', value: { n: 1 }, version: 1 },
    ])
    assert.deepEqual(await store.read(['a/b'], later), [])
    const renewed = { ...entry, now: later, version: null, expiresAt: null }
    assert.equal(await store.compareAndSet(renewed), true)
    assert.equal((await store.read(['a/b'], later)).length, 1)
    const gone = { ...entry, value: undefined, version: 1, expiresAt: null }
    assert.equal(await store.compareAndSet(gone), true)
    assert.deepEqual(await store.read(['a/b'], later), [])
  })
})

test('an installation can do without emulated vendors', async () => {
  const dependencies = { ...harness.dependencies, emulator: undefined }
  const app = await buildApp(dependencies)
  assert.equal((await app.inject({ url: `${PAGES}?${ASKED}` })).statusCode, 404)
  await app.close()
})
