import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { afterEach, before, describe, test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { sandboxAppOf } from '@salus/health/connectors'
import { storedEvents } from '../stored-events.ts'
import { useFixture } from '../use-fixture.ts'
import { open, signInAtVendor } from './browser.ts'
import { createLinking } from './linking-fixture.ts'
import { assertComplete, assertSameRecords, expectedRecords, readRecords } from './oura-records.ts'
import { type VendorTraffic, watchVendor } from './vendor-traffic.ts'

const DAYS = 10

const linking = useFixture(createLinking)
let traffic: VendorTraffic
before(async () => {
  traffic = watchVendor(linking.emulator)
  await linking.wantDays(DAYS)
})
// No user is polled during the tests of others.
afterEach(() => linking.pauseAll())

let nextAccount = 0
const newAccount = (traits = ''): string => {
  nextAccount += 1
  return `person-${nextAccount}${traits}@example.com`
}
const historyStart = (): number => Math.floor(linking.now() / DAY_MS) * DAY_MS - DAYS * DAY_MS

/** A user whose history is there. */
async function connected(account = newAccount()) {
  const from = historyStart()
  const { userId } = await linking.connect({ account })
  await linking.waitForHistory(userId)
  return { account, userId, from }
}

async function countEvents(userId: string, pattern: RegExp): Promise<number> {
  return (await storedEvents(linking.harness, userId, pattern)).length
}

/** Fails when an event came twice that has to come once. */
async function assertToldOnce(userId: string): Promise<void> {
  const historical = await storedEvents(linking.harness, userId, /^historical/)
  const types = historical.map(({ event_type: type }) => type)
  assert.equal(new Set(types).size, types.length, types.join())
}

describe('tokens', () => {
  test('an expired token is renewed once, whoever needs it, in two pullers', async () => {
    const { account, userId, from } = await connected()
    const second = linking.harness.startPuller({ pollMs: 3_600_000 })
    await linking.emulator.expire('oura', account)
    linking.harness.clock.advance(1000)
    traffic.clear()
    // All collections are due, and eight callers ask for them besides.
    const refreshes = Array.from({ length: 8 }, () =>
      linking.call('POST', `/v2/user/refresh/${userId}?timeout=10`),
    )
    await Promise.all([linking.puller.poll(), second.poll()])
    for (const { status, text } of await Promise.all(refreshes)) assert.equal(status, 200, text)
    assert.equal(traffic.count('POST', '/api/oauth/token'), 1)
    await second.stop()
    await assertComplete(linking, userId, account, from)
  })
})

describe('a grant that was revoked at the vendor', () => {
  test('ends the connection once; no more requests are sent; a new sign-in continues where it ended', async () => {
    const { account, userId, from } = await connected()
    await linking.emulator.revoke('oura', account)
    await linking.advance(20)
    const connection = await linking.connectionOf(userId)
    assert.equal(connection?.status, 'error')
    assert.equal(await countEvents(userId, /^provider\.connection\.error$/), 1)
    traffic.clear()
    await linking.advance(24 * 60)
    assert.deepEqual(traffic.requestsOf(account), [])
    assert.equal(await countEvents(userId, /^provider\.connection\.error$/), 1)

    traffic.clear()
    await linking.connect({ account }, { user_id: userId })
    await linking.settle()
    assert.equal((await linking.connectionOf(userId))?.status, 'connected')
    // What is held is not asked for again: every request is about the last days.
    const oldest = linking.now() - 7 * DAY_MS
    for (const { query, path } of traffic.requestsOf(account)) {
      const start = query.get('start_date') ?? query.get('start_datetime')
      if (start !== null) assert.ok(Date.parse(start) >= oldest, `${path} from ${start}`)
    }
    await assertComplete(linking, userId, account, from)
    assert.equal(await countEvents(userId, /^provider\.connection\.created$/), 2)
    await linking.advance(20)
    await assertComplete(linking, userId, account, from)
  })
})

describe('a vendor in trouble', () => {
  test('that is down for an hour gets ever fewer requests, and in the end all is there and sent once', async () => {
    const account = newAccount()
    const from = historyStart()
    const until = linking.now() + 3_600_000
    // The vendor identifies the user at the sign-in, before it goes down.
    const { userId } = await linking.connect({ account })
    await linking.emulator.setFaults('oura', account, [{ kind: 'unavailable', until }])
    traffic.clear()
    for (let minute = 0; minute < 60; minute += 5) await linking.advance(5)
    const asked = traffic.requestsOf(account).length
    assert.ok(asked > 0 && asked < 150, `${asked} requests`)
    const history = await linking.historyOf(userId)
    assert.ok(
      Object.values(history).some(({ error_details: why }) => why === 'provider_unavailable'),
    )
    assert.equal((await linking.connectionOf(userId))?.status, 'connected')
    for (let hour = 0; hour < 3; hour++) await linking.advance(45)
    await linking.waitForHistory(userId)
    await assertComplete(linking, userId, account, from)
    await assertToldOnce(userId)
  })

  test('that limits is left alone by everybody for as long as it says', async () => {
    const one = await connected()
    const other = await connected()
    linking.harness.clock.advance(1200)
    await linking.emulator.setFaults('oura', one.account, [
      { kind: 'rate_limit', milliseconds: 600_000, times: 1 },
    ])
    traffic.clear()
    await linking.settle()
    const limited = traffic.requests.findIndex(({ status }) => status === 429)
    assert.ok(limited >= 0)
    // What was under way already may still come.
    traffic.clear()
    await linking.advance(9)
    assert.deepEqual(traffic.requestsOf(one.account), [])
    assert.deepEqual(traffic.requestsOf(other.account), [])
    await linking.advance(30)
    assert.ok(traffic.requestsOf(one.account).length > 0)
    assert.ok(traffic.requestsOf(other.account).length > 0)
    await assertComplete(linking, one.userId, one.account, one.from)
    await assertComplete(linking, other.userId, other.account, other.from)
  })

  test('that sends pages twice, and half an answer, changes nothing', async () => {
    const account = newAccount()
    const from = historyStart()
    await linking.emulator.setFaults('oura', account, [{ kind: 'duplicate_pages' }])
    const { userId } = await linking.connect({ account })
    await linking.emulator.setFaults('oura', account, [
      { kind: 'duplicate_pages' },
      { kind: 'malformed', times: 1, collection: 'heartrate' },
      { kind: 'malformed', times: 1, collection: 'sleep' },
    ])
    for (let step = 0; step < 4; step++) await linking.advance(5)
    await linking.waitForHistory(userId)
    await assertComplete(linking, userId, account, from)
    await assertToldOnce(userId)
  })
})

describe('messages of the vendor', () => {
  test('twice, in the wrong order, and of no user do no harm; each leads to a pull of what is new', async () => {
    const { account, userId, from } = await connected(newAccount('+live'))
    await linking.emulator.setFaults('oura', account, [
      { kind: 'push_twice' },
      { kind: 'push_shuffled' },
    ])
    const since = linking.now()
    linking.harness.clock.advance(14 * 60)
    traffic.clear()
    const taken = await linking.emulator.push('oura', account, { from: since, to: linking.now() })
    assert.ok(taken > 0, 'the vendor has our address')
    await linking.settle()
    assert.ok(traffic.requestsOf(account).length > 0)
    const stored = await readRecords(linking, userId, from)
    // The vendor pushes no heart rates; polls bring them.
    const { heartrate: _polled, ...reported } = expectedRecords(linking, account, from)
    assertSameRecords(stored, reported)
    await linking.advance(20)
    await assertComplete(linking, userId, account, from)
  })

  test('with a wrong signature, or none, are refused and lead to nothing', async () => {
    const { account } = await connected()
    traffic.clear()
    const body = JSON.stringify({
      event_type: 'update',
      data_type: 'daily_activity',
      object_id: 'x',
      event_time: new Date(linking.now()).toISOString(),
      user_id: linking.emulator.accountIdOf('oura', account),
    })
    const timestamp = String(Math.floor(linking.now() / 1000))
    const sign = (secret: string, text: string) =>
      createHmac('sha256', secret).update(text).digest('hex').toUpperCase()
    const send = (signature: string | undefined, time = timestamp) =>
      linking.call('POST', '/v2/provider/oura/push', body, {
        'content-type': 'application/json',
        'x-oura-timestamp': time,
        ...(signature !== undefined && { 'x-oura-signature': signature }),
      })
    const { clientSecret } = sandboxAppOf(linking.harness.secrets)
    for (const signature of [
      undefined,
      '',
      'A'.repeat(64),
      sign('another', timestamp + body),
      sign('sandbox', timestamp + body),
      sign(clientSecret, `${timestamp}1${body}`),
      sign(clientSecret, body),
    ]) {
      const { status, body: answer } = await send(signature)
      assert.equal(status, 401)
      assert.equal(answer.detail.error_type, 'invalid_signature')
    }
    await linking.settle()
    assert.deepEqual(traffic.requestsOf(account), [])
    // Signed as it should be, but long ago, or in the future.
    for (const seconds of [-601, 601]) {
      const other = String(Number(timestamp) + seconds)
      const { status } = await send(sign(clientSecret, other + body), other)
      assert.equal(status, 401)
    }
    // The same text, signed as it should be.
    assert.equal((await send(sign(clientSecret, timestamp + body))).status, 200)
    await linking.settle()
    assert.ok(traffic.requestsOf(account).length > 0)
  })
})

test('days and offsets are those of the vendor, also on a journey', async (t) => {
  await linking.wantDays(70)
  const from = Math.floor(linking.now() / DAY_MS) * DAY_MS - 70 * DAY_MS
  const account = newAccount('+travel')
  const { userId } = await linking.connect({ account })
  await linking.waitForHistory(userId)
  await linking.wantDays(DAYS)
  const records = await readRecords(linking, userId, from)
  const offsets = (name: string, part: number) =>
    new Set((records[name] ?? []).map((line) => line.split(' | ')[part]))
  const found = [offsets('sleep', 3), offsets('activity', 1)]
  for (const some of found) assert.ok(some.size > 1, `several offsets: ${[...some]}`)
  t.diagnostic(`offsets ${[...(found[0] ?? [])].join()}`)
  await assertComplete(linking, userId, account, from)
  // One activity a local day, and one night.
  const days = (records.activity ?? []).map((line) => line.split(' | ')[0])
  assert.equal(new Set(days).size, days.length)
})

test('paused in the middle of its history a connection is left alone, and goes on when it is signed in anew', async () => {
  const account = newAccount()
  const from = historyStart()
  const { token, userId } = await linking.issue()
  const back = await signInAtVendor(await linking.startOAuth(token), { account })
  await open(back)
  // The vendor is slow to begin with: the first windows come, the others wait.
  await linking.emulator.setFaults('oura', account, [{ kind: 'unavailable', collection: 'sleep' }])
  await linking.settle()
  const paused = await linking.call('POST', '/v2/link/bulk_pause', {
    user_ids: [userId],
    provider: 'oura',
  })
  assert.equal(paused.status, 200, paused.text)
  await linking.emulator.setFaults('oura', account, [])
  assert.equal((await linking.connectionOf(userId))?.status, 'paused')
  traffic.clear()
  await linking.advance(26 * 60)
  assert.deepEqual(traffic.requestsOf(account), [])
  assert.notEqual((await linking.historyOf(userId)).sleep?.status, 'success')
  await linking.connect({ account }, { user_id: userId })
  await linking.waitForHistory(userId)
  await linking.advance(16)
  await assertComplete(linking, userId, account, from)
  // A sign-in begins a run of its own; one that was not over has one event.
  assert.equal(await countEvents(userId, /^historical\.data\.sleep\./), 1)
  assert.equal(await countEvents(userId, /^historical\.data\.activity\./), 2)
})

test('of twenty people whose tokens end at once each is renewed once', async () => {
  const PEOPLE = 20
  await linking.wantDays(1)
  const scopes = ['daily', 'heartrate']
  const connections = []
  for (let index = 0; index < PEOPLE; index++) {
    const account = newAccount()
    const tokens = await linking.emulator.grant('oura', account, scopes)
    connections.push({
      user_id: await linking.makeUser(),
      access_token: tokens.access_token,
      refresh_token: tokens.refresh_token,
      provider_id: linking.emulator.accountIdOf('oura', account),
      expires_at: Math.floor(linking.now() / 1000) + tokens.expires_in,
      oauth_scopes: scopes,
    })
  }
  const body = { provider: 'oura', connections, wait_for_completion: true }
  const imported = await linking.call('POST', '/v2/link/bulk_import', body)
  assert.equal(imported.status, 200, imported.text)
  const people: string[] = imported.body.user_ids_imported
  assert.equal(people.length, PEOPLE)
  for (const userId of people) await linking.waitForHistory(userId)
  await linking.wantDays(DAYS)
  // Tokens last a day.
  linking.harness.clock.advance(86_400 + 60)
  traffic.clear()
  await linking.settle()
  const renewed = traffic.count('POST', '/api/oauth/token')
  const grants = new Set(traffic.forms('/api/oauth/token').map((form) => form.get('refresh_token')))
  assert.equal(grants.size, renewed, 'no refresh token is used twice')
  assert.ok(renewed >= PEOPLE)
  for (const userId of people) {
    assert.equal((await linking.connectionOf(userId))?.status, 'connected')
  }
})
