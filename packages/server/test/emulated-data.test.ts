import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  type Connector,
  createFetchJson,
  createSend,
  PageData,
  sandboxAppOf,
  type TimeRange,
  type VendorAddress,
  type VendorTokens,
} from '@salus/health/connectors'
import type { ProviderEmulator } from '@salus/sandbox/providers'
import { pullCollection } from './connectors/pull-collection.ts'
import { createHarness } from './harness.ts'
import { useFixture } from './use-fixture.ts'

/**
 * Connectors and emulated vendors were written apart from each other: what one asks the other
 * answers.
 */

const DAYS = 60

const harness = useFixture(createHarness)
let emulator: ProviderEmulator

before(() => {
  emulator = harness.dependencies.emulator as ProviderEmulator
})

function findConnector(slug: string): { connector: Connector; address: VendorAddress } {
  const { connectors } = harness.dependencies
  const connector = connectors.find(slug) as Connector
  return { connector, address: connectors.addressOf(connector, { kind: 'sandbox' }) }
}

const rangeUntilNow = (): TimeRange => {
  const to = harness.clock.now().getTime()
  return { from: to - DAYS * DAY_MS, to }
}

/** All that a connector makes of a collection, asked for in ranges as long as it allows. */
async function pull(
  slug: string,
  name: string,
  tokens: VendorTokens,
  { from, to } = rangeUntilNow(),
): Promise<PageData> {
  const { connector, address } = findConnector(slug)
  const data = new PageData({ userId: '0b0f6ab6-7fd4-4c2c-9a55-6a1dd0b6b3a5', provider: slug })
  const fetchJson = createFetchJson(connector, address, tokens)
  await pullCollection(fetchJson, { connector, name, range: { from, to }, data })
  assert.deepEqual(data.quarantined, [], `${slug} ${name}`)
  return data
}

test('what Oura serves is stored by the connector, and nothing is put into quarantine', async () => {
  const account = 'anna+travel'
  const { connector } = findConnector('oura')
  assert.equal(connector.auth.kind, 'oauth')
  const scopes = connector.auth.kind === 'oauth' ? connector.auth.scopes : []
  const { access_token: accessToken } = await emulator.grant('oura', account, scopes)
  const tokens = { accessToken, refreshToken: null, expiresAt: null }
  const range = rangeUntilNow()
  const truth = emulator.truthOf('oura', account, range)
  const found = new Map<string, PageData>()
  for (const { name } of connector.collections) found.set(name, await pull('oura', name, tokens))

  const beats = (truth.heartrate ?? []) as { timestamp: string; bpm: number }[]
  assert.ok(beats.length > 5000)
  assert.deepEqual(
    found.get('heartrate')?.samples.map(({ startedAt, value }) => [startedAt, value]),
    beats.map(({ timestamp, bpm }) => [Date.parse(timestamp), bpm]),
  )
  const nightsOf = (records: unknown[] = []) =>
    new Set((records as { bedtime_start: string }[]).map((one) => Date.parse(one.bedtime_start)))
  const stored = new Set(
    found
      .get('sleep')
      ?.summaries.filter(({ resource }) => resource === 'sleep')
      .map(({ startedAt }) => startedAt),
  )
  assert.deepEqual(nightsOf(truth.sleep).difference(stored), new Set())
  const workouts = found.get('workout')?.summaries.map(({ startedAt }) => startedAt) ?? []
  const done = (truth.workout ?? []) as { start_datetime: string }[]
  assert.ok(done.length > 0)
  for (const { start_datetime } of done) assert.ok(workouts.includes(Date.parse(start_datetime)))
})

test('what the practice serves is stored by the connector', async () => {
  const { connector, address } = findConnector('freestyle_libre')
  const { auth } = connector
  assert.equal(auth.kind, 'email')
  if (auth.kind !== 'email') return
  const send = createSend(address)
  const invite = (email: string, region = 'gb') =>
    auth.invite(send, { email, region, app: sandboxAppOf(harness.secrets) })
  const refused = await invite('declined@example.com')
  assert.equal(refused.state, 'refused')
  const elsewhere = await invite('elsewhere@example.com')
  assert.deepEqual(elsewhere, { state: 'refused', reason: 'unsupported_region' })
  const email = 'mia@example.com'
  const accepted = await invite(email)
  assert.equal(accepted.state, 'signed_in')
  if (accepted.state !== 'signed_in') return
  const truth = emulator.truthOf('freestyle_libre', email, rangeUntilNow())
  for (const name of ['glucose', 'insulin', 'carbohydrates', 'notes']) {
    const data = await pull('freestyle_libre', name, accepted.tokens)
    assert.equal(data.samples.length, truth[name]?.length, name)
  }
})
