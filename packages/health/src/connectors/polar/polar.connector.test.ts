import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { POLAR } from './polar.connector.ts'
import { POLAR_PUSH } from './polar-push.ts'

const KEY = 'message-key'
const APP = { clientId: 'app', clientSecret: 'app-secret' }
const WITH_KEY = { ...APP, secrets: { signature_secret_key: KEY } }
const CALLBACK = 'https://salus.example/push'
const BODY = Buffer.from('{"a":1}')
/** Made by `printf '{"a":1}' | openssl dgst -sha256 -hmac message-key`. */
const SIGNATURE = '784c898f562a884a30ba08eed94cc4123a20c897c4b210d7aec841cd00e9788e'
const EVENTS = [
  'EXERCISE',
  'SLEEP',
  'CONTINUOUS_HEART_RATE',
  'ACTIVITY_SUMMARY',
  'PHYSICAL_INFORMATION',
]

const answerOf = (status: number, json: unknown, headers: Record<string, string> = {}) =>
  new OutboundAnswer('v', status, headers, Buffer.from(json === null ? '' : JSON.stringify(json)))

test('a message is signed with the key of the webhook, not with the secret of the app', () => {
  const isTheirs = (signature: string | undefined, body = BODY, app: typeof APP = WITH_KEY) =>
    POLAR_PUSH.verify?.(
      { headers: { 'polar-webhook-signature': signature }, body, receivedAt: new Date() },
      app,
    )
  assert.equal(isTheirs(SIGNATURE), true)
  assert.equal(isTheirs(SIGNATURE.toUpperCase()), true)
  for (const wrong of [undefined, '', SIGNATURE.slice(1), `${SIGNATURE}00`]) {
    assert.equal(isTheirs(wrong), false)
  }
  assert.equal(isTheirs(SIGNATURE, Buffer.from('{"a":2}')), false)
  assert.equal(isTheirs(SIGNATURE, BODY, APP), false)
})

test('an unsigned ping is answered, and nothing else', () => {
  const answerTo = (method: 'GET' | 'POST', body: string) =>
    POLAR_PUSH.answerHandshake?.({ method, query: {}, headers: {}, body: Buffer.from(body) }, APP)
  const ping = '{"timestamp":"2026-05-15T14:22:24Z","event": "PING"}'
  assert.deepEqual(answerTo('POST', ping), { status: 200, body: '' })
  assert.equal(answerTo('GET', ping), undefined)
  assert.equal(answerTo('POST', '{"event":"SLEEP"}'), undefined)
  assert.deepEqual(POLAR_PUSH.read(JSON.parse(ping)), [])
})

test('a message says whose data of which day, or which exercise, are new', () => {
  const read = (event: string, more: object) => POLAR_PUSH.read({ event, user_id: 475, ...more })
  const range = { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 11) }
  assert.deepEqual(read('EXERCISE', { entity_id: 'aQlC83' }), [
    {
      accountId: '475',
      collection: 'exercises',
      range: null,
      record: { id: 'aQlC83', isDeleted: false },
    },
  ])
  for (const [event, collection] of [
    ['SLEEP', 'sleep'],
    ['CONTINUOUS_HEART_RATE', 'continuous_heart_rate'],
    ['ACTIVITY_SUMMARY', 'activities'],
  ] as const) {
    const notice = { accountId: '475', collection, range }
    assert.deepEqual(read(event, { date: '2026-02-10' }), [notice])
    assert.deepEqual(read(event, { date: 'x' }), [{ ...notice, range: null }])
  }
  const profile = { accountId: '475', collection: 'physical_info', range: null }
  assert.deepEqual(read('PHYSICAL_INFORMATION', {}), [profile])
  assert.deepEqual(read('SLEEP_WISE_ALERTNESS', {}), [])
  assert.deepEqual(read('constructor', {}), [])
  for (const odd of [null, 7, [], {}, { event: 'SLEEP' }, { event: 7, user_id: 7 }]) {
    assert.throws(() => POLAR_PUSH.read(odd), VendorError)
  }
})

/** A fake vendor with some webhooks. */
async function subscribe(known: readonly object[], app: typeof APP, deleted = 204) {
  const asked: VendorRequest[] = []
  const secrets = await POLAR_PUSH.subscribe?.(
    async (request) => {
      asked.push(request)
      assert.equal(request.headers?.authorization, 'Basic YXBwOmFwcC1zZWNyZXQ=')
      if (request.method === undefined)
        return answerOf(known.length > 0 ? 200 : 204, known.length > 0 ? { data: known } : null)
      if (request.method === 'DELETE') return answerOf(deleted, null)
      const data = { ...(request.json as object), id: 'w2', signature_secret_key: 'new-key' }
      return answerOf(201, { data })
    },
    app,
    CALLBACK,
    new Date(0),
  )
  return { secrets, asked: asked.slice(1).map(({ method, path, json }) => [method, path, json]) }
}

test('the key of a webhook is kept, and without it the webhook is made anew', async () => {
  const wanted = { events: EVENTS, url: CALLBACK }
  const created = ['POST', '/v3/webhooks', wanted]
  const secrets = { signature_secret_key: 'new-key' }
  assert.deepEqual(await subscribe([], APP), { secrets, asked: [created] })
  const webhook = { id: 'w1', ...wanted, active: true }
  const deleted = ['DELETE', '/v3/webhooks/w1', undefined]
  assert.deepEqual(await subscribe([webhook], APP), { secrets, asked: [deleted, created] })
  assert.deepEqual(await subscribe([webhook], APP, 404), { secrets, asked: [deleted, created] })
  await assert.rejects(subscribe([webhook], APP, 500), VendorError)
})

test('a repeated subscription changes nothing, moves, or activates', async () => {
  const wanted = { events: EVENTS, url: CALLBACK }
  const asked = async (webhook: object) => {
    const outcome = await subscribe([{ id: 'w1', ...wanted, active: true, ...webhook }], WITH_KEY)
    assert.equal(outcome.secrets, undefined)
    return outcome.asked
  }
  assert.deepEqual(await asked({}), [])
  assert.deepEqual(await asked({ events: ['PING', ...EVENTS] }), [])
  const changed = ['PATCH', '/v3/webhooks/w1', wanted]
  assert.deepEqual(await asked({ url: 'https://elsewhere.example' }), [changed])
  assert.deepEqual(await asked({ events: ['EXERCISE'] }), [changed])
  assert.deepEqual(await asked({ active: false }), [['POST', '/v3/webhooks/activate', undefined]])
})

const { auth } = POLAR
assert.ok(auth.kind === 'oauth')
const TOKENS = { accessToken: 't', refreshToken: null, expiresAt: null, extra: { x_user_id: '51' } }

test('a user is registered after the sign-in, and known by the id of the token answer', async () => {
  const register = async (status: number) => {
    const asked: VendorRequest[] = []
    await auth.completeSignIn?.(
      async (request) => {
        asked.push(request)
        return answerOf(status, null)
      },
      TOKENS,
      APP,
    )
    return asked
  }
  const json = { 'member-id': 'salus-51' }
  for (const good of [200, 201, 409]) {
    assert.deepEqual(await register(good), [{ method: 'POST', path: '/v3/users', json }])
  }
  await assert.rejects(register(403), (error: VendorError) => error.failure.kind === 'refused')
  await assert.rejects(register(500), (error: VendorError) => error.failure.kind === 'unavailable')
  const never = () => assert.fail()
  assert.equal(await auth.identify(never, TOKENS), '51')
  await assert.rejects(auth.identify(never, { ...TOKENS, extra: {} }), VendorError)
  assert.deepEqual(auth.revocationRequest?.(TOKENS, APP), {
    method: 'DELETE',
    path: '/v3/users/51',
  })
})

test('a full window says when to ask again', () => {
  const limited = (usage: string, reset: string) =>
    POLAR.failureOf?.(
      answerOf(429, null, {
        'ratelimit-usage': usage,
        'ratelimit-limit': '520, 5100',
        'ratelimit-reset': reset,
      }),
    )
  const after = (seconds: number) => ({ kind: 'rate_limited', retryAfterMs: seconds * 1000 })
  assert.deepEqual(limited('520, 900', '77, 40000'), after(77))
  assert.deepEqual(limited('100, 5100', '77, 40000'), after(40_000))
  assert.deepEqual(limited('521, 5101', '77, 40000'), after(40_000))
  assert.equal(limited('', ''), undefined)
  assert.equal(POLAR.failureOf?.(answerOf(403, null)), undefined)
})

test('days are requested by date, and lists as a whole', () => {
  const page = (name: string, from: string, to: string) =>
    POLAR.collections
      .find((one) => one.name === name)
      ?.page({ from: Date.parse(from), to: Date.parse(to) }, null, NO_CONTEXT)
  assert.deepEqual(page('activities', '2026-02-01T00:00:00Z', '2026-02-28T00:00:00Z'), {
    path: '/v3/users/activities',
    query: { from: '2026-02-01', to: '2026-02-27', activity_zones: 'true' },
  })
  assert.deepEqual(
    page('continuous_heart_rate', '2026-02-10T13:00:00Z', '2026-02-12T13:00:00Z')?.query,
    { from: '2026-02-10', to: '2026-02-12' },
  )
  const parts = { samples: 'true', zones: 'true', route: 'true' }
  assert.deepEqual(page('exercises', '2026-02-01', '2026-02-26'), {
    path: '/v3/exercises',
    query: parts,
  })
  const exercises = POLAR.collections.find(({ name }) => name === 'exercises')
  assert.deepEqual(exercises?.record?.request('a/b'), { path: '/v3/exercises/a%2Fb', query: parts })
})
