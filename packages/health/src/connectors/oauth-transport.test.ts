import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  APP,
  ENDED,
  failureOf,
  json,
  makeConnector,
  NOW,
  openVendor,
  TOKENS,
} from '../../../server/test/connectors/oauth-vendor.ts'
import { authorizationUrl, exchangeCode, refreshTokens } from './oauth-client.ts'

/** The answer of a vendor that wraps it, has other names, and answers 200 to everything. */
const toStandardAnswer = (answer: unknown) => {
  const { status, body } = answer as { status: number; body?: Record<string, unknown> }
  if (status === 0) return { token_type: 'bearer', ...body, access_token: body?.token }
  return { error: status === 503 ? 'invalid_grant' : 'invalid_request' }
}

test('an answer that is not of RFC 6749 is converted, and what later requests need is kept', async (t) => {
  const parameters = {
    authorization: { access_type: 'offline' },
    token: { action: 'requesttoken' },
    refresh: { action: 'renew', scope: 'offline' },
  }
  const connector = makeConnector({ toStandardAnswer, parameters, keptTokenFields: ['userid'] })
  const redirectUri = 'https://a.example/'
  const authorization = { app: APP, redirectUri, state: 's' }
  const url = new URL(authorizationUrl(connector, { web: 'https://vendor.example' }, authorization))
  assert.equal(url.searchParams.get('access_type'), 'offline')
  const body = { token: 'new-access', refresh_token: 'new-refresh', expires_in: 60, userid: 363 }
  const { address, seen } = await openVendor(t, json({ status: 0, body }))
  const exchange = { code: 'c', redirectUri, callbackQuery: {} }
  const { tokens } = await exchangeCode(connector, address, APP, exchange, NOW)
  const expiresAt = NOW.getTime() + 60_000
  const extra = { userid: '363' }
  const expected = { accessToken: 'new-access', refreshToken: 'new-refresh', expiresAt, extra }
  assert.deepEqual(tokens, expected)
  const renewed = await refreshTokens(connector, address, APP, TOKENS, NOW)
  assert.deepEqual(renewed.extra, { patient: '7', userid: '363' })
  assert.deepEqual(
    seen.map(({ form }) => [form.action, form.scope]),
    [
      ['requesttoken', undefined],
      ['renew', 'offline'],
    ],
  )
})

test('an error that comes with status 200 is one', async (t) => {
  const connector = makeConnector({ toStandardAnswer })
  const ended = await openVendor(t, json({ status: 503 }))
  const refresh = refreshTokens(connector, ended.address, APP, TOKENS, NOW)
  assert.deepEqual(await failureOf(refresh), ENDED)
  const wrong = await openVendor(t, json({ status: 293 }))
  const again = refreshTokens(connector, wrong.address, APP, TOKENS, NOW)
  assert.equal((await failureOf(again)).kind, 'unexpected')
  const odd = await openVendor(t, json(null))
  const fourth = refreshTokens(connector, odd.address, APP, TOKENS, NOW)
  assert.equal((await failureOf(fourth)).kind, 'unexpected')
  const text = await openVendor(t, (response) => response.end('<html>'))
  const third = refreshTokens(connector, text.address, APP, TOKENS, NOW)
  assert.equal((await failureOf(third)).kind, 'unexpected')
})
