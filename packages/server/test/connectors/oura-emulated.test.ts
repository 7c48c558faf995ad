import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  type Connectors,
  createConnectors,
  createFetchJson,
  createSend,
  isOAuthConnector,
  type OAuthConnector,
  PageData,
  type PushNotice,
  refreshTokens,
  revokeTokens,
  type TimeRange,
  VendorError,
  type VendorTokens,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

/** The connector and the emulated vendor, which share no code, understand each other. */

const APP = { clientId: 'sandbox', clientSecret: 'sandbox' }
const SANDBOX = { kind: 'sandbox' } as const

const clock = new TestClock()
const agent = createOutboundAgent({ allowPrivate: true })
const emulator = new ProviderEmulator({ clock, store: createMemoryStore() })
const connectors: Connectors = createConnectors({
  agent,
  sandboxAgent: agent,
  sandboxUrl: () => emulator.url,
})
const oura = connectors.find('oura') as OAuthConnector
const RANGE: TimeRange = { from: Date.UTC(2026, 0, 20), to: clock.now().getTime() }

before(() => emulator.listen())
after(async () => {
  await emulator.close()
  await agent.destroy()
})

async function signIn(account: string, scopes: readonly string[]): Promise<VendorTokens> {
  const answer = await emulator.grant('oura', account, scopes)
  const { access_token: accessToken, refresh_token: refreshToken } = answer
  return { accessToken, refreshToken: refreshToken ?? null, expiresAt: null }
}

/** @returns how many pages there were */
const pull = (name: string, tokens: VendorTokens, data: PageData): Promise<number> =>
  pullCollection(createFetchJson(oura, connectors.addressOf(oura, SANDBOX), tokens), {
    connector: oura,
    name,
    range: RANGE,
    data,
  })

const idsOf = (records: readonly unknown[] = []): string[] =>
  records.map((record) => (record as { id: string }).id).sort()

test('every record of the emulated vendor is stored once, and nothing else', async () => {
  assert.ok(isOAuthConnector(oura))
  const tokens = await signIn('anna+minute', oura.auth.scopes)
  const truth = emulator.truthOf('oura', 'anna+minute', RANGE)

  const rates = new PageData({ userId: 'u', provider: 'oura' })
  assert.ok((await pull('heartrate', tokens, rates)) > 4, 'there are several pages')
  const sent = (truth.heartrate as { timestamp: string; bpm: number }[]).map(
    ({ timestamp, bpm }) => `${Date.parse(timestamp)} ${bpm}`,
  )
  const stored = rates.samples.map(({ startedAt, value }) => `${startedAt} ${value}`)
  assert.ok(sent.length > 40_000)
  assert.deepEqual([...new Set(stored)].sort(), sent.sort())

  const data = new PageData({ userId: 'u', provider: 'oura' })
  for (const { name } of oura.collections) {
    if (name !== 'heartrate') await pull(name, tokens, data)
  }
  assert.deepEqual(data.quarantined, [])
  const storedIds = (resource: string) =>
    new Set(data.summaries.filter((one) => one.resource === resource).map((one) => one.recordId))
  const days = (truth.daily_activity as { day: string }[]).map(({ day }) => day)
  for (const id of idsOf(truth.sleep)) assert.ok(storedIds('sleep').has(id))
  for (const id of idsOf(truth.workout)) assert.ok(storedIds('workouts').has(id))
  for (const day of days) assert.ok(storedIds('activity').has(day))
  const series = new Set(data.samples.map((sample) => sample.series))
  assert.deepEqual([...series].sort(), [
    'blood_oxygen',
    'body_temperature_delta',
    'hrv',
    'respiratory_rate',
    'stress_level',
    'vo2_max',
  ])
  assert.equal(data.toArrivedData().devices?.length, truth.ring_configuration?.length)
  const nights = data.summaries.filter(({ resource }) => resource === 'sleep')
  assert.ok(nights.some(({ values }) => 'score' in values && Number(values.score) > 0))
})

test('a person is known by the id that messages name', async () => {
  const tokens = await signIn('bob', ['personal'])
  const fetchJson = createFetchJson(oura, connectors.addressOf(oura, SANDBOX), tokens)
  assert.equal(await oura.auth.identify(fetchJson, tokens), emulator.accountIdOf('oura', 'bob'))
  const failure = async (name: string) =>
    pull(name, tokens, new PageData({ userId: 'u', provider: 'oura' })).then(
      () => 'none',
      (error: unknown) => (error instanceof VendorError ? error.failure.kind : error),
    )
  assert.equal(await failure('heartrate'), 'refused')
  await emulator.expire('oura', 'bob')
  assert.equal(await failure('personal_info'), 'unauthorized')
})

test('tokens are refreshed once each, and end when the person ends the access', async () => {
  const tokens = await signIn('carla', ['daily'])
  const address = connectors.addressOf(oura, SANDBOX)
  const next = await refreshTokens(oura, address, APP, tokens, clock.now())
  assert.equal(next.expiresAt, clock.now().getTime() + DAY_MS)
  const ended = { kind: 'ended', errorType: 'token_refresh_failed' }
  const failure = (wanted: VendorTokens) =>
    refreshTokens(oura, address, APP, wanted, clock.now()).then(
      () => undefined,
      (error: unknown) => (error as VendorError).failure,
    )
  assert.deepEqual(await failure(tokens), ended)
  const wrongApp = { ...APP, clientSecret: 'wrong' }
  const error = await refreshTokens(oura, address, wrongApp, next, clock.now()).catch(
    (reason: unknown) => reason,
  )
  assert.equal((error as VendorError).failure.kind, 'unexpected')
  await revokeTokens(oura, address, APP, next)
  assert.deepEqual(await failure(next), ended)
})

test('messages are subscribed to, signed, and say whose data are new', async () => {
  const { push } = oura
  assert.ok(push?.answerHandshake && push.verify && push.subscribe)
  const notices: PushNotice[] = []
  let forged = 0
  const server = createServer(async (request, response) => {
    const url = new URL(request.url ?? '', 'http://x')
    if (request.method === 'GET') {
      const query = Object.fromEntries(url.searchParams)
      const handshake = { method: 'GET', query, headers: {}, body: Buffer.alloc(0) } as const
      response.end(push.answerHandshake?.(handshake, APP)?.body ?? '')
      return
    }
    const body = Buffer.from(await text(request))
    const message = { headers: request.headers as never, body, receivedAt: clock.now() }
    if (!push.verify?.(message, APP)) forged += 1
    notices.push(...push.read(JSON.parse(String(body))))
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await new Promise((resolve) => server.once('listening', resolve))
  try {
    const { port } = server.address() as AddressInfo
    const send = createSend(connectors.addressOf(oura, SANDBOX))
    await push.subscribe(send, APP, `http://127.0.0.1:${port}/one`, clock.now())
    await push.subscribe(send, APP, `http://127.0.0.1:${port}/two`, clock.now())
    await push.subscribe(send, APP, `http://127.0.0.1:${port}/two`, clock.now())
    await signIn('dora', oura.auth.scopes)
    const span = { from: RANGE.to - 2 * DAY_MS, to: RANGE.to }
    assert.ok((await emulator.push('oura', 'dora', span)) > 0)
  } finally {
    server.closeAllConnections()
    server.close()
  }
  assert.equal(forged, 0)
  assert.ok(notices.some(({ collection }) => collection === 'sleep'))
  assert.deepEqual(
    [...new Set(notices.map(({ accountId }) => accountId))],
    [emulator.accountIdOf('oura', 'dora')],
  )
  const names = new Set(oura.collections.map(({ name }) => name))
  assert.ok(notices.every(({ collection }) => collection !== null && names.has(collection)))
})
