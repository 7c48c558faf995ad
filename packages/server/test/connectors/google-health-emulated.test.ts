import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  createFetchJson,
  createSend,
  isOAuthConnector,
  type PushNotice,
  refreshTokens,
  revokeTokens,
  type VendorError,
} from '@salus/health/connectors'
import { APP, createGoogleVendor } from './google-health-vendor.ts'

/** The connector and the emulated vendor, which share no code, understand each other. */

const {
  addressOf,
  clock,
  closeVendor,
  emptyData,
  emulator,
  failureOf,
  google,
  NAMES,
  NOW,
  pull,
  signIn,
} = createGoogleVendor()
before(() => emulator.listen())
after(closeVendor)

test('a person is known by the id that messages name, and scopes decide', async () => {
  const [activity = ''] = google.auth.scopes
  const tokens = await signIn('carla', [activity])
  const fetchJson = createFetchJson(google, addressOf(), tokens)
  assert.equal(
    await google.auth.identify(fetchJson, tokens),
    emulator.accountIdOf('google_health', 'carla'),
  )
  assert.equal(await failureOf('heart-rate', tokens), 'refused')
  // Parts of a day that are not allowed are missing.
  const data = emptyData()
  await pull('activity', tokens, data)
  const [day] = data.summaries
  const values = (day?.values ?? {}) as Record<string, unknown>
  assert.ok(values.steps !== null && values.heart_rate_mean === null && day?.timeZone === '')
  await emulator.expire('google_health', 'carla')
  assert.equal(await failureOf('steps', tokens), 'unauthorized')
  const stranger = await signIn('dora+unlinked')
  assert.equal(await failureOf('steps', stranger), 'refused')
})

test('limits and trouble of the vendor are what they are', async () => {
  const tokens = await signIn('emil')
  for (const [kind, expected] of [
    ['rate_limit', 'rate_limited'],
    ['server_error', 'unavailable'],
    ['unavailable', 'unavailable'],
    ['malformed', 'unexpected'],
    ['unauthorized', 'unauthorized'],
  ] as const) {
    await emulator.setFaults('google_health', 'emil', [{ kind, times: 1 }])
    assert.equal(await failureOf('weight', tokens), expected, kind)
  }
  await emulator.setFaults('google_health', 'emil', [])
  assert.equal(await failureOf('weight', tokens), 'none')
})

test('a refresh token stays until the person ends the access', async () => {
  assert.ok(isOAuthConnector(google))
  const tokens = await signIn('fritz')
  const next = await refreshTokens(google, addressOf(), APP, tokens, clock.now())
  assert.equal(next.refreshToken, tokens.refreshToken)
  const again = await refreshTokens(google, addressOf(), APP, next, clock.now())
  assert.notEqual(again.accessToken, '')
  await revokeTokens(google, addressOf(), APP, again)
  const failure = await refreshTokens(google, addressOf(), APP, next, clock.now()).then(
    () => undefined,
    (error: unknown) => (error as VendorError).failure,
  )
  assert.deepEqual(failure, { kind: 'ended', errorType: 'token_refresh_failed' })
})

/** Receives messages as Salus does; returns what it understood. */
async function receive(work: (callbackUrl: string) => Promise<void>): Promise<PushNotice[]> {
  const { push } = google
  assert.ok(push?.verify && push.answerHandshake)
  const notices: PushNotice[] = []
  const server = createServer(async (request, response) => {
    const body = Buffer.from(await text(request))
    const headers = request.headers as Record<string, string>
    const handshake = { method: 'POST', query: {}, headers, body } as const
    const answer = push.answerHandshake?.(handshake, APP)
    if (answer !== undefined) {
      response.writeHead(answer.status).end(answer.body)
      return
    }
    if (!push.verify?.({ headers, body, receivedAt: clock.now() }, APP)) {
      response.writeHead(401).end()
      return
    }
    notices.push(...push.read(JSON.parse(String(body))))
    response.writeHead(204).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    await work(`http://127.0.0.1:${(server.address() as AddressInfo).port}/push`)
  } finally {
    server.closeAllConnections()
    server.close()
  }
  return notices
}

test('messages are subscribed to for a project, and a deleted nap is gone from its range', async () => {
  const account = 'gina+live'
  await signIn(account)
  const accountId = emulator.accountIdOf('google_health', account)
  const notices = await receive(async (callbackUrl) => {
    const send = createSend(addressOf())
    for (let times = 0; times < 2; times++) {
      await google.push?.subscribe?.(send, APP, callbackUrl, clock.now())
    }
    const span = { from: NOW - 40 * DAY_MS, to: NOW }
    assert.ok((await emulator.push('google_health', account, span)) > 5)
  })
  assert.ok(notices.every((notice) => notice.accountId === accountId && notice.range !== null))
  const known = new Set(NAMES)
  assert.ok(notices.every(({ collection }) => collection !== null && known.has(collection)))
  const names = new Set(notices.map(({ collection }) => collection))
  for (const name of ['steps', 'activity', 'sleep', 'heart-rate', 'weight']) {
    assert.ok(names.has(name), name)
  }
})
