import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { WHOOP } from './whoop.connector.ts'
import { WHOOP_PUSH } from './whoop-push.ts'

const APP = { clientId: 'app', clientSecret: 'app-secret' }

/** By `printf 1767225600123{"a":1} | openssl dgst -sha256 -hmac app-secret -binary | base64`. */
const TIMESTAMP = '1767225600123'
const BODY = Buffer.from('{"a":1}')
const SIGNATURE = 'XXxp6CeXCgvhpGTowQYyFhxLN60CmGTeI99lwi0cKPw='

const messageOf = (signature: string | undefined, timestamp: string | undefined, body = BODY) => ({
  headers: { 'x-whoop-signature': signature, 'x-whoop-signature-timestamp': timestamp },
  body,
  receivedAt: new Date(),
})

test("a message is the vendor's when time and body are signed with the secret of the app", () => {
  assert.equal(WHOOP_PUSH.verify?.(messageOf(SIGNATURE, TIMESTAMP), APP), true)
  for (const [signature, timestamp, body, clientSecret] of [
    [SIGNATURE, TIMESTAMP, Buffer.from('{"a":2}'), APP.clientSecret],
    [SIGNATURE, '1767225600124', BODY, APP.clientSecret],
    [SIGNATURE, TIMESTAMP, BODY, 'another'],
    [SIGNATURE.slice(4), TIMESTAMP, BODY, APP.clientSecret],
    [undefined, TIMESTAMP, BODY, APP.clientSecret],
    [SIGNATURE, undefined, BODY, APP.clientSecret],
  ] as const) {
    const app = { ...APP, clientSecret }
    assert.equal(WHOOP_PUSH.verify?.(messageOf(signature, timestamp, body), app), false)
  }
})

test('a message says when it was signed, in milliseconds', () => {
  assert.equal(WHOOP_PUSH.signedAt?.(messageOf('', TIMESTAMP)), Number(TIMESTAMP))
  for (const odd of [undefined, '', 'now', '-1', '1e9']) {
    assert.ok(Number.isNaN(WHOOP_PUSH.signedAt?.(messageOf('', odd))), odd)
  }
})

test('a message names a record that changed or was deleted', () => {
  const read = (type: string) => WHOOP_PUSH.read({ user_id: 4711, id: 'r', type, trace_id: 't' })
  const notice = { accountId: '4711', range: null }
  const cycles = { ...notice, collection: 'cycle' }
  for (const collection of ['sleep', 'workout']) {
    for (const isDeleted of [false, true]) {
      assert.deepEqual(read(`${collection}.${isDeleted ? 'deleted' : 'updated'}`), [
        { ...notice, collection, record: { id: 'r', isDeleted } },
        cycles,
      ])
    }
  }
  // The id is that of the sleep.
  const sleep = { ...notice, collection: 'sleep', record: { id: 'r', isDeleted: false } }
  assert.deepEqual(read('recovery.updated'), [sleep])
  assert.deepEqual(read('recovery.deleted'), [sleep])
  assert.deepEqual(read('sleep.created'), [])
  assert.deepEqual(read('journal.updated'), [])
  for (const odd of [null, 7, [], {}, { user_id: {}, type: 'sleep.updated' }, { user_id: 1 }]) {
    assert.throws(() => WHOOP_PUSH.read(odd), VendorError)
  }
})

test('a record is requested by its id, mapped as a page, and removed', () => {
  const sleep = WHOOP.collections.find(({ name }) => name === 'sleep')
  assert.deepEqual(sleep?.record?.request('a/b'), { path: '/developer/v2/activity/sleep/a%2Fb' })
  assert.deepEqual(sleep.record.toPage({ id: 'a' }), { records: [{ id: 'a' }] })
  const data = new PageData({ userId: 'u', provider: 'whoop_v2' })
  sleep.record.remove('a', data)
  const [removal] = data.toArrivedData().removals ?? []
  assert.deepEqual([removal?.resource, removal?.ids.length], ['sleep', 1])
})

test('an answer after too many requests says how long to wait', () => {
  const answer = (status: number, headers: Record<string, string>) =>
    WHOOP.failureOf?.(new OutboundAnswer('vendor', status, headers, Buffer.alloc(0)))
  assert.deepEqual(answer(429, { 'x-ratelimit-reset': '42' }), {
    kind: 'rate_limited',
    retryAfterMs: 42_000,
  })
  assert.deepEqual(answer(429, {}), { kind: 'rate_limited', retryAfterMs: null })
  assert.equal(answer(200, { 'x-ratelimit-reset': '42' }), undefined)
})
