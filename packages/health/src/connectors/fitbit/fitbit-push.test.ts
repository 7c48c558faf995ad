import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { FITBIT } from './fitbit.connector.ts'
import { FITBIT_PUSH } from './fitbit-push.ts'

const APP = {
  clientId: 'a',
  clientSecret: '123ab4567c8d901e23f4',
  secrets: { verification_code: 'c0de' },
}
const BODY = Buffer.from('[{"collectionType":"foods"}]')
/** Made by `printf … | openssl dgst -sha1 -hmac '123ab4567c8d901e23f4&' -binary | base64`. */
const SIGNATURE = 'kTnog/i5jfJrbiq9wXsNxBREQQI='

test("a message is the vendor's when it is signed with the secret and an ampersand", () => {
  const verify = (signature: string | undefined, body = BODY, app = APP) =>
    FITBIT_PUSH.verify?.(
      { headers: { 'x-fitbit-signature': signature }, body, receivedAt: new Date() },
      app,
    )
  assert.equal(verify(SIGNATURE), true)
  assert.equal(verify(SIGNATURE, Buffer.from('[]')), false)
  assert.equal(verify(SIGNATURE, BODY, { ...APP, clientSecret: 'x' }), false)
  for (const odd of [undefined, '', SIGNATURE.slice(1), SIGNATURE.toLowerCase()]) {
    assert.equal(verify(odd), false)
  }
})

test('only the right code verifies the address', () => {
  const answer = (
    query: Record<string, string>,
    secrets?: Record<string, string>,
    method = 'GET',
  ) =>
    FITBIT_PUSH.answerHandshake?.(
      { method: method as 'GET', query, headers: {}, body: Buffer.alloc(0) },
      { ...APP, secrets: secrets ?? APP.secrets },
    )
  assert.deepEqual(answer({ verify: 'c0de' }), { status: 204, body: '' })
  assert.equal(answer({ verify: 'wrong' }), undefined)
  assert.equal(answer({}), undefined)
  assert.equal(answer({ verify: '' }, {}), undefined)
  assert.equal(answer({ verify: 'c0de' }, APP.secrets, 'POST'), undefined)
})

test('a message names days of collections, and the end of an access', () => {
  const message = {
    collectionType: 'sleep',
    date: '2026-02-10',
    ownerId: 'A',
    ownerType: 'user',
    subscriptionId: 's',
  }
  const range = { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 10, 10) }
  const notices = FITBIT_PUSH.read([message, { ...message, collectionType: 'activities' }])
  assert.deepEqual(
    notices.map(({ collection }) => collection),
    ['sleep', 'br', 'activities', 'heart', 'steps', 'activity_logs'],
  )
  assert.deepEqual(notices[0], { accountId: 'A', collection: 'sleep', range })
  const names = FITBIT.collections.map(({ name }) => name)
  assert.ok(notices.every(({ collection }) => names.includes(String(collection))))
  for (const collectionType of ['userRevokedAccess', 'deleteUser']) {
    const ended = FITBIT_PUSH.read([{ ...message, collectionType, date: undefined }])
    assert.deepEqual(ended, [{ accountId: 'A', collection: null, range: null }])
  }
  assert.deepEqual(FITBIT_PUSH.read([{ ...message, collectionType: 'constructor' }]), [])
  assert.equal(FITBIT_PUSH.read([{ ...message, date: 'today' }])[0]?.range, null)
  for (const odd of [null, {}, [7], [{ ownerId: 7 }]]) {
    assert.throws(() => FITBIT_PUSH.read(odd), VendorError)
  }
})

test('a person is subscribed to each kind of messages that they allowed', async () => {
  const asked: VendorRequest[] = []
  const tokens = { accessToken: 'a', refreshToken: null, expiresAt: null, extra: { user_id: 'A1' } }
  const fail = (kind: 'refused' | 'unexpected' | 'unavailable') => async (wanted: unknown) => {
    asked.push(wanted as VendorRequest)
    if (kind === 'unexpected') throw new VendorError('fitbit', { kind, status: 409 })
    throw new VendorError('fitbit', { kind })
  }
  await FITBIT_PUSH.subscribeUser?.(fail('unexpected'), tokens, '')
  await FITBIT_PUSH.subscribeUser?.(fail('refused'), tokens, '')
  assert.deepEqual(
    asked.slice(0, 5).map(({ method, path }) => `${method} ${path}`),
    ['activities', 'body', 'foods', 'sleep', 'userRevokedAccess'].map(
      (type) => `POST /1/user/-/${type}/apiSubscriptions/A1-${type}.json`,
    ),
  )
  await assert.rejects(async () => FITBIT_PUSH.subscribeUser?.(fail('unavailable'), tokens, ''))
})

test('a person is known by the id of the token answer, and limits by their header', async () => {
  const { auth, failureOf } = FITBIT
  assert.ok(auth.kind === 'oauth' && failureOf)
  const tokens = { accessToken: 'a', refreshToken: null, expiresAt: null }
  const unused = () => assert.fail('no request is needed')
  assert.equal(await auth.identify(unused, { ...tokens, extra: { user_id: 'A1' } }), 'A1')
  await assert.rejects(auth.identify(unused, tokens), VendorError)
  const answer = (status: number, headers: Record<string, string>, body = '') =>
    failureOf(new OutboundAnswer('vendor', status, headers, Buffer.from(body)))
  assert.deepEqual(answer(429, { 'fitbit-rate-limit-reset': '1478' }), {
    kind: 'rate_limited',
    retryAfterMs: 1_478_000,
  })
  assert.deepEqual(answer(429, { 'retry-after': '60', 'fitbit-rate-limit-reset': '1478' }), {
    kind: 'rate_limited',
    retryAfterMs: 60_000,
  })
  assert.deepEqual(answer(429, {}), { kind: 'rate_limited', retryAfterMs: null })
  assert.deepEqual(answer(401, {}, '{"errors":[{"errorType":"insufficient_scope"}]}'), {
    kind: 'refused',
  })
  assert.equal(answer(401, {}, '{"errors":[{"errorType":"expired_token"}]}'), undefined)
})
