import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { OutboundAnswer } from '@salus/kernel/outbound/request'
import { NO_SETTINGS } from '../../../../server/test/connectors/no-context.ts'
import type { PasswordGiven } from '../connector.ts'
import { type Send, VendorError, type VendorFailure, type VendorRequest } from '../vendor-client.ts'
import { ABBOTT_LIBREVIEW } from './libreview.connector.ts'
import { failureOf as failureOfAnswer, LIBREVIEW_SIGN_IN } from './libreview-sign-in.ts'

const GIVEN: PasswordGiven = { username: 'person@example.com', password: 'secret', region: null }
const USER = { id: 'user-1', country: 'DE' }
const ticketOf = (token: string) => ({ token, expires: 1_790_000_000, duration: 15_552_000_000 })
const SIGNED_IN = { status: 0, data: { user: USER, authTicket: ticketOf('ticket') } }
const CONNECTIONS = { status: 0, data: [{ patientId: 'other' }, { patientId: 'user-1' }] }

type Answers = Record<string, unknown | ((request: VendorRequest) => unknown)>

/**
 * A fake vendor with its answers by `host path`, and the requests that it received. A number is a
 * status without a body.
 */
function makeVendor(answers: Answers): { send: Send; asked: VendorRequest[] } {
  const asked: VendorRequest[] = []
  // As the engine does, it throws what the connector says that an answer means.
  const send: Send = (request) => {
    asked.push(request)
    const found = answers[`${request.host ?? 'api'} ${request.path}`]
    const answer = typeof found === 'function' ? found(request) : found
    const [status, body] =
      typeof answer === 'number' ? [answer, ''] : Array.isArray(answer) ? answer : [200, answer]
    const bytes = Buffer.from(body === '' ? '' : JSON.stringify(body))
    const given = new OutboundAnswer('vendor', status, {}, bytes)
    const failure = failureOfAnswer(given)
    return failure
      ? Promise.reject(new VendorError('abbott_libreview', failure))
      : Promise.resolve(given)
  }
  return { send, asked }
}

async function failureOf(work: Promise<unknown>): Promise<VendorFailure> {
  const error = await work.then(
    () => assert.fail('there was an answer'),
    (reason: unknown) => reason,
  )
  assert.ok(error instanceof VendorError, inspect(error))
  assert.doesNotMatch(inspect(error, { depth: 9 }), /secret|ticket|person/)
  return error.failure
}

const TOKENS = {
  accessToken: 'ticket',
  refreshToken: null,
  expiresAt: 1_790_000_000_000,
  extra: {
    host: 'api',
    patientId: 'user-1',
    accountHash: createHash('sha256').update('user-1').digest('hex'),
  },
}

test('a password opens a session for the data of the account itself', async () => {
  const { send, asked } = makeVendor({
    'api /llu/auth/login': SIGNED_IN,
    'api /llu/connections': CONNECTIONS,
  })
  assert.deepEqual(await LIBREVIEW_SIGN_IN.signIn(send, GIVEN, NO_SETTINGS), {
    state: 'signed_in',
    accountId: 'user-1',
    tokens: TOKENS,
  })
  assert.deepEqual(asked[0]?.json, { email: 'person@example.com', password: 'secret' })
  assert.deepEqual(asked[0]?.headers, { product: 'llu.android', version: '4.16.0' })
  assert.equal(asked[1]?.headers?.authorization, 'Bearer ticket')
  assert.equal(asked[1]?.headers?.['account-id'], TOKENS.extra.accountHash)
  const app = { clientId: '', clientSecret: '', settings: { version: '4.17.1' } }
  await LIBREVIEW_SIGN_IN.signIn(send, GIVEN, { app, now: 0 })
  assert.equal(asked.at(-1)?.headers?.version, '4.17.1')
})

test('a person of another region is signed in there, and asked there from then on', async () => {
  const { send, asked } = makeVendor({
    'api /llu/auth/login': { status: 0, data: { redirect: true, region: 'eu' } },
    'api-eu /llu/auth/login': SIGNED_IN,
    'api-eu /llu/connections': { status: 0, data: [{ patientId: 'followed' }] },
  })
  const outcome = await LIBREVIEW_SIGN_IN.signIn(send, GIVEN, NO_SETTINGS)
  assert.ok(outcome.state === 'signed_in')
  const { extra = {} } = outcome.tokens
  assert.deepEqual([extra.host, extra.patientId], ['api-eu', 'followed'])
  assert.equal(asked.length, 3)
  const [graph] = ABBOTT_LIBREVIEW.collections
  const context = { extra, now: 0, app: NO_SETTINGS.app }
  const wanted = graph?.page({ from: 0, to: 1 }, null, context)
  const request = wanted && ABBOTT_LIBREVIEW.authorize?.(wanted, outcome.tokens, NO_SETTINGS.app)
  assert.equal(request?.host, 'api-eu')
  assert.equal(request?.path, '/llu/connections/followed/graph')
  assert.equal(request?.headers?.['account-id'], extra.accountHash)
  await LIBREVIEW_SIGN_IN.renew(send, outcome.tokens, GIVEN, NO_SETTINGS)
  assert.deepEqual(
    asked.slice(3).map(({ host }) => host),
    ['api-eu', 'api-eu'],
  )
})

test('each refusal has its own error', async () => {
  const step = (type: string) => ({ step: { type }, authTicket: ticketOf('step') })
  const locked = { status: 429, data: { code: 60, data: { failures: 3, lockout: 300 } } }
  for (const [answer, reason] of [
    [{ status: 2, error: { message: 'notAuthenticated' } }, 'wrong_credential'],
    [{ status: 0, data: { redirect: true, region: 'xx' } }, 'unsupported_region'],
    [{ status: 0, data: { redirect: true, region: '../x' } }, 'unsupported_region'],
    [{ status: 4, data: step('passwordExpired') }, 'password_expired'],
    ...['tou', 'pp', 'realWorldEvidence', 'verifyEmail'].map(
      (type) => [{ status: 4, data: step(type) }, 'consent_needed'] as const,
    ),
    [locked, 'blocked'],
    [[429, locked], 'blocked'],
    [429, 'blocked'],
  ] as const) {
    const { send } = makeVendor({ 'api /llu/auth/login': answer })
    const outcome = await LIBREVIEW_SIGN_IN.signIn(send, GIVEN, NO_SETTINGS)
    assert.deepEqual(outcome, { state: 'refused', reason })
  }
  for (const [answer, failure] of [
    [503, { kind: 'unavailable' }],
    [{ status: 911 }, { kind: 'unavailable' }],
    [[403, { status: 920 }], { kind: 'unexpected', status: 403, appProblem: 'version' }],
    [
      { status: 0, data: {} },
      { kind: 'unexpected', status: null },
    ],
    [[200, []], { kind: 'unexpected', status: null }],
  ] as const) {
    const { send } = makeVendor({ 'api /llu/auth/login': answer })
    assert.deepEqual(await failureOf(LIBREVIEW_SIGN_IN.signIn(send, GIVEN, NO_SETTINGS)), failure)
  }
})

test('an account with which no one shares is refused', async () => {
  const { send } = makeVendor({
    'api /llu/auth/login': SIGNED_IN,
    'api /llu/connections': { status: 0, data: [] },
  })
  const outcome = await LIBREVIEW_SIGN_IN.signIn(send, GIVEN, NO_SETTINGS)
  assert.deepEqual(outcome, { state: 'refused', reason: 'nothing_shared' })
})

test('a code goes where the vendor says, and completes the sign-in', async () => {
  const props = {
    primaryMethod: 'phone',
    primaryValue: '•••-0142',
    secondaryMethod: 'email',
    secondaryValue: 'a•••@example.com',
  }
  const withCode = (known: object) =>
    makeVendor({
      'api /llu/auth/login': {
        status: 0,
        data: { step: { type: '2faVerify', props: known }, authTicket: ticketOf('step') },
      },
      'api /auth/continue/2fa/sendcode': { status: 0, data: null, ticket: ticketOf('next') },
      'api /auth/continue/2fa/result': ({ json, headers }: VendorRequest) => {
        const { code } = json as { code: string }
        const isRight = code === '123456' && headers?.authorization === 'Bearer next'
        return isRight ? SIGNED_IN : { status: 2, error: { message: 'invalidCode' } }
      },
      'api /llu/connections': CONNECTIONS,
    })
  const { send, asked } = withCode(props)
  const needed = await LIBREVIEW_SIGN_IN.signIn(send, GIVEN, NO_SETTINGS)
  assert.ok(needed.state === 'code_needed')
  assert.deepEqual([needed.method, needed.hint], ['sms', '•••-0142'])
  assert.deepEqual(asked[1]?.json, { isPrimaryMethod: true })
  assert.doesNotMatch(needed.challenge, /secret/)
  const complete = (code: string) =>
    LIBREVIEW_SIGN_IN.completeMfa?.(send, needed.challenge, code, NO_SETTINGS)
  assert.deepEqual(await complete('1'), { state: 'refused', reason: 'wrong_code' })
  assert.deepEqual(await complete('123456'), {
    state: 'signed_in',
    accountId: 'user-1',
    tokens: TOKENS,
  })
  const byMail = await LIBREVIEW_SIGN_IN.signIn(
    withCode({ ...props, primaryMethod: null, primaryValue: null }).send,
    GIVEN,
    NO_SETTINGS,
  )
  assert.ok(byMail.state === 'code_needed')
  assert.deepEqual([byMail.method, byMail.hint], ['email', 'a•••@example.com'])
})

test('the password renews a session; what needs the person ends the connection', async () => {
  const renew = (answers: Answers) => {
    const { send } = makeVendor(answers)
    return LIBREVIEW_SIGN_IN.renew(send, { ...TOKENS, accessToken: 'old' }, GIVEN, NO_SETTINGS)
  }
  const good = { 'api /llu/auth/login': SIGNED_IN, 'api /llu/connections': CONNECTIONS }
  assert.deepEqual(await renew(good), TOKENS)
  const answer = (login: unknown) => renew({ ...good, 'api /llu/auth/login': login })
  const step = (type: string) => ({
    status: 4,
    data: { step: { type }, authTicket: ticketOf('t') },
  })
  for (const [login, errorType] of [
    [{ status: 2, error: {} }, 'provider_credential_error'],
    [step('passwordExpired'), 'provider_password_expired'],
    [step('tou'), 'provider_consent_needed'],
  ] as const) {
    assert.deepEqual(await failureOf(answer(login)), { kind: 'ended', errorType })
  }
  assert.deepEqual(await failureOf(answer(500)), { kind: 'unavailable' })
  const locked = { status: 429, data: { data: { lockout: 300 } } }
  const limited = { kind: 'rate_limited', retryAfterMs: 300_000 }
  assert.deepEqual(await failureOf(answer(locked)), limited)
})

test('a session never goes on with the data of another person', async () => {
  const { send } = makeVendor({
    'api /llu/auth/login': SIGNED_IN,
    'api /llu/connections': { status: 0, data: [{ patientId: 'another' }] },
  })
  const renewal = LIBREVIEW_SIGN_IN.renew(send, TOKENS, GIVEN, NO_SETTINGS)
  assert.deepEqual(await failureOf(renewal), {
    kind: 'ended',
    errorType: 'deregistered_per_provider',
  })
  const gone = { status: 4, error: { message: 'couldNotLoadPatient' } }
  const answer = new OutboundAnswer('vendor', 200, {}, Buffer.from(JSON.stringify(gone)))
  assert.deepEqual(failureOfAnswer(answer), {
    kind: 'ended',
    errorType: 'deregistered_per_provider',
  })
})
