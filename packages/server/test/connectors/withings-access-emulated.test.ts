import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { type PushNotice, refreshTokens, type VendorTokens } from '@salus/health/connectors'
import { APP, EmulatedSession, failureOf } from './emulated-session.ts'

/** Errors, tokens and messages of the emulated vendor as the connector understands them. */

const session = new EmulatedSession('withings')
const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 20) }

before(() => session.listen())
after(() => session.close())

test('a weight that belonged to a child is gone from the list, which is complete', async () => {
  const account = 'kim+live'
  const { completes } = session.connector.collections.find(({ name }) => name === 'measures') ?? {}
  assert.ok(completes?.series?.includes('body_weight') && completes.summaries?.includes('body'))
  const from = session.clock.now().getTime() - 2 * DAY_MS
  const range = { from, to: from + 12 * DAY_MS }
  const counts: number[] = []
  for (let day = 0; day < 12; day++) {
    const { tokens } = await session.signIn(account)
    const { samples } = await session.pull('measures', tokens, range)
    counts.push(samples.filter(({ value }) => value === 24.3).length)
    session.clock.advance(DAY_MS / 1000)
  }
  assert.ok(counts.slice(counts.indexOf(1)).includes(0) && counts.includes(1), String(counts))
})

test('errors of HTTP 200 are failures of their kind', async () => {
  const { tokens: own } = await session.signIn('carla')
  const pull = () => failureOf(session.pull('measures', own, RANGE))
  for (const [kind, expected] of [
    ['server_error', 'unavailable'],
    ['unavailable', 'unavailable'],
    ['unauthorized', 'unauthorized'],
    ['malformed', 'unexpected'],
    ['rate_limit', 'rate_limited'],
  ] as const) {
    await session.emulator.setFaults('withings', 'carla', [{ kind }])
    assert.equal(await pull(), expected)
  }
  await session.emulator.setFaults('withings', 'carla', [{ kind: 'duplicate_pages', times: 1 }])
  assert.equal(await pull(), 'none')
  await session.emulator.expire('withings', 'carla')
  assert.equal(await pull(), 'unauthorized')
})

test('tokens are refreshed once each, and end when the person ends the access', async () => {
  const { connector, address, clock } = session
  const { tokens: own } = await session.signIn('dora')
  const refresh = (given: VendorTokens, app = APP) =>
    refreshTokens(connector, address, app, given, clock.now())
  const next = await refresh(own)
  assert.deepEqual(next.extra, own.extra)
  assert.equal(await failureOf(refresh(own)), 'ended')
  assert.equal(await failureOf(refresh(next, { ...APP, clientSecret: 'wrong' })), 'unexpected')
  await session.emulator.revoke('withings', 'dora')
  assert.equal(await failureOf(refresh(next)), 'ended')
})

test('messages about a person name what is new, and the end of the access', async () => {
  const { push } = session.connector
  assert.ok(push?.subscribeUser && push.parse && push.answerHandshake)
  const { parse, answerHandshake, read, subscribeUser } = push
  const notices: PushNotice[] = []
  const server = createServer(async (request, response) => {
    const body = await buffer(request)
    const { method } = request as { method: 'GET' | 'HEAD' | 'POST' }
    const handshake = answerHandshake({ method, query: {}, headers: {}, body }, APP)
    if (handshake === undefined) notices.push(...read(parse(body)))
    response.writeHead(handshake?.status ?? 200).end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const { tokens: own } = await session.signIn('erik+live')
    const fetchJson = session.fetchAs(own)
    for (const path of ['one', 'two', 'two']) {
      await subscribeUser(fetchJson, own, `http://127.0.0.1:${port}/${path}`)
    }
    const to = session.clock.now().getTime()
    const span = { from: to - 3 * DAY_MS, to }
    assert.ok((await session.emulator.push('withings', 'erik+live', span)) > 3)
    await session.emulator.revoke('withings', 'erik+live')
  } finally {
    server.closeAllConnections()
    server.close()
  }
  const accountId = session.emulator.accountIdOf('withings', 'erik+live')
  assert.ok(notices.every((notice) => notice.accountId === accountId))
  const names = new Set(notices.map(({ collection }) => collection))
  for (const name of ['measures', 'activity', 'intraday', 'workouts', 'sleep']) {
    assert.ok(names.has(name), name)
  }
  assert.deepEqual(notices.at(-1), { accountId, collection: null, range: null })
})
