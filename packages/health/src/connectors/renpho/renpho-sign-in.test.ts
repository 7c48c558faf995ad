import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { type Send, VendorError, type VendorRequest } from '../vendor-client.ts'
import { isFields } from '../vendor-records.ts'
import { decrypt, encrypt } from './renpho-envelope.ts'
import { RENPHO_SIGN_IN } from './renpho-sign-in.ts'

const KEY = 'sixteen-letters!'
const settings = { encryption_key: KEY, app_version: '6.6.0' }
const CONTEXT = { app: { clientId: '', clientSecret: '', settings }, now: 0 }
const GIVEN = { username: 'person@example.com', password: 'secret', region: null }

function signIn(status: number, content: unknown, context = CONTEXT) {
  const requests: VendorRequest[] = []
  const send: Send = (request) => {
    requests.push(request)
    const body = Buffer.from(JSON.stringify(content))
    return Promise.resolve(new OutboundAnswer('vendor', status, {}, body))
  }
  return { outcome: RENPHO_SIGN_IN.signIn(send, GIVEN, context), requests }
}

const welcome = (login: object) => ({
  code: 101,
  msg: 'success',
  data: encrypt(KEY, { login }).encryptData,
})

async function failureOf(work: Promise<unknown>) {
  const caught = await work.catch((one: unknown) => one)
  assert.ok(caught instanceof VendorError, String(caught))
  return caught.failure.kind
}

test('the password is encrypted, and the id of the account keeps all its digits', async () => {
  const login = { token: 'token', id: '2132938788905981073' }
  const { outcome, requests } = signIn(200, welcome(login))
  assert.deepEqual(await outcome, {
    state: 'signed_in',
    tokens: {
      accessToken: 'token',
      refreshToken: null,
      expiresAt: null,
      extra: { userId: '2132938788905981073' },
    },
    accountId: '2132938788905981073',
  })
  const { json } = requests[0] ?? assert.fail()
  const { encryptData } = json as { encryptData: string }
  assert.doesNotMatch(JSON.stringify(requests), /secret/)
  const sent = decrypt(KEY, encryptData)
  assert.ok(isFields(sent) && isFields(sent.login))
  const { email, password, appRevision } = sent.login
  assert.deepEqual([email, password, appRevision], [GIVEN.username, 'secret', '6.6.0'])
})

test('a refusal is in the body, and trouble of the vendor is none', async () => {
  const refused = { state: 'refused', reason: 'wrong_credential' }
  for (const problem of [
    { code: 50010, msg: 'error' },
    { code: 7, msg: 'The password is incorrect' },
    { code: '50003', msg: '' },
  ]) {
    assert.deepEqual(await signIn(200, problem).outcome, refused)
  }
  for (const [status, problem, kind] of [
    [200, { code: 500, msg: 'system busy' }, 'unavailable'],
    [200, { code: 429, msg: 'slow down' }, 'rate_limited'],
    [200, { code: 7, msg: 'parameter error' }, 'unexpected'],
    [503, {}, 'unavailable'],
    [404, {}, 'unexpected'],
    [200, welcome({ token: '', id: 7 }), 'unexpected'],
    [200, welcome({ token: 'token' }), 'unexpected'],
  ] as const) {
    assert.equal(await failureOf(signIn(status, problem).outcome), kind)
  }
})

test('a key of another length is no password of the person', async () => {
  const other = {
    ...CONTEXT,
    app: { ...CONTEXT.app, settings: { ...settings, encryption_key: 'k' } },
  }
  assert.equal(await failureOf(signIn(200, welcome({}), other).outcome), 'unexpected')
})
