import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import {
  type Connector,
  createConnectors,
  createFetchJson,
  createSend,
  type EmailSignIn,
  PageData,
  type TimeRange,
  VendorError,
  type VendorTokens,
} from '@salus/health/connectors'
import { createOutboundAgent } from '@salus/kernel/outbound/outbound-agent'
import { createMemoryStore, ProviderEmulator } from '@salus/sandbox/providers'
import { TestClock } from '../teams-app.ts'
import { pullCollection } from './pull-collection.ts'

/**
 * Practices as they are emulated, and the connector, which share no code.
 */

const APP = { clientId: 'sandbox', clientSecret: 'sandbox' }
const SANDBOX = { kind: 'sandbox' } as const

const clock = new TestClock()
const agent = createOutboundAgent({ allowPrivate: true })
const emulator = new ProviderEmulator({ clock, store: createMemoryStore() })
const connectors = createConnectors({ agent, sandboxAgent: agent, sandboxUrl: () => emulator.url })
const practice = connectors.find('freestyle_libre') as Connector
const email = practice.auth as EmailSignIn
const RANGE: TimeRange = { from: Date.UTC(2025, 11, 1), to: clock.now().getTime() }

before(() => emulator.listen())
after(async () => {
  await emulator.close()
  await agent.destroy()
})

const addressOf = (connector: Connector) => connectors.addressOf(connector, SANDBOX)
const sendTo = (connector: Connector) => createSend(addressOf(connector))

const kindOf = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => 'none',
    (error: unknown) => (error instanceof VendorError ? error.failure.kind : error),
  )

async function pullAll(connector: Connector, tokens: VendorTokens): Promise<PageData> {
  const data = new PageData({ userId: 'u', provider: connector.slug })
  const fetchJson = createFetchJson(connector, addressOf(connector), tokens)
  for (const { name } of connector.collections) {
    await pullCollection(fetchJson, { connector, name, range: RANGE, data })
  }
  return data
}

/** A person with data of all kinds. */
async function findDiabetic(slug: string): Promise<string> {
  for (let number = 0; number < 20; number += 1) {
    const account = `person${number}@example.com`
    const records = Object.values(emulator.truthOf(slug, account, RANGE)).flat()
    if (records.some((record) => /"(insulin|units)"/.test(JSON.stringify(record)))) return account
  }
  return assert.fail('no person takes insulin')
}

test('each address has its outcome', async () => {
  const invite = (address: string, region = 'gb') =>
    email.invite(sendTo(practice), { email: address, region, app: APP })
  const refused = (reason: string) => ({ state: 'refused', reason })
  assert.deepEqual(await invite('declined@example.com'), refused('wrong_credential'))
  assert.deepEqual(await invite('pending@example.com'), refused('wrong_credential'))
  assert.deepEqual(await invite('unknown@example.com'), refused('wrong_credential'))
  assert.deepEqual(await invite('elsewhere@example.com'), refused('unsupported_region'))
  assert.equal(await kindOf(invite('down@example.com')), 'unavailable')
  for (const region of [...email.regions.us.served, ...email.regions.eu.served]) {
    assert.equal((await invite('anna@example.com', region)).state, 'signed_in', region)
  }
})

test('a practice sees all of a person, until the person takes that back', async () => {
  const account = await findDiabetic('freestyle_libre')
  const wanted = { email: account, region: 'gb', app: APP }
  const outcome = await email.invite(sendTo(practice), wanted)
  assert.ok(outcome.state === 'signed_in')
  assert.equal(outcome.accountId, emulator.accountIdOf('freestyle_libre', account))
  const { samples, quarantined } = await pullAll(practice, outcome.tokens)
  assert.deepEqual(quarantined, [])
  const truth = Object.values(emulator.truthOf('freestyle_libre', account, RANGE)).flat()
  const keys = new Set(samples.map((one) => [one.series, one.startedAt, one.sampleType].join(' ')))
  assert.ok(truth.length > 5000)
  assert.equal(keys.size, truth.length)

  clock.advance(DAY_MS / 1000)
  assert.equal(await kindOf(pullAll(practice, outcome.tokens)), 'unauthorized')
  const renewed = await email.renew(sendTo(practice), outcome.tokens, APP)
  assert.ok((await pullAll(practice, renewed)).samples.length >= samples.length)
  await emulator.revoke('freestyle_libre', account)
  const ended = await pullAll(practice, renewed).catch((error: unknown) => error)
  assert.ok(ended instanceof VendorError)
  assert.deepEqual(ended.failure, { kind: 'ended', errorType: 'deregistered_per_provider' })
})
