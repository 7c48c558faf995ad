import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { withSettings } from '../app-settings.ts'
import { type Send, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { TANDEM_SOURCE } from './tandem.connector.ts'
import { TANDEM_SIGN_IN } from './tandem-sign-in.ts'

const NOW = Date.UTC(2026, 1, 6)
const CONTEXT = { app: withSettings(TANDEM_SOURCE), now: NOW }
const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')
const idToken = (claims: object) => `${part({ alg: 'RS256' })}.${part(claims)}.sig`
const IDS = { pumperId: 'p-1', accountId: 'a-1' }
const CALLBACKS = {
  us: 'https://sso.tandemdiabetes.com/auth/callback',
  eu: 'https://source.eu.tandemdiabetes.com/authorize/callback',
}

interface Given {
  status?: number
  body?: unknown
  headers?: Record<string, string | string[]>
}

function makeVendor(
  region: 'us' | 'eu',
  change: Record<string, Given> = {},
): { send: Send; requests: VendorRequest[] } {
  const answers: Record<string, Given> = {
    'sso /': { headers: { 'set-cookie': 'sso=1; Path=/' } },
    'accounts /accounts/api/login': {
      body: { redirectUrl: '/', status: 'SUCCESS' },
      headers: { 'set-cookie': 'session=s1; Path=/accounts' },
    },
    'accounts /accounts/api/connect/authorize': {
      status: 302,
      headers: { location: `${CALLBACKS[region]}?code=c1` },
    },
    'accounts /accounts/api/connect/token': {
      body: { access_token: 't1', id_token: idToken(IDS), expires_in: 28_800 },
    },
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
    } = answers[`${request.host} ${path}`] ?? assert.fail(path)
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return Promise.resolve(new OutboundAnswer('tandemdiabetes.com', status, headers, bytes))
  }
  return { send, requests }
}

const GIVEN = { username: 'person@example.com', password: 'secret', region: null }
const failureOf = (work: Promise<unknown>): Promise<VendorFailure> =>
  work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => {
      assert.ok(reason instanceof VendorError, String(reason))
      assert.doesNotMatch(JSON.stringify(reason), /secret|person/)
      return reason.failure
    },
  )

test('a password opens a session in each region, with the ids of the person', async () => {
  for (const region of ['us', 'eu'] as const) {
    const { send, requests } = makeVendor(region)
    const given = { ...GIVEN, region: region === 'us' ? null : region }
    assert.deepEqual(await TANDEM_SIGN_IN.signIn(send, given, CONTEXT), {
      state: 'signed_in',
      accountId: 'a-1',
      tokens: {
        accessToken: 't1',
        refreshToken: null,
        expiresAt: NOW + 28_800_000,
        extra: { pumperId: 'p-1', region },
      },
    })
    const [, , authorize, token] = requests
    assert.match(authorize?.headers?.cookie ?? '', /session=s1/)
    assert.equal(token?.form?.redirect_uri, CALLBACKS[region])
    assert.equal(token?.form?.client_id, CONTEXT.app.settings[`client_id_${region}`])
    assert.deepEqual(requests[1]?.json, { username: 'person@example.com', password: 'secret' })
  }
})

test('each state of a sign-in has its outcome', async () => {
  const login = (given: Given) =>
    TANDEM_SIGN_IN.signIn(
      makeVendor('us', { 'accounts /accounts/api/login': given }).send,
      GIVEN,
      CONTEXT,
    )
  for (const [given, reason] of [
    [{ body: { status: 'AUTHENTICATION_FAILED' } }, 'wrong_credential'],
    [{ status: 401, body: 'Unauthorized' }, 'wrong_credential'],
    [{ status: 400, body: {} }, 'wrong_credential'],
    [{ body: { status: 'PASSWORD_EXPIRED' } }, 'password_expired'],
    [{ body: { status: 'LOCKED_OUT' } }, 'blocked'],
  ] as const) {
    assert.deepEqual(await login(given), { state: 'refused', reason })
  }
  for (const [given, kind] of [
    [{ body: {} }, 'unexpected'],
    [{ body: '<html>' }, 'unexpected'],
    [{ status: 503 }, 'unavailable'],
    [{ status: 429 }, 'rate_limited'],
    [{ status: 302, headers: { location: 'https://evil.example/' } }, 'unexpected'],
  ] as const) {
    assert.equal((await failureOf(login(given))).kind, kind)
  }
})

test('an answer without a code or ids is unexpected', async () => {
  const token = 'accounts /accounts/api/connect/token'
  const changes: Record<string, Given>[] = [
    { 'accounts /accounts/api/connect/authorize': { body: 'stop' } },
    { [token]: { body: { access_token: 't1', id_token: 'x' } } },
    { [token]: { body: { access_token: 't1', id_token: idToken({ accountId: 'a' }) } } },
    { [token]: { body: { id_token: idToken(IDS) } } },
  ]
  for (const change of changes) {
    const { send } = makeVendor('us', change)
    assert.equal((await failureOf(TANDEM_SIGN_IN.signIn(send, GIVEN, CONTEXT))).kind, 'unexpected')
  }
})

test('the password opens a new session, and a refused one ends the connection', async () => {
  const tokens = { accessToken: 't0', refreshToken: null, expiresAt: NOW }
  const renewed = await TANDEM_SIGN_IN.renew(makeVendor('us').send, tokens, GIVEN, CONTEXT)
  assert.equal(renewed.accessToken, 't1')
  const refused = makeVendor('us', { 'accounts /accounts/api/login': { status: 401 } })
  assert.deepEqual(await failureOf(TANDEM_SIGN_IN.renew(refused.send, tokens, GIVEN, CONTEXT)), {
    kind: 'ended',
    errorType: 'provider_credential_error',
  })
})

test('requests name the person and seem to come from the website of the region', () => {
  const tokens = (region: string) => ({
    accessToken: 't1',
    refreshToken: null,
    expiresAt: null,
    extra: { pumperId: 'p 1', region },
  })
  const [events] = TANDEM_SOURCE.collections
  const range = { from: 0, to: 1 }
  const context = { extra: {}, now: 0, app: undefined }
  const wanted = events?.page(range, null, context) ?? assert.fail()
  const { path, headers } = TANDEM_SOURCE.authorize?.(wanted, tokens('eu'), undefined) ?? {}
  assert.equal(path, '/api/reports/bff/pumper/p%201')
  assert.equal(headers?.origin, 'https://source.eu.tandemdiabetes.com')
  assert.equal(headers?.authorization, 'Bearer t1')
  const logs = { path: '/x', query: { pumperId: '{pumperId}', startDate: 'd' } }
  const sent = TANDEM_SOURCE.authorize?.(logs, tokens('us'), undefined)
  assert.deepEqual(sent?.query, { pumperId: 'p 1', startDate: 'd' })
  assert.equal(sent?.headers?.referer, 'https://source.tandemdiabetes.com/')
})
