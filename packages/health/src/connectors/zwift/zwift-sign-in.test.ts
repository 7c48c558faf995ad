import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { withSettings } from '../app-settings.ts'
import { type Send, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { ZWIFT } from './zwift.connector.ts'
import { ZWIFT_SIGN_IN } from './zwift-sign-in.ts'

const NOW = Date.UTC(2026, 1, 6)
const CONTEXT = { app: withSettings(ZWIFT), now: NOW }
const GIVEN = { username: 'person@example.com', password: 'secret', region: null }
const TOKENS = { access_token: 'a1', refresh_token: 'r1', expires_in: 21_600 }
const KNOWN = {
  accessToken: 'a0',
  refreshToken: 'r0',
  expiresAt: NOW,
  extra: { profileId: '1234567' },
}

type Answer = readonly [status: number, body: unknown]

function makeVendor(...answers: Answer[]): { send: Send; requests: VendorRequest[] } {
  const requests: VendorRequest[] = []
  const send: Send = (request) => {
    requests.push(request)
    const [status, body] = answers[requests.length - 1] ?? [500, '']
    const bytes = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
    return Promise.resolve(new OutboundAnswer('secure.zwift.com', status, {}, bytes))
  }
  return { send, requests }
}

const failureOf = (work: Promise<unknown>): Promise<VendorFailure> =>
  work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => {
      assert.ok(reason instanceof VendorError)
      assert.doesNotMatch(JSON.stringify(reason), /secret|person|r0/)
      return reason.failure
    },
  )
const refusal = (error_description: string): Answer => [
  401,
  { error: 'invalid_grant', error_description },
]
const signIn = (...answers: Answer[]) =>
  ZWIFT_SIGN_IN.signIn(makeVendor(...answers).send, GIVEN, CONTEXT)

test('a password opens a session, and the profile has an id of its own', async () => {
  const { send, requests } = makeVendor([200, TOKENS], [200, { id: 1_234_567 }])
  assert.deepEqual(await ZWIFT_SIGN_IN.signIn(send, GIVEN, CONTEXT), {
    state: 'signed_in',
    accountId: '1234567',
    tokens: {
      accessToken: 'a1',
      refreshToken: 'r1',
      expiresAt: NOW + 21_600_000,
      extra: { profileId: '1234567' },
    },
  })
  assert.deepEqual(requests[0]?.form, {
    client_id: 'Zwift Game Client',
    grant_type: 'password',
    username: 'person@example.com',
    password: 'secret',
  })
  assert.deepEqual([requests[0]?.host, requests[1]?.host], ['auth', undefined])
  assert.equal(requests[1]?.headers?.authorization, 'Bearer a1')
  assert.ok(requests.every(({ headers }) => headers?.platform && headers['user-agent']))
})

test('a refusal says what the person has to do, and trouble is none', async () => {
  assert.deepEqual(await signIn(refusal('Invalid user credentials')), {
    state: 'refused',
    reason: 'wrong_credential',
  })
  assert.deepEqual(await signIn(refusal('Account is not fully set up')), {
    state: 'refused',
    reason: 'consent_needed',
  })
  for (const [answers, kind] of [
    [[[401, { error: 'invalid_client' }]], 'unexpected'],
    [[[401, '<html>']], 'unexpected'],
    [[[200, {}]], 'unexpected'],
    [
      [
        [200, TOKENS],
        [200, {}],
      ],
      'unexpected',
    ],
    [
      [
        [200, TOKENS],
        [403, ''],
      ],
      'refused',
    ],
    [[[429, '']], 'rate_limited'],
    [[[503, '']], 'unavailable'],
  ] as const) {
    assert.equal((await failureOf(signIn(...answers))).kind, kind)
  }
})

test('a session is renewed by its refresh token, and by the password where that has ended', async () => {
  const first = makeVendor([200, { ...TOKENS, refresh_token: 'r2' }])
  const renewed = await ZWIFT_SIGN_IN.renew(first.send, KNOWN, GIVEN, CONTEXT)
  assert.deepEqual([renewed.refreshToken, renewed.extra], ['r2', KNOWN.extra])
  assert.equal(first.requests.length, 1)
  const second = makeVendor(refusal('Session not active'), [200, TOKENS], [200, { id: 7 }])
  const again = await ZWIFT_SIGN_IN.renew(second.send, KNOWN, GIVEN, CONTEXT)
  assert.deepEqual([again.refreshToken, second.requests.length], ['r1', 3])
  const renew = (...answers: Answer[]) =>
    failureOf(ZWIFT_SIGN_IN.renew(makeVendor(...answers).send, KNOWN, GIVEN, CONTEXT))
  assert.deepEqual(await renew(refusal(''), refusal('Invalid user credentials')), {
    kind: 'ended',
    errorType: 'provider_credential_error',
  })
  assert.equal((await renew([503, ''])).kind, 'unavailable')
})
