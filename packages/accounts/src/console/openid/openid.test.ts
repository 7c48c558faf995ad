import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, test } from 'node:test'
import type { App } from '@salus/kernel/http/app-types'
import { buildApp } from '../../../../server/src/app.ts'
import {
  startTestProvider,
  type TestProvider,
} from '../../../../server/test/console/openid-provider.ts'
import { createHarness, type Harness } from '../../../../server/test/harness.ts'
import { OPENID_SETTINGS } from './openid-settings.ts'

const BASE_URL = 'http://127.0.0.1:8787'
const CALLBACK = '/console/openid/callback'
const RULES = [
  { claim: 'groups', value: 'admins', role: 'org_admin' },
  { claim: 'email', value: 'grace@example.com', role: 'team_admin' },
]

let harness: Harness
let provider: TestProvider
let app: App

before(async () => {
  provider = await startTestProvider(BASE_URL + CALLBACK)
  harness = await createHarness()
  const config = {
    ...harness.config,
    baseUrl: BASE_URL,
    openIdIssuer: new URL(provider.issuer),
    openIdClientId: provider.clientId,
    openIdClientSecret: provider.clientSecret,
    openIdScopes: 'openid profile email groups',
    openIdRoles: OPENID_SETTINGS.openIdRoles.read(JSON.stringify(RULES)),
    openIdName: 'Example',
  }
  app = await buildApp({ ...harness.dependencies, config })
})
after(async () => {
  await app.close()
  await provider.close()
  await harness.close()
})
beforeEach(() => {
  harness.clock.advance(60)
  provider.person = { subject: 'ada', claims: { name: 'Ada', groups: ['staff', 'admins'] } }
})

/** Opens an address of the server as a browser does. */
async function open(url: string, cookie = '', headers: Record<string, string> = {}) {
  const path = url.replace(BASE_URL, '')
  const answer = await app.inject({
    url: path,
    headers: { cookie, accept: 'text/html', ...headers },
  })
  const cookies = new Map(answer.cookies.map(({ name, value }) => [name, value]))
  return { status: answer.statusCode, location: String(answer.headers.location), cookies, answer }
}

async function begin(to = '') {
  const start = await open(`/console/openid/start${to}`, '', { 'sec-fetch-site': 'same-origin' })
  const cookie = `salus-console-openid=${start.cookies.get('salus-console-openid')}`
  return { url: start.location, cookie, start }
}

/** The whole way of a person who is sent to the provider and comes back. */
async function signIn(to = '') {
  const { url, cookie } = await begin(to)
  return open(await provider.signIn(url), cookie)
}

const ask = async (token: string | undefined, url = '/v1/console/session') => {
  const headers = { cookie: `salus-console=${token}`, 'x-salus-console': '1' }
  const answer = await app.inject({ url, headers })
  return { status: answer.statusCode, body: answer.json() }
}

describe('who has a role at the provider', () => {
  test('is signed in to the console with it, under the name from the provider', async () => {
    const done = await signIn()
    assert.deepEqual([done.status, done.location], [303, `${BASE_URL}/console`])
    const session = await ask(done.cookies.get('salus-console'))
    const { key, signed_in_with, is_operator } = session.body
    assert.deepEqual([key.label, key.role, signed_in_with], ['Ada', 'org_admin', 'openid_connect'])
    assert.equal(is_operator, true)
    assert.equal(
      (await ask(done.cookies.get('salus-console'), `/v1/org/${harness.organizationId}`)).status,
      200,
    )
    const again = await signIn()
    const second = await ask(again.cookies.get('salus-console'))
    assert.equal(second.body.key.id, key.id)
  })

  test('comes back to the view that they wanted, and nowhere else', async () => {
    const { location } = await signIn('?to=%2Fteam%2Fsandbox%2Forders%3Fstatus%3Dopen')
    assert.equal(location, `${BASE_URL}/console/team/sandbox/orders?status=open`)
    for (const to of [
      'https://evil.example',
      '//evil.example',
      '/\\evil.example',
      '/../v1/x',
      '/%0d%0ax: y',
      '@evil.example',
      '/a//b/../..',
    ]) {
      const { location } = await signIn(`?to=${encodeURIComponent(to)}`)
      const { origin, pathname } = new URL(location)
      assert.equal(origin, BASE_URL, to)
      assert.match(pathname, /^\/console(\/|$)/, to)
    }
  })

  test('has a key that no secret opens, and the last key of the operator is no such key', async () => {
    await signIn()
    const list = await harness.manage('GET', '/management_key')
    const ofAda = list.body.data.find(
      (key: { creator: { type: string } }) => key.creator.type === 'openid_connect',
    )
    const { rows } = await harness.database.pool.query(
      'select key_hash from management_keys where id = $1',
      [ofAda.id],
    )
    assert.equal(rows[0].key_hash.length, 32)
    const first = list.body.data.find(
      (key: { creator: { type: string } }) => key.creator.type === 'bootstrap',
    )
    const refused = await harness.manage('DELETE', `/management_key/${first.id}`)
    assert.equal(refused.body.detail.error_type, 'last_org_admin_key')
    assert.equal((await harness.manage('DELETE', `/management_key/${ofAda.id}`)).status, 200)
  })
})

describe('who has none', () => {
  test('gets an error page, and nothing is stored of them', async () => {
    provider.person = { subject: 'mallory', claims: { name: 'Mallory', groups: ['staff'] } }
    const refused = await signIn()
    assert.equal(refused.location, `${BASE_URL}/console/signin?failure=no_role`)
    assert.equal(refused.cookies.get('salus-console'), undefined)
    const { rows } = await harness.database.pool.query(
      "select 1 from console_identities where subject = 'mallory'",
    )
    assert.equal(rows.length, 0)
  })

  test('an address of e-mail that the provider did not verify gives nothing', async () => {
    const claims = { email: 'grace@example.com', email_verified: false }
    provider.person = { subject: 'grace', claims }
    assert.match((await signIn()).location, /no_role$/)
    provider.person = { subject: 'grace', claims: { ...claims, email_verified: true } }
    const session = await ask((await signIn()).cookies.get('salus-console'))
    assert.equal(session.body.key.role, 'team_admin')
  })

  test('any more, loses what is still open when they come again, and gets another role with it', async () => {
    const open = (await signIn()).cookies.get('salus-console')
    provider.person.claims = {
      ...provider.person.claims,
      groups: [],
      email: 'grace@example.com',
      email_verified: true,
    }
    await signIn()
    assert.equal((await ask(open)).body.key.role, 'team_admin')
    provider.person.claims = { name: 'Ada', groups: ['staff'] }
    await signIn()
    assert.equal((await ask(open)).status, 401)
  })
})

describe('an attack on the way', () => {
  const failed = `${BASE_URL}/console/signin?failure=failed`

  test('the answer of one browser is nothing in another one, nor a second time', async () => {
    const victim = await begin()
    const attacker = await begin()
    const answer = await provider.signIn(attacker.url)
    assert.equal((await open(answer, victim.cookie)).location, failed)
    assert.equal((await open(answer)).location, failed)
    assert.equal((await open(answer, attacker.cookie)).location, `${BASE_URL}/console`)
    assert.equal((await open(answer, attacker.cookie)).location, failed)
  })

  test('a stolen code without the verifier, another nonce or another issuer opens nothing', async () => {
    const change = async (change: (pending: Record<string, string>) => object) => {
      const { url, cookie } = await begin()
      const [, value = ''] = cookie.split('=')
      const pending = JSON.parse(Buffer.from(value, 'base64url').toString())
      const changed = Buffer.from(JSON.stringify(change(pending))).toString('base64url')
      return (await open(await provider.signIn(url), `salus-console-openid=${changed}`)).location
    }
    assert.equal(await change((pending) => pending), `${BASE_URL}/console`)
    assert.equal(await change((pending) => ({ ...pending, codeVerifier: 'x'.repeat(43) })), failed)
    assert.equal(await change((pending) => ({ ...pending, nonce: 'another' })), failed)
    assert.equal(await change((pending) => ({ ...pending, state: 'another' })), failed)
    assert.equal(await change(() => ({})), failed)
    const { url, cookie } = await begin()
    const mixedUp = new URL(await provider.signIn(url))
    mixedUp.searchParams.set('iss', 'https://another.example')
    assert.equal((await open(mixedUp.href, cookie)).location, failed)
  })

  test('another site cannot sign a user in, and the redirect is verified', async () => {
    const forged = await open('/console/openid/start', '', { 'sec-fetch-site': 'cross-site' })
    assert.equal(forged.location, `${BASE_URL}/console/signin`)
    const { url, start } = await begin()
    const { searchParams } = new URL(url)
    assert.equal(searchParams.get('code_challenge_method'), 'S256')
    assert.ok(searchParams.get('state') && searchParams.get('nonce'))
    assert.equal(searchParams.get('redirect_uri'), BASE_URL + CALLBACK)
    assert.match(
      String(start.answer.headers['set-cookie']),
      /^salus-console-openid=[\w-]+; Max-Age=900; Path=\/; HttpOnly; SameSite=Lax$/,
    )
  })

  test('a person who declines sees that nothing happened', async () => {
    const { url, cookie } = await begin()
    const state = new URL(url).searchParams.get('state') ?? ''
    const query = new URLSearchParams({ state, error: 'access_denied', iss: provider.issuer })
    const refused = await open(`${CALLBACK}?${query}`, cookie)
    assert.equal(refused.location, `${BASE_URL}/console/signin?failure=cancelled`)
  })
})

test('settings that would let no one in, or everyone, stop the start with a line', () => {
  const { openIdRoles: roles, openIdIssuer: issuer } = OPENID_SETTINGS
  for (const [text, message] of [
    ['[]', /list of rules/],
    ['{}', /neither a JSON list nor the path/],
    ['[{"claim": "groups"}]', /a claim and a value/],
    ['[{"claim": "g", "value": "x", "role": "root"}]', /org_admin, team_admin/],
    ['[{"claim": "g", "value": "x", "role": "org_admin", "team_ids": []}]', /every team/],
    ['[{"claim": "g", "value": "x", "role": "team_admin", "team": []}]', /not known/],
    ['[{"claim": "g", "value": "x", "role": "team_admin", "team_ids": ["1"]}]', /list of ids/],
    ['[{"claim": "g", "value": "x", "role": "viewer", "environments": ["test"]}]', /sandbox, prod/],
    ['[{"claim": "g", "value": "x", "role": "viewer", "environments": []}]', /sandbox, prod/],
    [
      '[{"claim": "g", "value": "x", "role": "org_admin", "environments": ["sandbox"]}]',
      /limits an org/,
    ],
  ] as const) {
    assert.throws(() => roles.read(text), message, text)
  }
  const limited = '[{"claim": "g", "value": "x", "role": "viewer", "environments": ["production"]}]'
  const [rule] = roles.read(limited)
  assert.deepEqual([rule?.role, rule?.environments], ['viewer', ['production']])
  assert.throws(() => issuer.read('http://login.example.com'), /https/)
  assert.equal(issuer.read('http://localhost:9000')?.port, '9000')
})
