import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { keyOf, signatureHeaders } from './signature.ts'

const makeSecret = (bytes = 24): string => `whsec_${randomBytes(bytes).toString('base64')}`
const ID = 'msg_01KJMZ2V7QH8B8W0T3C5D9E4FG'
// The library takes messages of the last five minutes only.
const now = (): Date => new Date()

const signAt = (at: Date, body: string, ...secrets: string[]): Record<string, string> =>
  signatureHeaders(ID, at, Buffer.from(body), secrets.map(keyOf))
const sign = (body: string, ...secrets: string[]) => signAt(now(), body, ...secrets)

const verify = (secret: string, body: string, headers: Record<string, string>): unknown =>
  new Webhook(secret).verify(body, headers)

describe('a signature', () => {
  test('is verified by a library that knows nothing of us', () => {
    for (const bytes of [24, 32, 64]) {
      const secret = makeSecret(bytes)
      const body = '{"event_type":"daily.data.note.created","data":{"value":"ä € 🏃"}}'
      assert.deepEqual(verify(secret, body, sign(body, secret)), JSON.parse(body))
    }
  })

  test('is the same as the library makes', () => {
    const secret = makeSecret()
    const at = new Date('2026-03-01T12:00:00.999Z')
    const headers = signAt(at, '{}', secret)
    assert.equal(headers['webhook-signature'], new Webhook(secret).sign(ID, at, '{}'))
    assert.equal(headers['webhook-timestamp'], '1772366400')
  })

  test('does not fit another body, id, time or secret', () => {
    const secret = makeSecret()
    const headers = sign('{"a":1}', secret)
    const earlier = String(Number(headers['webhook-timestamp']) - 1)
    const refusals: [string, string, object][] = [
      [secret, '{"a":2}', {}],
      [secret, '{"a": 1}', {}],
      [secret, '{"a":1}', { 'webhook-id': `${ID.slice(0, -1)}H` }],
      [secret, '{"a":1}', { 'webhook-timestamp': earlier }],
      [makeSecret(), '{"a":1}', {}],
    ]
    for (const [key, body, change] of refusals) {
      assert.throws(() => verify(key, body, { ...headers, ...change }), /No matching signature/)
    }
  })

  test('comes under both sets of names, with the same values', () => {
    const headers = sign('{}', makeSecret())
    assert.deepEqual(Object.keys(headers).sort(), [
      'svix-id',
      'svix-signature',
      'svix-timestamp',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ])
    for (const what of ['id', 'signature', 'timestamp']) {
      assert.equal(headers[`svix-${what}`], headers[`webhook-${what}`])
    }
  })
})

describe('during a rotation', () => {
  test('the message is verified with any of the secrets', () => {
    const secrets = [makeSecret(), makeSecret(), makeSecret(64)]
    const headers = sign('{}', ...secrets)
    for (const secret of secrets) assert.deepEqual(verify(secret, '{}', headers), {})
    assert.throws(() => verify(makeSecret(), '{}', headers), /No matching signature/)
  })

  test('the newest secret signs first', () => {
    const [newest, former] = [makeSecret(), makeSecret()]
    const at = now()
    const both = signAt(at, '{}', newest, former)['webhook-signature']?.split(' ') ?? []
    assert.equal(both.length, 2)
    assert.ok(both.every((signature) => /^v1,[A-Za-z0-9+/]{43}=$/.test(signature)))
    const alone = signAt(at, '{}', newest)['webhook-signature']
    assert.equal(both[0], alone)
  })
})
