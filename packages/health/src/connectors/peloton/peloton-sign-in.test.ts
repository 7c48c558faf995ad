import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { withSettings } from '../app-settings.ts'
import { type Send, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { PELOTON } from './peloton.connector.ts'
import { PELOTON_SIGN_IN } from './peloton-sign-in.ts'

const NOW = Date.UTC(2026, 1, 6)
const CONTEXT = { app: withSettings(PELOTON), now: NOW }
const GIVEN = { username: 'person@example.com', password: 'secret', region: null }
const TOKENS = { access_token: 'a1', refresh_token: 'r1', expires_in: 172_800 }
const LOGIN_STATE = 'state-of-the-page'

interface Given {
  status?: number
  body?: unknown
  headers?: Record<string, string | string[]>
}

/** A vendor with its pages by host and path; requests are kept. */
function makeVendor(change: Record<string, Given> = {}): { send: Send; requests: VendorRequest[] } {
  const page = { 'content-type': 'text/html' }
  const form = `<form method="post" action="https://auth.onepeloton.com/login/callback">
    <input type="hidden" name="wa" value="wsignin1.0">
    <input type='hidden' name='wresult' value='a.b.c'>
    <input type="hidden" name="wctx" value="{&quot;state&quot;:&quot;a&amp;b&quot;}"></form>`
  const answers: Record<string, Given> = {
    'auth /authorize': {
      status: 302,
      headers: {
        location: 'https://auth-orca.onepeloton.com/start',
        'set-cookie': ['auth0=x; Path=/', '_csrf=token%2B1; Path=/usernamepassword/login; Secure'],
      },
    },
    'orca /start': {
      status: 302,
      headers: { location: `https://auth.onepeloton.com/login?state=${LOGIN_STATE}` },
    },
    'auth /login': { headers: page, body: '<p>Log in</p>' },
    'auth /usernamepassword/login': { headers: page, body: form },
    'auth /login/callback': { status: 302, headers: { location: '/authorize/resume?state=y' } },
    'auth /authorize/resume': {
      status: 302,
      headers: { location: 'https://members.onepeloton.com/callback?code=c1&state=z' },
    },
    'auth /oauth/token': { body: TOKENS },
    'api /api/me': { body: { id: 'account-1', username: 'x' } },
    ...change,
  }
  const requests: VendorRequest[] = []
  const send: Send = (request) => {
    requests.push(request)
    const path = request.path.split('?')[0]
    const {
      status = 200,
      body = '',
      headers = {},
    } = answers[`${request.host ?? 'api'} ${path}`] ?? assert.fail(path)
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return Promise.resolve(new OutboundAnswer('auth.onepeloton.com', status, headers, bytes))
  }
  return { send, requests }
}

const failureOf = (work: Promise<unknown>): Promise<VendorFailure> =>
  work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => {
      assert.ok(reason instanceof VendorError, String(reason))
      assert.doesNotMatch(JSON.stringify(reason), /secret|person/)
      return reason.failure
    },
  )
const signIn = (change: Record<string, Given> = {}) =>
  PELOTON_SIGN_IN.signIn(makeVendor(change).send, GIVEN, CONTEXT)

test('a password goes through the pages of the website to tokens', async () => {
  const { send, requests } = makeVendor()
  assert.deepEqual(await PELOTON_SIGN_IN.signIn(send, GIVEN, CONTEXT), {
    state: 'signed_in',
    accountId: 'account-1',
    tokens: {
      accessToken: 'a1',
      refreshToken: 'r1',
      expiresAt: NOW + 172_800_000,
      extra: { accountId: 'account-1' },
    },
  })
  const [authorize] = requests
  const query = new URLSearchParams(authorize?.path.split('?')[1])
  const login = requests.find(({ path }) => path === '/usernamepassword/login')
  const sent = login?.json as Record<string, string>
  assert.deepEqual(
    [sent.username, sent.password, sent._csrf, sent.state, sent.connection],
    ['person@example.com', 'secret', 'token+1', LOGIN_STATE, 'pelo-user-password'],
  )
  assert.equal(sent.code_challenge, query.get('code_challenge'))
  assert.match(login?.headers?.cookie ?? '', /_csrf=/)
  const callback = requests.find(({ path }) => path === '/login/callback')
  assert.deepEqual(callback?.form, { wa: 'wsignin1.0', wresult: 'a.b.c', wctx: '{"state":"a&b"}' })
  const token = requests.find(({ path }) => path === '/oauth/token')?.form ?? {}
  const challenge = createHash('sha256')
    .update(token.code_verifier ?? '')
    .digest('base64url')
  assert.deepEqual([token.code, challenge], ['c1', query.get('code_challenge')])
  // The address of the website is never requested.
  assert.ok(requests.every(({ path }) => !path.startsWith('/callback')))
})

test('a refused password, too many tries and a check for bots are different', async () => {
  const login = (status: number, body: unknown, type = 'application/json') =>
    signIn({ 'auth /usernamepassword/login': { status, body, headers: { 'content-type': type } } })
  const refused = (reason: string) => ({ state: 'refused', reason })
  assert.deepEqual(await login(401, { code: 'invalid_user_password' }), refused('wrong_credential'))
  assert.deepEqual(await login(400, { code: 'invalid_user_password' }), refused('wrong_credential'))
  assert.deepEqual(await login(403, { error: 'access_denied' }), refused('wrong_credential'))
  assert.deepEqual(await login(429, { code: 'too_many_attempts' }), refused('blocked'))
  assert.deepEqual(await login(401, { code: 'requires_verification' }), refused('blocked'))
  assert.equal((await failureOf(login(503, ''))).kind, 'unavailable')
  assert.equal((await failureOf(login(429, ''))).kind, 'rate_limited')
  assert.equal((await failureOf(login(200, '<p>no form</p>', 'text/html'))).kind, 'unexpected')
})

test('pages that lead elsewhere are unexpected', async () => {
  const changes: Record<string, Given>[] = [
    { 'orca /start': { status: 302, headers: { location: 'https://evil.example/' } } },
    { 'auth /authorize': { status: 200, body: 'no cookie' } },
    { 'auth /authorize/resume': { status: 200, body: 'stop' } },
    { 'auth /oauth/token': { body: {} } },
    { 'auth /oauth/token': { status: 403, body: { error: 'invalid_grant' } } },
    { 'api /api/me': { body: {} } },
  ]
  for (const change of changes) {
    assert.equal((await failureOf(signIn(change))).kind, 'unexpected')
  }
})

test('a refresh token is used once and replaced; without one the password opens a session', async () => {
  const tokens = {
    accessToken: 'a0',
    refreshToken: 'r0',
    expiresAt: NOW,
    extra: { accountId: 'account-1' },
  }
  const { send, requests } = makeVendor()
  const renewed = await PELOTON_SIGN_IN.renew(send, tokens, GIVEN, CONTEXT)
  assert.deepEqual([renewed.refreshToken, renewed.extra, requests.length], ['r1', tokens.extra, 1])
  assert.equal(requests[0]?.form?.refresh_token, 'r0')
  const other = makeVendor()
  await PELOTON_SIGN_IN.renew(other.send, { ...tokens, refreshToken: null }, GIVEN, CONTEXT)
  assert.ok(other.requests.some(({ path }) => path === '/usernamepassword/login'))
  const renew = (change: Record<string, Given>) =>
    failureOf(PELOTON_SIGN_IN.renew(makeVendor(change).send, tokens, GIVEN, CONTEXT))
  const trouble = await renew({ 'auth /oauth/token': { status: 503 } })
  assert.equal(trouble.kind, 'unavailable')
  assert.deepEqual(
    await renew({
      'auth /oauth/token': { status: 403, body: { error: 'invalid_grant' } },
      'auth /usernamepassword/login': { status: 401, body: { code: 'invalid_user_password' } },
    }),
    { kind: 'ended', errorType: 'provider_credential_error' },
  )
})
