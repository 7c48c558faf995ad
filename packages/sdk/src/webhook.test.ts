import assert from 'node:assert/strict'
import { createHmac, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import {
  signWebhook,
  type VerifyWebhookOptions,
  verifyWebhook,
  type WebhookHeaders,
  WebhookVerificationError,
  type WebhookVerificationErrorCode,
} from './webhooks.ts'

const secretOf = (bytes: Buffer): string => `whsec_${bytes.toString('base64')}`
const SECRET = secretOf(randomBytes(32))
const OTHER_SECRET = secretOf(randomBytes(24))

const ID = 'msg_2KWPBgLlAfxdpx2AI54pPJ85f4W'
const EVENT = {
  event_type: 'daily.data.heartrate.created',
  data: { note: 'Grüße, 心拍数 💓' },
  user_id: '9b2f7c1e-5a43-4f0e-8d55-0c6f2f1f7a10',
  client_user_id: 'alex',
  team_id: '1d4a60a7-33a5-4d3a-a1b7-3f1b4f6a2c55',
}
const BODY = JSON.stringify(EVENT)

const NOW = new Date('2026-03-01T12:00:00.700Z')
const NOW_SECONDS = 1772366400
const atNow = { now: () => NOW }

interface Signed {
  id?: string
  timestamp?: string
  body?: string | Uint8Array
  secrets?: readonly string[]
}

/** Headers of a request as the server makes it, by the plain words of the specification. */
function headersOf(signed: Signed = {}, prefix = 'webhook'): Record<string, string> {
  const { id = ID, timestamp = `${NOW_SECONDS}`, body = BODY, secrets = [SECRET] } = signed
  const signatures = secrets.map((secret) => {
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64')
    const signedText = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), Buffer.from(body)])
    return `v1,${createHmac('sha256', key).update(signedText).digest('base64')}`
  })
  return {
    [`${prefix}-id`]: id,
    [`${prefix}-timestamp`]: timestamp,
    [`${prefix}-signature`]: signatures.join(' '),
  }
}

function refuses(
  code: WebhookVerificationErrorCode,
  headers: WebhookHeaders,
  secret: string | readonly string[] = SECRET,
  payload: string | Uint8Array = BODY,
  options: VerifyWebhookOptions = {},
): void {
  assert.throws(
    () => verifyWebhook(payload, headers, secret, { ...atNow, ...options }),
    (error) => error instanceof WebhookVerificationError && error.code === code,
    code,
  )
}

describe('what is accepted', () => {
  test("the signature of the standard library's signer, now", () => {
    const timestamp = new Date()
    const signature = new Webhook(SECRET).sign(ID, timestamp, BODY)
    const seconds = `${Math.floor(timestamp.getTime() / 1000)}`
    const headers = { ...headersOf({ timestamp: seconds }), 'webhook-signature': signature }
    assert.deepEqual(verifyWebhook(BODY, headers, SECRET), EVENT)
  })

  test('the example of the specification', () => {
    const payload = '{"test": 2432232314}'
    const signature = signWebhook({
      id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
      timestamp: new Date(1614265330 * 1000),
      payload,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
    })
    assert.equal(signature, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=')
  })

  test('either set of headers, in any letter case', () => {
    for (const prefix of ['webhook', 'svix', 'Webhook', 'SVIX']) {
      assert.deepEqual(verifyWebhook(BODY, headersOf({}, prefix), SECRET, atNow), EVENT)
    }
  })

  test('the svix set when the other one is not complete', () => {
    const headers = { ...headersOf({}, 'svix'), 'webhook-id': 'msg_other' }
    assert.deepEqual(verifyWebhook(BODY, headers, SECRET, atNow), EVENT)
  })

  test('the headers of fetch, and values in lists', () => {
    const plain = headersOf()
    assert.deepEqual(verifyWebhook(BODY, new Headers(plain), SECRET, atNow), EVENT)
    const lists = Object.fromEntries(Object.entries(plain).map(([name, text]) => [name, [text]]))
    assert.deepEqual(verifyWebhook(BODY, lists, SECRET, atNow), EVENT)
  })

  test('the headers and the body of a request to node', async () => {
    const received = Promise.withResolvers<{ headers: IncomingHttpHeaders; body: Buffer }>()
    const server = createServer(async (incoming, response) => {
      const chunks: Buffer[] = await incoming.toArray()
      response.end()
      received.resolve({ headers: incoming.headers, body: Buffer.concat(chunks) })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    request({ port, host: '127.0.0.1', method: 'POST', headers: headersOf() })
      .on('response', (response) => response.resume())
      .end(BODY)
    const { headers, body } = await received.promise
    server.close()
    assert.deepEqual(verifyWebhook(body, headers, SECRET, atNow), EVENT)
  })

  test('a body of bytes', () => {
    const bytes = new TextEncoder().encode(BODY)
    assert.deepEqual(verifyWebhook(bytes, headersOf(), SECRET, atNow), EVENT)
    const window = new Uint8Array([1, 2, ...bytes, 3]).subarray(2, -1)
    assert.deepEqual(verifyWebhook(window, headersOf(), SECRET, atNow), EVENT)
  })

  test('two signatures while the secret changes, with either secret', () => {
    const headers = headersOf({ secrets: [OTHER_SECRET, SECRET] })
    assert.deepEqual(verifyWebhook(BODY, headers, SECRET, atNow), EVENT)
    assert.deepEqual(verifyWebhook(BODY, headers, OTHER_SECRET, atNow), EVENT)
  })

  test('a signature of any of several secrets', () => {
    for (const secrets of [[SECRET], [OTHER_SECRET]]) {
      const both = [OTHER_SECRET, SECRET]
      assert.deepEqual(verifyWebhook(BODY, headersOf({ secrets }), both, atNow), EVENT)
    }
  })

  test('signatures of other versions beside one that is known', () => {
    const headers = headersOf()
    headers['webhook-signature'] = `v1a,AAAA v2 ${headers['webhook-signature']}`
    assert.deepEqual(verifyWebhook(BODY, headers, SECRET, atNow), EVENT)
  })

  test('a secret without its prefix, or without padding', () => {
    const bare = SECRET.slice('whsec_'.length)
    assert.deepEqual(verifyWebhook(BODY, headersOf(), bare, atNow), EVENT)
    assert.deepEqual(verifyWebhook(BODY, headersOf(), SECRET.replace(/=+$/, ''), atNow), EVENT)
  })

  test('a timestamp just within the tolerance', () => {
    for (const seconds of [NOW_SECONDS - 300, NOW_SECONDS + 300]) {
      const headers = headersOf({ timestamp: `${seconds}` })
      assert.deepEqual(verifyWebhook(BODY, headers, SECRET, atNow), EVENT)
    }
    const old = headersOf({ timestamp: '1700000000' })
    const options = { ...atNow, toleranceSeconds: Number.POSITIVE_INFINITY }
    assert.deepEqual(verifyWebhook(BODY, old, SECRET, options), EVENT)
  })

  test('an event that the SDK does not know', () => {
    const body = JSON.stringify({ event_type: 'from.the.future', data: null, team_id: 'team' })
    const event = verifyWebhook(body, headersOf({ body }), SECRET, atNow)
    assert.equal(`${event.event_type}`, 'from.the.future')
  })
})

describe('what is refused', () => {
  test('another secret, or none of several', () => {
    refuses('no_matching_signature', headersOf(), OTHER_SECRET)
    refuses('no_matching_signature', headersOf(), [OTHER_SECRET, secretOf(randomBytes(32))])
  })

  test('a body, an id or a timestamp other than what was signed', () => {
    refuses('no_matching_signature', headersOf(), SECRET, `${BODY} `)
    refuses('no_matching_signature', headersOf(), SECRET, Buffer.from(BODY).fill(0, 9, 10))
    refuses('no_matching_signature', { ...headersOf(), 'webhook-id': 'msg_other' })
    refuses('no_matching_signature', { ...headersOf(), 'webhook-timestamp': `${NOW_SECONDS + 1}` })
  })

  test('a signature that is cut off, longer, or of another version', () => {
    const signature = headersOf()['webhook-signature'] ?? ''
    const others = [signature.slice(0, -1), `${signature}A`, signature.replace('v1,', 'v2,'), 'v1,']
    for (const other of [...others, signature.replace('v1,', ''), ' ']) {
      refuses('no_matching_signature', { ...headersOf(), 'webhook-signature': other })
    }
  })

  test('headers that are missing, empty, or half of one set and half of the other', () => {
    refuses('missing_headers', {})
    refuses('missing_headers', new Headers())
    for (const name of Object.keys(headersOf())) {
      refuses('missing_headers', { ...headersOf(), [name]: undefined })
      refuses('missing_headers', { ...headersOf(), [name]: '' })
    }
    const { 'webhook-id': _id, ...rest } = headersOf()
    refuses('missing_headers', { ...rest, 'svix-id': ID })
  })

  test('a timestamp that is no number', () => {
    for (const timestamp of ['soon', '-1', '1.5', `${NOW_SECONDS}s`, NOW.toISOString(), '9e99']) {
      refuses('invalid_timestamp', headersOf({ timestamp }))
    }
  })

  test('a timestamp that is too old or too new', () => {
    refuses('timestamp_too_old', headersOf({ timestamp: `${NOW_SECONDS - 301}` }))
    refuses('timestamp_too_new', headersOf({ timestamp: `${NOW_SECONDS + 301}` }))
    const strict = { toleranceSeconds: 10 }
    const [old, early] = [NOW_SECONDS - 11, NOW_SECONDS + 11].map(String)
    refuses('timestamp_too_old', headersOf({ timestamp: old }), SECRET, BODY, strict)
    refuses('timestamp_too_new', headersOf({ timestamp: early }), SECRET, BODY, strict)
  })

  test('everything, when the clock or the tolerance is no number', () => {
    const noTime = { now: () => new Date(Number.NaN) }
    refuses('timestamp_too_old', headersOf(), SECRET, BODY, noTime)
    refuses('timestamp_too_old', headersOf(), SECRET, BODY, { toleranceSeconds: Number.NaN })
  })

  test('a secret that is none, even beside a good one', () => {
    const unset = undefined as unknown as string
    for (const secret of [
      '',
      'whsec_',
      'whsec_a',
      'whsec_?!',
      `${SECRET}\n`,
      'whsec_ab-_',
      unset,
    ]) {
      refuses('invalid_secret', headersOf(), [SECRET, secret])
    }
    refuses('invalid_secret', headersOf(), [])
    assert.throws(() => verifyWebhook(BODY, headersOf(), unset), { code: 'invalid_secret' })
  })

  test('a signed payload that is no event', () => {
    const texts = ['', 'hello', '[]', 'null', '7', '{}', '{"event_type":"a.b","data":{}}']
    for (const body of [...texts, '{"event_type":1,"data":{},"team_id":"t"}']) {
      refuses('invalid_payload', headersOf({ body }), SECRET, body)
    }
    const body = Buffer.from([0x22, 0xff, 0x22])
    refuses('invalid_payload', headersOf({ body }), SECRET, body)
  })

  test('a body that was parsed already', () => {
    refuses('invalid_payload', headersOf(), SECRET, EVENT as unknown as string)
  })

  test('with a constant message that quotes neither payload nor secret', () => {
    const body = 'a private text'
    try {
      verifyWebhook(body, headersOf({ body }), SECRET, atNow)
      assert.fail('It was accepted.')
    } catch (error) {
      assert.ok(error instanceof WebhookVerificationError)
      assert.equal(error.name, 'WebhookVerificationError')
      assert.equal(error.cause, undefined)
      assert.doesNotMatch(`${error.stack}`, /private/)
    }
  })
})

describe('signing', () => {
  test("passes the standard library's verifier", () => {
    for (const size of [1, 2, 24, 32, 64]) {
      const secret = secretOf(randomBytes(size))
      const timestamp = new Date()
      const signature = signWebhook({ id: ID, timestamp, payload: BODY, secret })
      const headers = {
        'webhook-id': ID,
        'webhook-timestamp': `${Math.floor(timestamp.getTime() / 1000)}`,
        'webhook-signature': signature,
      }
      assert.deepEqual(new Webhook(secret).verify(BODY, headers), EVENT)
      const bytes = Buffer.from(BODY)
      assert.equal(signWebhook({ id: ID, timestamp, payload: bytes, secret }), signature)
    }
  })

  test('refuses a secret or a time that is none', () => {
    const webhook = { id: ID, timestamp: NOW, payload: BODY, secret: SECRET }
    assert.throws(() => signWebhook({ ...webhook, secret: 'whsec_' }), { code: 'invalid_secret' })
    const timestamp = new Date('soon')
    assert.throws(() => signWebhook({ ...webhook, timestamp }), { code: 'invalid_timestamp' })
  })
})
