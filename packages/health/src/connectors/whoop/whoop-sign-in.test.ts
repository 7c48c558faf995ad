import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { type Send, VendorError, type VendorRequest } from '../vendor-client.ts'
import { WHOOP_SIGN_IN } from './whoop-sign-in.ts'

const NOW = Date.UTC(2026, 1, 10)
const APP = {
  clientId: '',
  clientSecret: '',
  settings: { client_id: 'web-app', user_agent: 'WHOOP/4.0' },
}
const CONTEXT = { app: APP, now: NOW }
const GIVEN = { username: 'person@example.com', password: 'secret', region: null }

/** Sends the answers in their order, and keeps the requests. */
function vendorOf(...answers: (readonly [status: number, content: unknown])[]) {
  const requests: VendorRequest[] = []
  const send: Send = (request) => {
    requests.push(request)
    const [status, content] = answers.shift() ?? assert.fail('no further request')
    const body = typeof content === 'string' ? content : JSON.stringify(content)
    return Promise.resolve(new OutboundAnswer('vendor', status, {}, Buffer.from(body)))
  }
  return { send, requests }
}

const TOKENS = { AccessToken: 'access', RefreshToken: 'refresh', ExpiresIn: 86_400 }
const WELCOME = [200, { AuthenticationResult: TOKENS }] as const
const error = (type: string, message = '') =>
  [400, { __type: `com.amazonaws.cognito#${type}`, message }] as const

const signIn = (...answers: Parameters<typeof vendorOf>) =>
  WHOOP_SIGN_IN.signIn(vendorOf(...answers).send, GIVEN, CONTEXT)

async function failureOf(work: Promise<unknown>) {
  const caught = await work.catch((one: unknown) => one)
  assert.ok(caught instanceof VendorError, String(caught))
  return caught.failure
}

test('a password is sent as Cognito wants it, and the account is known by its number', async () => {
  for (const account of [{ id: 10_129 }, { id: 1, user: { id: 10_129 } }, { id: '10129' }]) {
    const { send, requests } = vendorOf(WELCOME, [200, account])
    assert.deepEqual(await WHOOP_SIGN_IN.signIn(send, GIVEN, CONTEXT), {
      state: 'signed_in',
      tokens: {
        accessToken: 'access',
        refreshToken: 'refresh',
        expiresAt: NOW + 86_400_000,
        extra: { userId: '10129' },
      },
      accountId: '10129',
    })
    const [login, bootstrap] = requests
    assert.equal(login?.path, '/auth-service/v3/whoop/')
    assert.deepEqual(login?.headers, {
      'content-type': 'application/x-amz-json-1.1',
      'x-amz-target': 'AWSCognitoIdentityProviderService.InitiateAuth',
      'user-agent': 'WHOOP/4.0',
    })
    assert.deepEqual(login?.json, {
      ClientId: 'web-app',
      AuthFlow: 'USER_PASSWORD_AUTH',
      AuthParameters: { USERNAME: GIVEN.username, PASSWORD: GIVEN.password },
    })
    assert.equal(bootstrap?.headers?.authorization, 'Bearer access')
    assert.equal(bootstrap?.query?.apiVersion, '7')
  }
})

test('errors of Cognito have status 400, and their type decides', async () => {
  for (const [type, message, reason] of [
    ['NotAuthorizedException', 'Incorrect username or password.', 'wrong_credential'],
    ['UserNotFoundException', 'User does not exist.', 'wrong_credential'],
    ['NotAuthorizedException', 'Password attempts exceeded', 'blocked'],
    ['PasswordResetRequiredException', '', 'password_expired'],
  ] as const) {
    assert.deepEqual(await signIn(error(type, message)), { state: 'refused', reason })
  }
  const busy = { kind: 'rate_limited', retryAfterMs: null }
  assert.deepEqual(await failureOf(signIn(error('TooManyRequestsException'))), busy)
  const unknown = { kind: 'unexpected', status: 400 }
  assert.deepEqual(await failureOf(signIn(error('InternalErrorException'))), unknown)
  assert.deepEqual(await failureOf(signIn([400, 'Bad Request'])), unknown)
  assert.deepEqual(await failureOf(signIn([502, '<html>'])), { kind: 'unavailable' })
  assert.equal((await failureOf(signIn([200, 'OK']))).kind, 'unexpected')
  assert.equal((await failureOf(signIn(WELCOME, [200, { id: null }]))).kind, 'unexpected')
})

test('a challenge names the code; one that is no code needs the app', async () => {
  const ask = (name: string, given: object = {}) =>
    signIn([200, { ChallengeName: name, Session: 's', ChallengeParameters: given }])
  const sms = await ask('SMS_MFA', { CODE_DELIVERY_DESTINATION: '+*******42' })
  assert.ok(sms.state === 'code_needed')
  assert.deepEqual([sms.method, sms.hint], ['sms', '+*******42'])
  for (const [name, reason] of [
    ['NEW_PASSWORD_REQUIRED', 'password_expired'],
    ['MFA_SETUP', 'consent_needed'],
    ['constructor', 'consent_needed'],
  ] as const) {
    assert.deepEqual(await ask(name), { state: 'refused', reason })
  }
})

test('a code goes into the field of its challenge', async () => {
  for (const [name, field] of [
    ['SMS_MFA', 'SMS_MFA_CODE'],
    ['SOFTWARE_TOKEN_MFA', 'SOFTWARE_TOKEN_MFA_CODE'],
    ['EMAIL_OTP', 'EMAIL_OTP_CODE'],
  ] as const) {
    const asked = await signIn([200, { ChallengeName: name, Session: 'session' }])
    assert.ok(asked.state === 'code_needed')
    const complete = async (...answers: Parameters<typeof vendorOf>) => {
      const { send, requests } = vendorOf(...answers)
      const outcome = await WHOOP_SIGN_IN.completeMfa?.(send, asked.challenge, '123456', CONTEXT)
      return { outcome, json: requests[0]?.json }
    }
    const { outcome, json } = await complete(WELCOME, [200, { id: 7 }])
    assert.equal(outcome?.state, 'signed_in')
    assert.deepEqual(json, {
      ClientId: 'web-app',
      ChallengeName: name,
      Session: 'session',
      ChallengeResponses: { USERNAME: GIVEN.username, [field]: '123456' },
    })
    for (const type of [
      'CodeMismatchException',
      'ExpiredCodeException',
      'NotAuthorizedException',
    ]) {
      const wrong = (await complete(error(type))).outcome
      assert.deepEqual(wrong, { state: 'refused', reason: 'wrong_code' })
    }
  }
})

test('a refresh keeps the refresh token, and trouble of the vendor does not end it', async () => {
  const tokens = {
    accessToken: 'old',
    refreshToken: 'refresh',
    expiresAt: NOW,
    extra: { userId: '7' },
  }
  const renew = (...answers: Parameters<typeof vendorOf>) =>
    WHOOP_SIGN_IN.renew(vendorOf(...answers).send, tokens, GIVEN, CONTEXT)
  const refreshed = { AuthenticationResult: { AccessToken: 'new', ExpiresIn: 60 } }
  assert.deepEqual(await renew([200, refreshed]), {
    accessToken: 'new',
    refreshToken: 'refresh',
    expiresAt: NOW + 60_000,
    extra: { userId: '7' },
  })
  assert.deepEqual(await failureOf(renew([503, ''])), { kind: 'unavailable' })
  assert.equal((await failureOf(renew(error('InternalErrorException')))).kind, 'unexpected')
  const over = error('NotAuthorizedException', 'Refresh Token has expired')
  const again = await renew(over, WELCOME, [200, { id: 7 }])
  assert.equal(again.accessToken, 'access')
  const ended = (errorType: string) => ({ kind: 'ended', errorType })
  assert.deepEqual(
    await failureOf(renew(over, error('NotAuthorizedException', 'Incorrect'))),
    ended('provider_credential_error'),
  )
  // Only the person has the code.
  const asked = [200, { ChallengeName: 'SMS_MFA', Session: 's' }] as const
  assert.deepEqual(await failureOf(renew(over, asked)), ended('provider_credential_error'))
  const locked = error('NotAuthorizedException', 'Password attempts exceeded')
  assert.equal((await failureOf(renew(over, locked))).kind, 'blocked')
})
