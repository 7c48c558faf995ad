import assert from 'node:assert/strict'
import { after, beforeEach, test } from 'node:test'
import { MINUTE_MS } from '@salus/contracts/time-units'
import { createMemoryStore, ProviderEmulator } from '../index.ts'
import { challengeOf } from './authorize.ts'

/** OAuth 2 as an app, and a browser, see it. */

const BASE = '/sandbox/providers/oura'
const VERIFIER = 'a-verifier-of-more-than-forty-three-characters-0123'

let now = new Date('2026-03-01T18:00:00Z')
let emulator: ProviderEmulator

beforeEach(async () => {
  await emulator?.close()
  now = new Date('2026-03-01T18:00:00Z')
  emulator = new ProviderEmulator({ clock: { now: () => now }, store: createMemoryStore() })
})
after(() => emulator.close())

const ASKED = {
  response_type: 'code',
  client_id: 'app',
  redirect_uri: 'https://app.example.com/back',
  scope: 'daily heartrate workout',
  state: 'kept',
}

function pageUrl(change: Record<string, string> = {}): string {
  return `${BASE}/web/oauth/authorize?${new URLSearchParams({ ...ASKED, ...change })}`
}

async function post(url: string, form: [string, string][] | Record<string, string>, headers = {}) {
  return emulator.app.inject({
    method: 'POST',
    url,
    headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    payload: new URLSearchParams(form).toString(),
  })
}

const ticketIn = (page: string): string => /name="ticket" value="([^"]+)"/.exec(page)?.[1] ?? ''

interface Choice {
  change?: Record<string, string>
  decision?: string
  scopes?: string[]
}

async function decide({
  change = {},
  decision = 'allow',
  scopes = ['daily'],
}: Choice): Promise<URL> {
  const url = pageUrl(change)
  const consent = await post(url, { step: 'sign_in', username: 'anna', password: 'correct' })
  const form: [string, string][] = [
    ['step', 'consent'],
    ['ticket', ticketIn(consent.body)],
    ['decision', decision],
    ...scopes.map((scope): [string, string] => ['scope', scope]),
  ]
  const answer = await post(url, form)
  assert.equal(answer.statusCode, 303, answer.body)
  return new URL(String(answer.headers.location))
}

async function exchange(code: string, change: Record<string, string> = {}) {
  const answer = await post(`${BASE}/api/oauth/token`, {
    grant_type: 'authorization_code',
    code,
    redirect_uri: ASKED.redirect_uri,
    client_id: 'app',
    client_secret: 'secret',
    ...change,
  })
  return { status: answer.statusCode, body: answer.json() }
}

const codeOf = (url: URL): string => url.searchParams.get('code') ?? ''

test('the page says what an app asks for, and what is wrong with its address', async () => {
  const consent = await post(pageUrl(), { step: 'sign_in', username: 'anna', password: 'correct' })
  assert.deepEqual(
    [...consent.body.matchAll(/name="scope" value="(\w+)" checked/g)].map(([, name]) => name),
    ['daily', 'heartrate', 'workout'],
  )
  const wrong: Record<string, string>[] = [
    { client_id: '' },
    { redirect_uri: 'nowhere' },
    { redirect_uri: 'javascript:alert(1)' },
    { response_type: 'token' },
    { scope: 'daily everything' },
    { code_challenge: 'x', code_challenge_method: 'plain' },
  ]
  for (const change of wrong) {
    const { statusCode, headers } = await emulator.app.inject({ url: pageUrl(change) })
    assert.deepEqual([statusCode, headers.location], [400, undefined], JSON.stringify(change))
  }
})

test('passwords of the sandbox do what they say', async () => {
  const signIn = (password: string) =>
    post(pageUrl(), { step: 'sign_in', username: 'anna', password })
  assert.match((await signIn('nonsense')).body, /role="alert"/)
  assert.match((await signIn('expired')).body, /expired/)
  assert.match((await signIn('elsewhere')).body, /region/)
  assert.equal((await signIn('down')).statusCode, 503)
  const asked = await signIn('code')
  const code = (text: string) =>
    post(pageUrl(), { step: 'code', ticket: ticketIn(asked.body), code: text })
  assert.match((await code('000000')).body, /role="alert"/)
  assert.match((await code('123456')).body, /Allow access/)
  // The ticket of the code alone allows nothing.
  const skipped = await post(pageUrl(), {
    step: 'consent',
    ticket: ticketIn(asked.body),
    decision: 'allow',
  })
  assert.equal(skipped.statusCode, 200)
})

test('the app gets the scopes that stayed ticked', async () => {
  const { status, body } = await exchange(codeOf(await decide({ scopes: ['daily', 'workout'] })))
  assert.equal(status, 200)
  assert.deepEqual(
    [body.scope, body.token_type, body.expires_in],
    ['daily workout', 'bearer', 86_400],
  )
})

test('denying and failing send the person back with an error', async () => {
  const denied = await decide({ decision: 'deny' })
  assert.equal(denied.searchParams.get('error'), 'access_denied')
  assert.equal(denied.searchParams.get('state'), 'kept')
  assert.equal((await decide({ decision: 'fail' })).searchParams.get('error'), 'server_error')
  const bad = await exchange(codeOf(await decide({ decision: 'bad_code' })))
  assert.deepEqual([bad.status, bad.body.error], [400, 'invalid_grant'])
})

test('a code is good once, for a while, for its app and its way back', async () => {
  const refused = async (change: Record<string, string>) =>
    (await exchange(codeOf(await decide({})), change)).body.error
  assert.equal(await refused({ redirect_uri: 'https://app.example.com/other' }), 'invalid_grant')
  assert.equal(await refused({ client_id: 'another' }), 'invalid_grant')
  assert.equal(await refused({ client_secret: 'wrong' }), 'invalid_client')
  assert.equal(await refused({ client_id: 'sandbox' }), 'invalid_client')
  assert.equal(await refused({ grant_type: 'password' }), 'unsupported_grant_type')
  const late = codeOf(await decide({}))
  now = new Date(now.getTime() + 11 * MINUTE_MS)
  assert.equal((await exchange(late)).body.error, 'invalid_grant')
})

test('a code that comes again ends what came of it', async () => {
  const code = codeOf(await decide({}))
  const { body } = await exchange(code)
  assert.equal((await exchange(code)).body.error, 'invalid_grant')
  const again = await post(`${BASE}/api/oauth/token`, {
    grant_type: 'refresh_token',
    refresh_token: body.refresh_token,
    client_id: 'app',
    client_secret: 'secret',
  })
  assert.equal(again.json().error, 'invalid_grant')
})

test('PKCE holds where the app used it', async () => {
  const change = { code_challenge: challengeOf(VERIFIER), code_challenge_method: 'S256' }
  assert.equal((await exchange(codeOf(await decide({ change })))).status, 400)
  const wrong = await exchange(codeOf(await decide({ change })), { code_verifier: `${VERIFIER}x` })
  assert.equal(wrong.status, 400)
  const right = await exchange(codeOf(await decide({ change })), { code_verifier: VERIFIER })
  assert.equal(right.status, 200)
})

test('refresh tokens rotate, and a revocation ends them all', async () => {
  const { body: first } = await exchange(codeOf(await decide({})))
  const basic = `Basic ${Buffer.from('app:secret').toString('base64')}`
  const refresh = async (refresh_token: string) =>
    (
      await post(
        `${BASE}/api/oauth/token`,
        { grant_type: 'refresh_token', refresh_token },
        { authorization: basic },
      )
    ).json()
  const second = await refresh(first.refresh_token)
  assert.equal((await refresh(first.refresh_token)).error, 'invalid_grant')
  const third = await refresh(second.refresh_token)
  assert.equal(third.scope, 'daily')
  await emulator.app.inject({
    method: 'POST',
    url: `${BASE}/api/oauth/revoke?access_token=${first.access_token}`,
  })
  assert.equal((await refresh(third.refresh_token)).error, 'invalid_grant')
})
