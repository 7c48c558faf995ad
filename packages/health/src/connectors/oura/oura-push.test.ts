import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { OURA_PUSH } from './oura-push.ts'

const SECRET = 'app-secret'
const APP = { clientId: 'app', clientSecret: SECRET }
const CALLBACK = 'https://salus.example/push'

/** Made by `printf 1767225600{"a":1} | openssl dgst -sha256 -hmac app-secret`. */
const TIMESTAMP = '1767225600'
const BODY = Buffer.from('{"a":1}')
const SIGNATURE = '98D50C808B52F9605D9E6429C5CEFA279AD702BB744B0156AE4D5C32CB9FF398'

const messageOf = (signature: string | undefined, timestamp: string | undefined, body = BODY) => ({
  headers: { 'x-oura-signature': signature, 'x-oura-timestamp': timestamp },
  body,
  receivedAt: new Date(),
})

test("a message is the vendor's when time and body are signed with the secret of the app", () => {
  assert.equal(OURA_PUSH.verify?.(messageOf(SIGNATURE, TIMESTAMP), APP), true)
  assert.equal(OURA_PUSH.verify?.(messageOf(SIGNATURE.toLowerCase(), TIMESTAMP), APP), true)
  for (const [signature, timestamp, body, secret] of [
    [SIGNATURE, TIMESTAMP, Buffer.from('{"a":2}'), SECRET],
    [SIGNATURE, '1767225601', BODY, SECRET],
    [SIGNATURE, TIMESTAMP, BODY, 'another'],
    [SIGNATURE.slice(1), TIMESTAMP, BODY, SECRET],
    ['', TIMESTAMP, BODY, SECRET],
    [undefined, TIMESTAMP, BODY, SECRET],
    [createHmac('sha256', SECRET).update(BODY).digest('hex'), undefined, BODY, SECRET],
  ] as const) {
    const app = { ...APP, clientSecret: secret }
    assert.equal(OURA_PUSH.verify?.(messageOf(signature, timestamp, body), app), false)
  }
})

test('a message says when it was signed, in whole seconds', () => {
  const signedAt = (time: string | undefined) =>
    OURA_PUSH.signedAt?.({
      headers: { 'x-oura-timestamp': time },
      body: BODY,
      receivedAt: new Date(),
    })
  assert.equal(signedAt(TIMESTAMP), Date.parse('2026-01-01T00:00:00Z'))
  for (const odd of [undefined, '', 'now', '-1', '1e9', '1767225600.5']) {
    assert.ok(Number.isNaN(signedAt(odd)), odd)
  }
})

test('a message says whose data of which collection are new', () => {
  const read = (data_type: string) =>
    OURA_PUSH.read({
      event_type: 'update',
      data_type,
      object_id: 'o',
      event_time: '2026-02-10T08:00:00+00:00',
      user_id: 'u',
    })
  const notice = (collection: string) => [{ accountId: 'u', collection, range: null }]
  assert.deepEqual(read('sleep'), notice('sleep'))
  assert.deepEqual(read('daily_readiness'), notice('sleep'))
  assert.deepEqual(read('vO2_max'), notice('vo2_max'))
  assert.deepEqual(read('workout'), notice('workout'))
  assert.deepEqual(read('daily_resilience'), [])
  for (const odd of [null, 7, [], {}, { user_id: 7, data_type: 'sleep' }, { user_id: 'u' }]) {
    assert.throws(() => OURA_PUSH.read(odd), VendorError)
  }
})

/** A fake vendor with some subscriptions; returns the requests that it received. */
async function subscribe(known: readonly Record<string, unknown>[]): Promise<VendorRequest[]> {
  const asked: VendorRequest[] = []
  await OURA_PUSH.subscribe?.(
    (request) => {
      asked.push(request)
      const body = request.method === undefined ? known : {}
      return Promise.resolve(
        new OutboundAnswer('vendor', 200, {}, Buffer.from(JSON.stringify(body))),
      )
    },
    APP,
    CALLBACK,
    new Date(0),
  )
  return asked
}

test('subscribes to all types of messages of the vendor, and answers its verification', async () => {
  const [list, ...created] = await subscribe([])
  assert.deepEqual(list, {
    path: '/v2/webhook/subscription',
    headers: { 'x-client-id': 'app', 'x-client-secret': SECRET },
  })
  assert.ok(created.every(({ method, path }) => method === 'POST' && path === list?.path))
  const wanted = created.map(({ json }) => json as Record<string, string>)
  assert.equal(
    new Set(wanted.map(({ data_type, event_type }) => `${data_type} ${event_type}`)).size,
    18,
  )
  const [first] = wanted
  assert.equal(first?.callback_url, CALLBACK)
  const query = { verification_token: first?.verification_token ?? '', challenge: 'x"1' }
  const answerTo = (asked: Record<string, string>, app = APP) =>
    OURA_PUSH.answerHandshake?.(
      { method: 'GET', query: asked, headers: {}, body: Buffer.alloc(0) },
      app,
    )
  assert.deepEqual(answerTo(query), { status: 200, body: '{"challenge":"x\\"1"}' })
  assert.equal(answerTo({ ...query, verification_token: 'x' }), undefined)
  assert.equal(answerTo({ verification_token: 'x' }), undefined)
  assert.equal(answerTo(query, { ...APP, clientSecret: 'another' }), undefined)
})

test('asking again makes no other subscription: it renews, and moves to the present address', async () => {
  const all = (await subscribe([])).slice(1).map(({ json }, index) => ({
    ...(json as Record<string, string>),
    id: `s${index}`,
    callback_url: index === 0 ? 'https://elsewhere.example' : CALLBACK,
  }))
  const [, moved, ...renewed] = await subscribe(all)
  assert.deepEqual([moved?.method, moved?.path], ['PUT', '/v2/webhook/subscription/s0'])
  assert.match(JSON.stringify(moved?.json), /salus\.example\/push/)
  assert.equal(renewed.length, 17)
  for (const [index, { method, path }] of renewed.entries()) {
    assert.deepEqual([method, path], ['PUT', `/v2/webhook/subscription/renew/s${index + 1}`])
  }
})
