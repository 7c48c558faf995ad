import assert from 'node:assert/strict'
import { createVerify, generateKeyPairSync } from 'node:crypto'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { VendorError, type VendorRequest } from '../vendor-client.ts'
import { GOOGLE_HEALTH_PUSH } from './google-push.ts'

const APP = { clientId: 'app', clientSecret: 'app-secret' }
/** `Bearer ` and `printf 'webhook authorization' | openssl dgst -sha256 -hmac app-secret`. */
const AUTHORIZATION = 'Bearer b30a1eb8bc49d053e6f7ece364d2762fd8880cb0f3e41ffac10de35d75b624ef'
const NOW = new Date('2026-03-01T12:00:00.500Z')
const CALLBACK = 'https://salus.example/push'

const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
const ACCOUNT = {
  project_id: 'salus-1',
  client_email: 'salus@salus-1.iam.gserviceaccount.com',
  private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }),
}
const WITH_ACCOUNT = { ...APP, secrets: { service_account: JSON.stringify(ACCOUNT) } }

const messageOf = (authorization: string | undefined) => ({
  headers: { authorization },
  body: Buffer.from('[]'),
  receivedAt: new Date(),
})

test("a message is the vendor's when it has the secret of the app", () => {
  const verify = (authorization: string | undefined, app: object = APP) =>
    GOOGLE_HEALTH_PUSH.verify?.(messageOf(authorization), app as typeof APP)
  assert.equal(verify(AUTHORIZATION), true)
  for (const wrong of ['', 'Bearer', AUTHORIZATION.slice(7), `${AUTHORIZATION}0`, undefined]) {
    assert.equal(verify(wrong), false)
  }
  assert.equal(verify(AUTHORIZATION, { ...APP, clientSecret: 'another' }), false)
  const own = { ...APP, secrets: { webhook_authorization: 'Basic abc' } }
  assert.equal(verify('Basic abc', own), true)
  assert.equal(verify(AUTHORIZATION, own), false)
})

test('the address is verified by a request with the secret, and one without is refused', () => {
  const answer = (authorization: string | undefined, body: string, method = 'POST' as const) =>
    GOOGLE_HEALTH_PUSH.answerHandshake?.(
      { method, query: {}, headers: { authorization }, body: Buffer.from(body) },
      APP,
    )
  assert.deepEqual(answer(AUTHORIZATION, '{"type":"verification"}'), { status: 200, body: '' })
  // The engine refuses it as a message that is not signed.
  assert.equal(answer(undefined, '{"type":"verification"}'), undefined)
  assert.equal(answer(AUTHORIZATION, '[{"data":{}}]'), undefined)
  assert.equal(answer(AUTHORIZATION, 'verification'), undefined)
  assert.equal(GOOGLE_HEALTH_PUSH.acceptedStatus, 204)
})

const CIVIL = { startTime: '2026-03-01T23:30:00', endTime: '2026-03-02T06:30:00' }
const PHYSICAL = { startTime: '2026-03-01T22:30:00Z', endTime: '2026-03-02T05:30:00Z' }
const entry = (change: object) => ({
  data: {
    version: '1',
    healthUserId: '777',
    operation: 'UPSERT',
    dataType: 'sleep',
    intervals: [{ physicalTimeInterval: PHYSICAL, civilIso8601TimeInterval: CIVIL }],
    ...change,
  },
})
const NIGHT = { from: Date.parse(PHYSICAL.startTime), to: Date.parse(PHYSICAL.endTime) }

test('a message says whose data of which type and time changed, also by a deletion', () => {
  const { read } = GOOGLE_HEALTH_PUSH
  const notice = (collection: string) => ({ accountId: '777', collection, range: NIGHT })
  assert.deepEqual(read([entry({})]), [notice('sleep')])
  assert.deepEqual(read(entry({ operation: 'DELETE' })), [notice('sleep')])
  assert.deepEqual(read([entry({ dataType: 'steps' }), entry({})]), [
    notice('steps'),
    notice('activity'),
    notice('sleep'),
  ])
  for (const unknown of ['moods', 'constructor']) {
    assert.deepEqual(read([entry({ dataType: unknown })]), [])
  }
  assert.deepEqual(read([]), [])
})

test('a local time is somewhere on earth; without a time everything may have changed', () => {
  const rangesOf = (change: object) =>
    GOOGLE_HEALTH_PUSH.read([entry(change)]).map(({ range }) => range)
  const wide = {
    from: Date.parse('2026-03-01T09:30:00Z'),
    to: Date.parse('2026-03-02T18:30:00Z'),
  }
  assert.deepEqual(rangesOf({ intervals: [{ civilIso8601TimeInterval: CIVIL }] }), [wide])
  assert.deepEqual(rangesOf({ intervals: undefined, civilIso8601TimeInterval: CIVIL }), [wide])
  assert.deepEqual(rangesOf({ intervals: [] }), [null])
  assert.deepEqual(rangesOf({ intervals: [{ physicalTimeInterval: { startTime: 7 } }] }), [null])
  for (const odd of [null, 7, {}, [7], [{ data: {} }], [{ data: { healthUserId: 'u' } }]]) {
    assert.throws(() => GOOGLE_HEALTH_PUSH.read(odd), VendorError)
  }
})

/** A fake vendor with some subscribers; returns the requests that it received. */
async function subscribe(subscribers: readonly object[], app: object = WITH_ACCOUNT) {
  const requests: VendorRequest[] = []
  await GOOGLE_HEALTH_PUSH.subscribe?.(
    (request) => {
      requests.push(request)
      const body = request.path === '/token' ? { access_token: 'project-token' } : { subscribers }
      const bytes = Buffer.from(JSON.stringify(body))
      return Promise.resolve(new OutboundAnswer('vendor', 200, {}, bytes))
    },
    app as typeof APP,
    CALLBACK,
    NOW,
  )
  return requests
}

const PARENT = '/v4/projects/salus-1/subscribers'

test('a project subscribes with a token of its service account', async () => {
  const [token, list, created] = await subscribe([])
  assert.equal(token?.host, 'oauth')
  const [head = '', claims = '', signature = ''] = token?.form?.assertion?.split('.') ?? []
  const verifier = createVerify('RSA-SHA256').update(`${head}.${claims}`)
  assert.ok(verifier.verify(publicKey, signature, 'base64url'))
  const { iss, aud, scope, iat, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString())
  assert.deepEqual([iss, aud], [ACCOUNT.client_email, 'https://oauth2.googleapis.com/token'])
  assert.deepEqual([iat, exp], [1_772_366_400, 1_772_370_000])
  assert.equal(scope, 'https://www.googleapis.com/auth/cloud-platform')
  const headers = { authorization: 'Bearer project-token' }
  assert.deepEqual(list, { path: PARENT, headers })
  assert.deepEqual([created?.method, created?.path], ['POST', PARENT])
  assert.deepEqual(created?.query, { subscriberId: 'salus' })
  const json = created?.json as {
    endpointUri: string
    endpointAuthorization: object
    subscriberConfigs: { dataTypes: string[]; subscriptionCreatePolicy: string }[]
  }
  assert.equal(json.endpointUri, CALLBACK)
  assert.deepEqual(json.endpointAuthorization, { secret: AUTHORIZATION })
  assert.equal(json.subscriberConfigs[0]?.subscriptionCreatePolicy, 'AUTOMATIC')
  assert.ok(json.subscriberConfigs[0]?.dataTypes.includes('sleep'))
})

test('subscribing again changes nothing, and moves to the present address', async () => {
  const known = { name: `${PARENT.slice(4)}/salus`, endpointUri: CALLBACK, state: 'ACTIVE' }
  assert.equal((await subscribe([{ name: 'projects/1/subscribers/other' }, known])).length, 2)
  for (const change of [{ endpointUri: 'https://elsewhere.example' }, { state: 'INACTIVE' }]) {
    const [, , moved] = await subscribe([{ ...known, ...change }])
    assert.deepEqual([moved?.method, moved?.path], ['PATCH', `${PARENT}/salus`])
    assert.match(JSON.stringify(moved?.json), /salus\.example\/push/)
  }
})

test('without a service account the vendor is polled', async () => {
  for (const secrets of [
    undefined,
    {},
    { service_account: 'x' },
    { service_account: '{}' },
    { service_account: JSON.stringify({ ...ACCOUNT, private_key: 'no key' }) },
  ]) {
    await assert.rejects(
      subscribe([], { ...APP, secrets }),
      (error) => error instanceof VendorError && error.failure.kind === 'refused',
    )
  }
})
