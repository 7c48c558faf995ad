import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { withSettings } from '../app-settings.ts'
import type { PasswordGiven } from '../connector.ts'
import { type Send, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { DEXCOM_SHARE } from './dexcom-share.connector.ts'
import { DEXCOM_SHARE_SIGN_IN } from './dexcom-share-sign-in.ts'

const GIVEN: PasswordGiven = { username: 'person@example.com', password: 'secret', region: 'us' }
const CONTEXT = { app: withSettings(DEXCOM_SHARE), now: Date.UTC(2026, 1, 6) }
const ACCOUNT = '9a5b2c3d-0d5a-4a9b-9f3e-2d1c0b9a8f7e'
const SESSION = '1f2e3d4c-0d5a-4a9b-9f3e-2d1c0b9a8f7e'
const NONE = '00000000-0000-0000-0000-000000000000'

type Answer = readonly [status: number, body: unknown]
const error = (Code: string, Message = ''): Answer => [500, { Code, Message }]

/** A vendor that answers in this order, and the requests that it received. */
function makeVendor(...answers: Answer[]): { send: Send; requests: VendorRequest[] } {
  const requests: VendorRequest[] = []
  const send: Send = (request) => {
    requests.push(request)
    const [status, body] = answers[requests.length - 1] ?? [500, '']
    const bytes = Buffer.from(
      typeof body === 'string' && status !== 200 ? body : JSON.stringify(body),
    )
    return Promise.resolve(new OutboundAnswer('share2.dexcom.com', status, {}, bytes))
  }
  return { send, requests }
}

const signIn = (given: PasswordGiven, ...answers: Answer[]) =>
  DEXCOM_SHARE_SIGN_IN.signIn(makeVendor(...answers).send, given, CONTEXT)

const failureOf = (work: Promise<unknown>): Promise<VendorFailure> =>
  work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => {
      assert.ok(reason instanceof VendorError)
      assert.doesNotMatch(JSON.stringify(reason), /secret|person/)
      return reason.failure
    },
  )

test('a password opens a session for its account, by the application of the region', async () => {
  for (const [region, application] of [
    ['us', 'd89443d2-327c-4a6f-89e5-496bbb0317db'],
    ['eu', 'd89443d2-327c-4a6f-89e5-496bbb0317db'],
    ['jp', 'd8665ade-9673-4e27-9ff6-92db4ce13d13'],
  ] as const) {
    const { send, requests } = makeVendor([200, ACCOUNT], [200, SESSION])
    const outcome = await DEXCOM_SHARE_SIGN_IN.signIn(send, { ...GIVEN, region }, CONTEXT)
    assert.deepEqual(outcome, {
      state: 'signed_in',
      accountId: ACCOUNT,
      tokens: {
        accessToken: SESSION,
        refreshToken: null,
        expiresAt: null,
        extra: { accountId: ACCOUNT },
      },
    })
    assert.deepEqual(
      requests.map(({ json }) => json),
      [
        { accountName: 'person@example.com', password: 'secret', applicationId: application },
        { accountId: ACCOUNT, password: 'secret', applicationId: application },
      ],
    )
  }
})

test('errors of the vendor with status 500 refuse a password, others are trouble', async () => {
  for (const [answer, reason] of [
    [error('AccountPasswordInvalid'), 'wrong_credential'],
    [error('SSO_AuthenticateAccountNotFound'), 'wrong_credential'],
    [error('SSO_AuthenticatePasswordInvalid'), 'wrong_credential'],
    [error('SSO_InternalError', 'Cannot Authenticate by AccountName'), 'wrong_credential'],
    [error('SSO_AuthenticateMaxAttemptsExceeded'), 'blocked'],
    [[200, NONE], 'wrong_credential'],
  ] as const) {
    assert.deepEqual(await signIn(GIVEN, answer), { state: 'refused', reason })
    assert.deepEqual(await signIn(GIVEN, [200, ACCOUNT], answer), { state: 'refused', reason })
  }
  for (const [answer, kind] of [
    [error('SSO_InternalError', 'Timeout'), 'unavailable'],
    [error('Unknown'), 'unavailable'],
    [[500, '<html>'], 'unavailable'],
    [[503, ''], 'unavailable'],
    [[200, 'no id'], 'unexpected'],
    [[200, { id: ACCOUNT }], 'unexpected'],
    [[200, '../x'], 'unexpected'],
    [[429, ''], 'rate_limited'],
  ] as const) {
    assert.equal((await failureOf(signIn(GIVEN, answer))).kind, kind)
  }
})

test('a session is renewed with one request, and a refused password ends the connection', async () => {
  const tokens = { accessToken: 'old', refreshToken: null, expiresAt: null }
  const known = { ...tokens, extra: { accountId: ACCOUNT } }
  const { send, requests } = makeVendor([200, SESSION])
  const renewed = await DEXCOM_SHARE_SIGN_IN.renew(send, known, GIVEN, CONTEXT)
  assert.equal(renewed.accessToken, SESSION)
  assert.deepEqual([requests.length, renewed.extra], [1, known.extra])
  const renew = (answer: Answer, own = known) =>
    failureOf(DEXCOM_SHARE_SIGN_IN.renew(makeVendor(answer).send, own, GIVEN, CONTEXT))
  const ended = { kind: 'ended', errorType: 'provider_credential_error' }
  assert.deepEqual(await renew(error('AccountPasswordInvalid')), ended)
  assert.equal((await renew(error('SSO_AuthenticateMaxAttemptsExceeded'))).kind, 'blocked')
  assert.equal((await renew([500, ''])).kind, 'unavailable')
  const whole = makeVendor([200, ACCOUNT], [200, SESSION])
  assert.equal(
    (await DEXCOM_SHARE_SIGN_IN.renew(whole.send, tokens, GIVEN, CONTEXT)).accessToken,
    SESSION,
  )
})

test('a session that ended is one that the vendor does not know, with status 500', () => {
  const failure = (body: unknown, of: 'data' | 'sign_in' = 'data') =>
    DEXCOM_SHARE.failureOf?.(
      new OutboundAnswer('share2.dexcom.com', 500, {}, Buffer.from(JSON.stringify(body))),
      of,
    )
  assert.deepEqual(failure({ Code: 'SessionIdNotFound' }), { kind: 'unauthorized' })
  assert.deepEqual(failure({ Code: 'SessionNotValid' }), { kind: 'unauthorized' })
  assert.equal(failure({ Code: 'SessionNotValid' }, 'sign_in'), undefined)
  for (const odd of [{ Code: 'InvalidArgument' }, { Code: 7 }, [], 'x']) {
    assert.equal(failure(odd), undefined)
  }
})

test('readings are requested for the minutes since a range began, of a day at most', () => {
  const now = Date.UTC(2026, 1, 6)
  const page = (from: number) => {
    const [readings] = DEXCOM_SHARE.collections
    return readings?.page({ from, to: now }, null, { extra: {}, now, app: undefined }).query
  }
  assert.deepEqual(page(now - 3_600_000), { minutes: '60', maxCount: '288' })
  assert.equal(page(now - 90_001)?.minutes, '2')
  assert.equal(page(0)?.minutes, '1440')
  assert.equal(page(now + 5)?.minutes, '1')
  const tokens = { accessToken: 'session 1', refreshToken: null, expiresAt: null }
  const request = DEXCOM_SHARE.authorize?.({ path: '/x', query: { a: '1' } }, tokens, undefined)
  assert.deepEqual(request?.query, { sessionId: 'session 1', a: '1' })
})
