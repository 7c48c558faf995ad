import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { STRAVA } from './strava.connector.ts'
import { STRAVA_PUSH } from './strava-push.ts'

const APP = { clientId: '12', clientSecret: 'app-secret' }
const CALLBACK = 'https://salus.example/push'
const NOW = new Date('2026-03-01T00:00:00Z')

/** Made by `printf '1767225600.{"subscription_id":7}' | openssl dgst -sha256 -hmac app-secret`. */
const BODY = Buffer.from('{"subscription_id":7}')
const SIGNATURE = 'be1a742aa378a642663fb825ed9b0b75a6293018557367671611722fcb13201b'

const messageOf = (header: string | undefined, body = BODY) => ({
  headers: { 'x-strava-signature': header },
  body,
  receivedAt: NOW,
})

const answerOf = (status: number, body: unknown, headers: Record<string, string> = {}) =>
  new OutboundAnswer('vendor', status, headers, Buffer.from(JSON.stringify(body)))

test('a signed message is compared with the secret of the app', () => {
  const verify = (header: string, body = BODY) =>
    STRAVA_PUSH.verify?.(messageOf(header, body), { ...APP, secrets: { subscription_id: '7' } })
  assert.equal(verify(`t=1767225600,v1=${SIGNATURE}`), true)
  assert.equal(verify(`t=1767225600, v1=${SIGNATURE.toUpperCase()}`), true)
  assert.equal(verify(`t=1767225601,v1=${SIGNATURE}`), false)
  assert.equal(verify(`t=1767225600,v1=${SIGNATURE}`, Buffer.from('{}')), false)
  // A wrong signature is not the same as none.
  for (const odd of ['', 't=1', `v1=${SIGNATURE}`, 'nonsense']) assert.equal(verify(odd), false)
})

test('one without a signature must name the subscription of the app', () => {
  const verify = (secrets: Record<string, string> | undefined, body = BODY) =>
    STRAVA_PUSH.verify?.(messageOf(undefined, body), { ...APP, ...(secrets && { secrets }) })
  assert.equal(verify({ subscription_id: '7' }), true)
  assert.equal(verify({ subscription_id: '8' }), false)
  assert.equal(verify(undefined), false)
  assert.equal(verify({ subscription_id: '7' }, Buffer.from('{')), false)
  assert.equal(verify({ subscription_id: 'undefined' }, Buffer.from('{}')), false)
})

test('a message says when it was signed', () => {
  const signedAt = (header?: string) => STRAVA_PUSH.signedAt?.(messageOf(header))
  assert.equal(signedAt('t=1767225600,v1=x'), Date.parse('2026-01-01T00:00:00Z'))
  assert.equal(signedAt(), NOW.getTime())
  assert.ok(Number.isNaN(signedAt('v1=x')))
})

test('a message names an activity, or ends the access', () => {
  const read = (change: object) =>
    STRAVA_PUSH.read({
      object_type: 'activity',
      object_id: 16_012_345_678,
      aspect_type: 'create',
      owner_id: 9,
      subscription_id: 7,
      event_time: 1_767_225_600,
      updates: {},
      ...change,
    })
  const notice = (isDeleted: boolean) => [
    {
      accountId: '9',
      collection: 'activities',
      range: null,
      record: { id: '16012345678', isDeleted },
    },
  ]
  assert.deepEqual(read({}), notice(false))
  assert.deepEqual(read({ aspect_type: 'update', updates: { title: 'x' } }), notice(false))
  assert.deepEqual(read({ aspect_type: 'delete' }), notice(true))
  const athlete = { object_type: 'athlete', object_id: 9, aspect_type: 'update' }
  const ended = { accountId: '9', collection: null, range: null }
  assert.deepEqual(read({ ...athlete, updates: { authorized: 'false' } }), [ended])
  assert.deepEqual(read({ ...athlete, updates: { authorized: false } }), [ended])
  assert.deepEqual(read({ ...athlete, updates: null }), [{ ...ended, collection: 'athlete' }])
  assert.deepEqual(read({ object_type: 'route' }), [])
  for (const odd of [null, 7, {}, { owner_id: 9 }, { owner_id: {}, object_type: 'activity' }]) {
    assert.throws(() => STRAVA_PUSH.read(odd), VendorError)
  }
})

/** A fake vendor with some subscriptions. */
async function subscribe(known: readonly object[]) {
  const asked: VendorRequest[] = []
  const secrets = await STRAVA_PUSH.subscribe?.(
    (request) => {
      asked.push(request)
      const { method } = request
      if (method === 'DELETE') {
        return Promise.resolve(new OutboundAnswer('vendor', 204, {}, Buffer.alloc(0)))
      }
      return Promise.resolve(answerOf(200, method === 'POST' ? { id: 8 } : known))
    },
    APP,
    CALLBACK,
  )
  return { asked, secrets }
}

test('an app has one subscription, which moves to the present address', async () => {
  const made = await subscribe([])
  assert.deepEqual(made.secrets, { subscription_id: '8' })
  assert.deepEqual(
    made.asked.map(({ method }) => method),
    [undefined, 'POST'],
  )
  const { verify_token: token = '', callback_url } = made.asked[1]?.form ?? {}
  assert.equal(callback_url, CALLBACK)
  const query = { 'hub.mode': 'subscribe', 'hub.challenge': 'c"1', 'hub.verify_token': token }
  const answerTo = (change: object, app = APP) =>
    STRAVA_PUSH.answerHandshake?.(
      { method: 'GET', query: { ...query, ...change }, headers: {}, body: Buffer.alloc(0) },
      app,
    )
  assert.deepEqual(answerTo({}), { status: 200, body: '{"hub.challenge":"c\\"1"}' })
  assert.equal(answerTo({ 'hub.verify_token': 'x' }), undefined)
  assert.equal(answerTo({}, { ...APP, clientSecret: 'another' }), undefined)

  const same = await subscribe([{ id: 7, callback_url: CALLBACK }])
  assert.deepEqual([same.secrets, same.asked.length], [{ subscription_id: '7' }, 1])
  const moved = await subscribe([{ id: 7, callback_url: 'https://elsewhere.example' }])
  assert.deepEqual(
    moved.asked.map(({ method, path }) => [method, path]),
    [
      [undefined, '/api/v3/push_subscriptions'],
      ['DELETE', '/api/v3/push_subscriptions/7'],
      ['POST', '/api/v3/push_subscriptions'],
    ],
  )
  assert.deepEqual(moved.secrets, { subscription_id: '8' })
})

test('errors of token answers are those of OAuth', () => {
  assert.ok(STRAVA.auth.kind === 'oauth')
  const { toStandardAnswer } = STRAVA.auth
  const errorOf = (resource: string) =>
    toStandardAnswer?.({
      message: 'Bad Request',
      errors: [{ resource, field: 'x', code: 'invalid' }],
    })
  assert.deepEqual(errorOf('RefreshToken'), { error: 'invalid_grant' })
  assert.deepEqual(errorOf('AuthorizationCode'), { error: 'invalid_grant' })
  assert.deepEqual(errorOf('Application'), { error: 'invalid_client' })
  assert.deepEqual(errorOf('Athlete'), { error: 'invalid_request' })
  const tokens = { token_type: 'Bearer', access_token: 'a', refresh_token: 'r', expires_in: 21600 }
  assert.deepEqual(toStandardAnswer?.(tokens), tokens)
})

test('after too many requests it waits for the next quarter of an hour, or day', () => {
  const failureOf = (status: number, headers: Record<string, string>) =>
    STRAVA.failureOf?.(answerOf(status, {}, headers))
  const date = 'Sun, 01 Mar 2026 22:10:00 GMT'
  const waits = (headers: Record<string, string>) => {
    const failure = failureOf(429, headers)
    return failure?.kind === 'rate_limited' ? failure.retryAfterMs : undefined
  }
  const limits = { 'x-ratelimit-limit': '200,2000', 'x-readratelimit-limit': '100,1000' }
  const used = (usage: string) => ({ ...limits, date, 'x-readratelimit-usage': usage })
  assert.equal(waits(used('101,400')), 5 * 60_000)
  assert.equal(waits(used('12,1000')), 110 * 60_000)
  assert.equal(waits({ ...limits, date, 'x-ratelimit-usage': '3,2001' }), 110 * 60_000)
  assert.equal(waits({ date }), 5 * 60_000)
  assert.equal(waits({}), null)
  assert.deepEqual(failureOf(402, {}), { kind: 'refused' })
  const problem = { resource: 'AccessToken', field: 'activity:read_permission' }
  const unauthorized = (code: string) =>
    STRAVA.failureOf?.(answerOf(401, { errors: [{ ...problem, code }] }))
  assert.deepEqual(unauthorized('missing'), { kind: 'refused' })
  assert.equal(unauthorized('invalid'), undefined)
  assert.equal(failureOf(200, { date }), undefined)
})
