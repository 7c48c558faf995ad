import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import type { PasswordGiven, SignInContext } from '../connector.ts'
import { type Send, VendorError, type VendorRequest } from '../vendor-client.ts'
import { EIGHT_SLEEP } from './eight-sleep.connector.ts'
import { EIGHT_SLEEP_SIGN_IN, failureOf } from './eight-sleep-sign-in.ts'

const GIVEN: PasswordGiven = { username: 'person@example.com', password: 'secret', region: null }
const NOW = Date.UTC(2026, 2, 1)
const CONTEXT: SignInContext = {
  app: { clientId: '', clientSecret: '', settings: { client_id: 'id', client_secret: 'key' } },
  now: NOW,
}
const SESSION = { access_token: 'token', token_type: 'bearer', expires_in: 86_400, userId: 'u-1' }
const ME = {
  user: {
    userId: 'u-1',
    devices: ['d-1'],
    currentDevice: { id: 'd-1', side: 'left', timeZone: 'America/New_York' },
  },
}

type Given = [status: number, body: unknown]

function makeVendor(login: Given, me: Given = [200, ME]) {
  const asked: VendorRequest[] = []
  const send: Send = async (request) => {
    asked.push(request)
    const [status, body] = request.path === '/v1/tokens' ? login : me
    const answer = new OutboundAnswer('v', status, {}, Buffer.from(JSON.stringify(body)))
    const failure = failureOf(answer, 'sign_in')
    if (failure !== undefined) throw new VendorError('eight_sleep', failure)
    return answer
  }
  return { send, asked }
}

const failing = async (work: Promise<unknown>) => {
  const error = await work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof VendorError)
  return error.failure
}

test('a password opens a session of a day, in the zone of the bed', async () => {
  const { send, asked } = makeVendor([200, SESSION])
  const outcome = await EIGHT_SLEEP_SIGN_IN.signIn(send, GIVEN, CONTEXT)
  assert.deepEqual(outcome, {
    state: 'signed_in',
    accountId: 'u-1',
    tokens: {
      accessToken: 'token',
      refreshToken: null,
      expiresAt: NOW + 86_400_000,
      extra: { userId: 'u-1', zone: 'America/New_York' },
    },
  })
  assert.deepEqual(asked[0]?.json, {
    client_id: 'id',
    client_secret: 'key',
    grant_type: 'password',
    username: 'person@example.com',
    password: 'secret',
  })
  assert.equal(asked[1]?.headers?.authorization, 'Bearer token')
  assert.ok(outcome.state === 'signed_in')
  const context = { extra: outcome.tokens.extra ?? {}, now: NOW, app: CONTEXT.app }
  // Midnight of UTC is the evening before in New York.
  const range = { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 12, 5) }
  const wanted = EIGHT_SLEEP.collections[0]?.page(range, null, context)
  assert.equal(wanted?.path, '/v1/users/u-1/trends')
  assert.deepEqual([wanted?.query?.from, wanted?.query?.to], ['2026-02-09', '2026-02-11'])
  assert.equal(wanted?.query?.tz, 'America/New_York')
})

test('a wrong password, a wrong app and a refused deployment are distinguished', async () => {
  const wrong = makeVendor([400, { error: 'invalid_grant' }])
  assert.deepEqual(await EIGHT_SLEEP_SIGN_IN.signIn(wrong.send, GIVEN, CONTEXT), {
    state: 'refused',
    reason: 'wrong_credential',
  })
  for (const [login, failure] of [
    [[401, { error: 'invalid_client' }], { kind: 'unexpected', status: 401, appProblem: 'client' }],
    [[429, {}], { kind: 'blocked', retryAfterMs: 900_000 }],
    [[502, {}], { kind: 'unavailable' }],
    [[200, {}], { kind: 'unexpected', status: null }],
  ] as const) {
    const { send } = makeVendor([...login])
    assert.deepEqual(await failing(EIGHT_SLEEP_SIGN_IN.signIn(send, GIVEN, CONTEXT)), failure)
  }
  // Requests for data that are limited concern one user.
  assert.equal(failureOf(new OutboundAnswer('v', 429, {}, Buffer.from(''))), undefined)
})

test('an account without a bed is refused, and one without a zone is in UTC', async () => {
  const alone = makeVendor([200, SESSION], [200, { user: { userId: 'u-1', devices: [] } }])
  assert.deepEqual(await EIGHT_SLEEP_SIGN_IN.signIn(alone.send, GIVEN, CONTEXT), {
    state: 'refused',
    reason: 'nothing_shared',
  })
  const user = { ...ME.user, currentDevice: { timeZone: 'Mars/Olympus' } }
  const { send } = makeVendor([200, { ...SESSION, expires_in: undefined }], [200, { user }])
  const outcome = await EIGHT_SLEEP_SIGN_IN.signIn(send, GIVEN, CONTEXT)
  assert.ok(outcome.state === 'signed_in')
  assert.equal(outcome.tokens.extra?.zone, 'UTC')
  assert.equal(outcome.tokens.expiresAt, null)
})
