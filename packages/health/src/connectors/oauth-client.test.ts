import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { ServerResponse } from 'node:http'
import { test } from 'node:test'
import { inspect } from 'node:util'
import {
  APP,
  ENDED,
  failureOf,
  GOOD,
  json,
  makeConnector,
  NOW,
  openAgent,
  openVendor,
  TOKENS,
} from '../../../server/test/connectors/oauth-vendor.ts'
import type { VendorTokens } from './connector.ts'
import { authorizationUrl, exchangeCode, refreshTokens, revokeTokens } from './oauth-client.ts'
import type { VendorFailure } from './vendor-client.ts'

test('a browser is sent to the vendor with all that it asks for', () => {
  const hosts = { web: 'https://vendor.example/base' }
  const redirectUri = 'https://salus.example/callback?a=b'
  const codeVerifier = 'v'.repeat(43)
  const url = new URL(
    authorizationUrl(makeConnector(), hosts, { app: APP, redirectUri, state: 's 1', codeVerifier }),
  )
  assert.equal(url.origin + url.pathname, 'https://vendor.example/base/authorize')
  assert.deepEqual(Object.fromEntries(url.searchParams), {
    response_type: 'code',
    client_id: 'app:1',
    redirect_uri: redirectUri,
    scope: 'steps sleep',
    state: 's 1',
    code_challenge: createHash('sha256').update(codeVerifier).digest('base64url'),
    code_challenge_method: 'S256',
  })
  const plain = authorizationUrl(makeConnector({ scopeSeparator: ',' }), hosts, {
    app: APP,
    redirectUri,
    state: 's',
    scopes: ['steps', 'weight'],
  })
  assert.equal(new URL(plain).searchParams.get('scope'), 'steps,weight')
  assert.equal(new URL(plain).searchParams.has('code_challenge'), false)
})

test('a code becomes tokens, and what was granted is what the vendor says last', async (t) => {
  const callback = { code: 'c', redirectUri: 'https://salus.example/cb', codeVerifier: 'v' }
  for (const [answered, query, granted] of [
    ['sleep', 'steps', ['sleep']],
    [undefined, 'steps,sleep', ['steps', 'sleep']],
    [undefined, undefined, ['steps', 'sleep']],
    ['', 'steps', []],
  ] as const) {
    const body = { ...GOOD, ...(answered !== undefined && { scope: answered }) }
    const { address, seen } = await openVendor(t, json(body))
    const result = await exchangeCode(
      makeConnector(),
      address,
      APP,
      { ...callback, callbackQuery: { scope: query } },
      NOW,
    )
    assert.deepEqual(result, {
      tokens: {
        accessToken: 'new-access',
        refreshToken: 'new-refresh',
        expiresAt: NOW.getTime() + 3_600_000,
      },
      grantedScopes: granted,
    })
    assert.deepEqual(seen[0]?.form, {
      grant_type: 'authorization_code',
      code: 'c',
      redirect_uri: 'https://salus.example/cb',
      code_verifier: 'v',
      client_id: 'app:1',
      client_secret: 'app-secret',
    })
  }
})

test('the app shows itself as the vendor wants', async (t) => {
  const { address, seen } = await openVendor(t, json(GOOD))
  const connector = makeConnector({ clientAuthentication: 'client_secret_basic' })
  await refreshTokens(connector, address, APP, TOKENS, NOW)
  // Both parts are encoded as in a form (RFC 6749, 2.3.1).
  const basic = Buffer.from('app%3A1:app-secret').toString('base64')
  assert.equal(seen[0]?.authorization, `Basic ${basic}`)
  assert.deepEqual(seen[0]?.form, { grant_type: 'refresh_token', refresh_token: 'old-refresh' })
})

test('new tokens keep what the answer does not replace', async (t) => {
  const rotated = await openVendor(t, json(GOOD, 201, { 'content-type': 'text/plain' }))
  assert.deepEqual(await refreshTokens(makeConnector(), rotated.address, APP, TOKENS, NOW), {
    accessToken: 'new-access',
    refreshToken: 'new-refresh',
    expiresAt: NOW.getTime() + 3_600_000,
    extra: { patient: '7' },
  })
  const kept = await openVendor(t, json({ access_token: 'new-access', token_type: 'bearer' }))
  assert.deepEqual(await refreshTokens(makeConnector(), kept.address, APP, TOKENS, NOW), {
    accessToken: 'new-access',
    refreshToken: 'old-refresh',
    expiresAt: null,
    extra: { patient: '7' },
  })
})

/** Answers to a refresh, and their meaning. */
const FAILURES: readonly [string, (response: ServerResponse) => void, VendorFailure][] = [
  ['invalid_grant', json({ error: 'invalid_grant', error_description: 'person' }, 400), ENDED],
  ['invalid_grant as 401', json({ error: 'invalid_grant' }, 401), ENDED],
  ['access_denied', json({ error: 'access_denied' }, 403), ENDED],
  [
    'a challenge beside invalid_grant',
    json({ error: 'invalid_grant' }, 401, { 'www-authenticate': 'Bearer error="invalid_token"' }),
    ENDED,
  ],
  ...(
    [
      ['invalid_client', 'client'],
      ['unauthorized_client', 'client'],
      ['redirect_uri_mismatch', 'redirect'],
      ['invalid_scope', 'scopes'],
    ] as const
  ).map(([error, appProblem]): [string, (response: ServerResponse) => void, VendorFailure] => [
    error,
    json({ error }, 400),
    { kind: 'unexpected', status: 400, appProblem },
  ]),
  ['invalid_request', json({ error: 'invalid_request' }, 400), { kind: 'unexpected', status: 400 }],
  ['an unknown error', json({ error: 'x' }, 400), { kind: 'unexpected', status: 400 }],
  [
    'an error of the app in words of its own',
    json({ message: 'Authorization Error' }, 401),
    { kind: 'unexpected', status: 401, appProblem: 'client' },
  ],
  [
    'invalid_grant with a redirect address, which a refresh has not',
    json({ error: 'invalid_grant', error_description: 'redirect_uri does not match' }, 400),
    ENDED,
  ],
  [
    'temporarily_unavailable',
    json({ error: 'temporarily_unavailable' }, 400),
    { kind: 'unavailable' },
  ],
  ['server_error', json({ error: 'server_error' }, 500), { kind: 'unavailable' }],
  [
    'invalid_grant of a vendor in trouble',
    json({ error: 'invalid_grant' }, 503),
    { kind: 'unavailable' },
  ],
  [
    'too many requests',
    json({ error: 'slow_down' }, 429, { 'retry-after': '7' }),
    { kind: 'rate_limited', retryAfterMs: 7000 },
  ],
  ['no object', json([], 200), { kind: 'unexpected', status: null }],
  ['no token', json({ token_type: 'bearer' }), { kind: 'unexpected', status: null }],
  [
    'another kind of token',
    json({ ...GOOD, token_type: 'mac' }),
    { kind: 'unexpected', status: null },
  ],
  [
    'a page of HTML',
    (response) => response.writeHead(403, { 'content-type': 'text/html' }).end('<h1>secret</h1>'),
    { kind: 'unexpected', status: 403 },
  ],
  [
    'a page of HTML as an answer',
    (response) => response.writeHead(200).end('<h1>secret</h1>'),
    { kind: 'unexpected', status: null },
  ],
  [
    'a redirect',
    (response) => response.writeHead(302, { location: 'https://elsewhere.example' }).end(),
    { kind: 'unexpected', status: 302 },
  ],
  ['nothing', (response) => response.writeHead(204).end(), { kind: 'unexpected', status: null }],
  [
    'more than any token',
    (response) => response.end(Buffer.alloc(300 * 1024, ' ')),
    { kind: 'unavailable' },
  ],
  ['a broken connection', (response) => response.destroy(), { kind: 'unavailable' }],
]

for (const [name, answer, failure] of FAILURES) {
  test(`a refresh that is answered by ${name} is ${failure.kind}`, async (t) => {
    const { address } = await openVendor(t, answer)
    const refresh = refreshTokens(makeConnector(), address, APP, TOKENS, NOW)
    assert.deepEqual(await failureOf(refresh), failure)
  })
}

test('a vendor that does not answer in time is unavailable', async (t) => {
  const { address, seen } = await openVendor(t, () => undefined)
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const refresh = failureOf(refreshTokens(makeConnector(), address, APP, TOKENS, NOW))
  while (seen.length === 0) await new Promise((resolve) => setImmediate(resolve))
  t.mock.timers.tick(30_000)
  assert.deepEqual(await refresh, { kind: 'unavailable' })
})

test('tokens that cannot be refreshed have ended without a request', async (t) => {
  const { address, seen } = await openVendor(t, json(GOOD))
  const tokens = { ...TOKENS, refreshToken: null }
  assert.deepEqual(
    await failureOf(refreshTokens(makeConnector(), address, APP, tokens, NOW)),
    ENDED,
  )
  assert.equal(seen.length, 0)
})

test('a wrong code is refused, which ends nothing', async (t) => {
  const { address } = await openVendor(t, json({ error: 'invalid_grant' }, 400))
  const exchange = exchangeCode(
    makeConnector(),
    address,
    APP,
    { code: 'c', redirectUri: 'https://salus.example', callbackQuery: {} },
    NOW,
  )
  assert.deepEqual(await failureOf(exchange), { kind: 'refused' })
})

test('tokens are sent in the clear to this machine only', async (t) => {
  const agent = openAgent(t)
  const hosts = { api: 'http://vendor.example', web: 'http://vendor.example' }
  const refresh = refreshTokens(makeConnector(), { slug: 'oura', hosts, agent }, APP, TOKENS, NOW)
  await assert.rejects(refresh, (error: Error) => !/old-|secret/.test(inspect(error)))
})

test('a grant is given back once, in the way of the vendor', async (t) => {
  const standard = await openVendor(t, (response) => response.end())
  await revokeTokens(makeConnector(), standard.address, APP, TOKENS)
  assert.deepEqual(standard.seen[0]?.form, {
    token: 'old-refresh',
    client_id: 'app:1',
    client_secret: 'app-secret',
  })
  const own = await openVendor(t, (response) => response.end())
  const revocationRequest = ({ accessToken, extra }: VendorTokens) => ({
    method: 'DELETE' as const,
    path: `/patients/${extra?.patient}`,
    query: { token: accessToken, scope: ['steps', 'sleep'] },
  })
  await revokeTokens(makeConnector({ revocationRequest }), own.address, APP, TOKENS)
  assert.equal(own.seen[0]?.url, '/patients/7?token=old-access&scope=steps&scope=sleep')
  assert.equal(own.seen[0]?.authorization, 'Bearer old-access')
  const over = await openVendor(t, json({ error: 'invalid_grant' }, 400))
  await revokeTokens(makeConnector(), over.address, APP, TOKENS)
  await revokeTokens(makeConnector({ revocationRequest }), over.address, APP, TOKENS)
  const down = await openVendor(t, json({}, 503))
  for (const more of [{ revocationRequest }, {}]) {
    const revoke = revokeTokens(makeConnector(more), down.address, APP, TOKENS)
    assert.deepEqual(await failureOf(revoke), { kind: 'unavailable' })
  }
})
