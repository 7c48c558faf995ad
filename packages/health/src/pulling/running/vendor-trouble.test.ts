import assert from 'node:assert/strict'
import { before, beforeEach, describe, test } from 'node:test'
import { DAY_MS, HOUR_SECONDS, MINUTE_MS } from '@salus/contracts/time-units'
import { createPullingFixture, PROVIDER } from '../../../../server/test/pulling/pulling-fixture.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { pauseConnections } from '../../connections/index.ts'
import { requestRangeAgain } from '../coverage-map.ts'
import { putPullPreferences, stopPulling } from '../index.ts'

const pulling = useFixture(createPullingFixture)
before(() =>
  putPullPreferences(pulling.scope, { provider: PROVIDER, days: 3, resourceOverrides: {} }),
)
beforeEach(async () => {
  // Users of other tests are not pulled.
  await pulling.harness.database.pool.query('update pull_tasks set due_at = null')
  const { vendor } = pulling
  Object.assign(vendor, {
    mood: 'well',
    isRevoked: false,
    asked: [],
    repeatsPages: false,
    breaksEach: 0,
  })
})

const now = () => pulling.harness.clock.now().getTime()
const minutesSince = (days: number, until = now()) =>
  Math.ceil((until - (Math.floor(until / DAY_MS) - days) * DAY_MS) / MINUTE_MS)
const eventsOf = async (userId: string, pattern: RegExp) =>
  (await storedEvents(pulling.harness, userId, pattern)).map(({ event_type: type }) => type)
const connectionOf = async (userId: string) =>
  (await pulling.harness.call('GET', `/v2/user/providers/${userId}`)).body.providers[0]
const statusOf = async (userId: string) => {
  const { status, error_details } = (await pulling.historyOf(userId)).pulled.heartrate
  return [status, error_details]
}
/** Lets time pass in steps, and does what is due in each. */
async function pass(seconds: number, step = 300) {
  for (let passed = 0; passed < seconds; passed += step) {
    pulling.harness.clock.advance(step)
    await pulling.puller.poll()
  }
}
const held = async (userId: string, minutes: number) =>
  assert.deepEqual(await pulling.countSamples(userId, 'heartrate'), {
    rows: minutes,
    instants: minutes,
  })

describe('a vendor', () => {
  test('that is down for an hour delays the history, and nothing is lost', async () => {
    pulling.vendor.mood = 'down'
    const userId = await pulling.connect()
    const from = minutesSince(3)
    await pulling.puller.poll()
    assert.deepEqual(await statusOf(userId), ['retrying', 'provider_unavailable'])
    await pass(HOUR_SECONDS)
    assert.equal((await connectionOf(userId)).status, 'connected')
    assert.deepEqual(await statusOf(userId), ['retrying', 'provider_unavailable'])
    pulling.vendor.mood = 'well'
    await pass(2 * HOUR_SECONDS)
    assert.deepEqual(await statusOf(userId), ['success', null])
    const { instants } = await pulling.countSamples(userId, 'heartrate')
    assert.ok(instants >= from + 170, String(instants))
    assert.equal((await eventsOf(userId, /^historical.*heartrate/)).length, 1)
  })

  test('that limits is left alone by everybody until it said, and then goes on', async () => {
    Object.assign(pulling.vendor, { mood: 'limits', retryAfter: 600 })
    const userId = await pulling.connect()
    await pulling.puller.poll()
    assert.deepEqual(await statusOf(userId), ['retrying', 'provider_rate_limit_exceeded'])
    pulling.vendor.mood = 'well'
    const asked = pulling.vendor.requestCount
    await pass(500, 100)
    assert.equal(pulling.vendor.requestCount, asked)
    await pass(400, 100)
    assert.deepEqual(await statusOf(userId), ['success', null])
    const { heart } = await pulling.tasksOf(userId)
    assert.ok(heart?.coverage.every(({ attempts }) => attempts === undefined))
  })

  test('that refuses a collection makes its history a failure at once, and is retried another day', async () => {
    pulling.vendor.mood = 'refuses'
    const userId = await pulling.connect()
    await pulling.puller.poll()
    assert.deepEqual(await statusOf(userId), ['failure', 'non_retriable_error'])
    assert.equal((await eventsOf(userId, /^historical/)).length, 0)
    await pass(20 * 60)
    const asked = pulling.vendor.requestCount
    await pass(2 * HOUR_SECONDS, 600)
    assert.equal(pulling.vendor.requestCount, asked)
    pulling.vendor.mood = 'well'
    await pulling.plan(userId)
    await pulling.puller.poll()
    assert.deepEqual(await statusOf(userId), ['success', null])
  })

  test('that talks nonsense, or is down for days, exhausts the attempts; polls go on', async () => {
    pulling.vendor.mood = 'talks nonsense'
    const puzzled = await pulling.connect()
    await pass(2 * HOUR_SECONDS, 600)
    assert.deepEqual(await statusOf(puzzled), ['failure', 'unexpected_error'])
    pulling.vendor.mood = 'down'
    const alone = await pulling.connect()
    await pass(5 * 24 * HOUR_SECONDS, HOUR_SECONDS)
    assert.deepEqual(await statusOf(alone), ['failure', 'retry_quota_exhausted'])
    pulling.vendor.mood = 'well'
    await pass(8 * HOUR_SECONDS, HOUR_SECONDS)
    const { heart } = await pulling.tasksOf(alone)
    assert.equal(heart?.failures, 0)
    const { body } = await pulling.harness.call('GET', `/v2/introspect/resources?user_id=${alone}`)
    assert.equal(body.data[0].provider.oura.heartrate.last_attempt.status, 'success')
    // What was missed meanwhile is held, and only the history is not.
    const states = heart?.coverage.map(({ state }) => state)
    assert.deepEqual(states, ['unavailable', 'held'])
  })

  test('that breaks each second answer delays its history, and leaves nothing as failed', async () => {
    const preferences = { provider: PROVIDER, resourceOverrides: {} }
    await putPullPreferences(pulling.scope, { ...preferences, days: 40 })
    Object.assign(pulling.vendor, { breaksEach: 2, counts: new Map() })
    const userId = await pulling.connect()
    const minutes = minutesSince(40)
    // Of the nine pages each attempt brings one.
    await pass(2 * HOUR_SECONDS)
    await putPullPreferences(pulling.scope, { ...preferences, days: 3 })
    assert.deepEqual(await statusOf(userId), ['success', null])
    assert.equal((await eventsOf(userId, /^historical.*heartrate/)).length, 1)
    const { instants } = await pulling.countSamples(userId, 'heartrate')
    assert.ok(instants >= minutes, `${instants} of ${minutes}`)
    // Whatever the outcome of the last poll, its next attempt is answered.
    pulling.vendor.breaksEach = 0
    await pass(30 * 60)
    const { body } = await pulling.harness.call('GET', `/v2/introspect/resources?user_id=${userId}`)
    for (const resource of ['heartrate', 'weight']) {
      assert.equal(body.data[0].provider.oura[resource].last_attempt.status, 'success', resource)
    }
  })

  test('that fails for hours, and then provides the data of its message, is no longer a failure', async () => {
    pulling.vendor.mood = 'talks nonsense'
    const userId = await pulling.connect()
    await pass(2 * HOUR_SECONDS, 600)
    assert.deepEqual(await statusOf(userId), ['failure', 'unexpected_error'])
    pulling.vendor.mood = 'well'
    // As with a vendor's message about some of it, and then about all.
    const { heart } = await pulling.tasksOf(userId)
    const from = heart?.coverage[0]?.from ?? 0
    const askFor = async (range: { from: number; to: number }) => {
      const coverage = (await pulling.tasksOf(userId)).heart?.coverage ?? []
      await pulling.harness.database.db
        .updateTable('pull_tasks')
        .set({
          coverage: JSON.stringify(requestRangeAgain(coverage, range)) as never,
          kind: 'backfill',
          due_at: new Date(now()),
        })
        .where('user_id', '=', userId)
        .where('collection', '=', 'heart')
        .execute()
      await pass(1200, 600)
    }
    await askFor({ from: from + DAY_MS, to: now() })
    assert.deepEqual(await statusOf(userId), ['failure', 'unexpected_error'])
    assert.equal((await eventsOf(userId, /^historical.*heartrate/)).length, 0)
    await askFor({ from, to: now() })
    assert.deepEqual(await statusOf(userId), ['success', null])
    assert.equal((await eventsOf(userId, /^historical.*heartrate/)).length, 1)
  })

  test('that sends pages twice has each record stored once', async () => {
    pulling.vendor.repeatsPages = true
    const userId = await pulling.connect()
    const minutes = minutesSince(3)
    await pulling.puller.poll()
    await held(userId, minutes)
  })
})

describe('a connection', () => {
  test('that the user revoked there ends with the reason, once, and is not pulled again', async () => {
    const userId = await pulling.connect({ accountId: 'revoking' })
    await pulling.puller.poll()
    pulling.vendor.isRevoked = true
    await pass(20 * 60)
    const connection = await connectionOf(userId)
    assert.equal(connection.status, 'error')
    assert.equal(connection.error_details.error_type, 'token_refresh_failed')
    assert.equal((await eventsOf(userId, /connection\.error/)).length, 1)
    const asked = pulling.vendor.requestCount
    await pass(HOUR_SECONDS)
    assert.equal(pulling.vendor.requestCount, asked)
    pulling.vendor.isRevoked = false
    const before = now()
    pulling.vendor.asked = []
    await pulling.connectUser(userId, { accountId: 'revoking' })
    await pulling.puller.poll()
    assert.equal((await connectionOf(userId)).status, 'connected')
    // Only what was missed.
    const heart = pulling.vendor.asked.filter(({ collection }) => collection === 'heart')
    const ranges = heart.map(({ range }) => (before - range.from) / MINUTE_MS)
    assert.ok(
      ranges.every((minutes) => minutes <= 4 * 60),
      ranges.join(),
    )
    assert.deepEqual(await statusOf(userId), ['success', null])
  })

  test('that is paused in the middle goes on from what is held', async () => {
    const userId = await pulling.connect({ accountId: 'pausing' })
    const [start, minutes] = [now(), minutesSince(3)]
    await pulling.puller.poll()
    await pulling.scope.transaction(async (tx) => {
      await pauseConnections(tx, [userId], PROVIDER)
      await stopPulling(tx, { userId, provider: PROVIDER })
    })
    pulling.vendor.asked = []
    await pass(5 * HOUR_SECONDS, HOUR_SECONDS)
    assert.equal(pulling.vendor.asked.length, 0)
    await held(userId, minutes)
    await pulling.connectUser(userId, { accountId: 'pausing' })
    await pulling.puller.poll()
    const heart = pulling.vendor.asked.filter(({ collection }) => collection === 'heart')
    assert.deepEqual(
      heart.map(({ range }) => [range.from, range.to]),
      // A device may have synchronized earlier data later.
      [[start - 2 * HOUR_SECONDS * 1000, now()]],
    )
    await held(userId, minutes + 5 * 60)
  })

  test('that was only paused in its row is parked when its turn comes', async () => {
    const userId = await pulling.connect()
    await pulling.puller.poll()
    await pulling.scope.transaction((tx) => pauseConnections(tx, [userId], PROVIDER))
    pulling.vendor.asked = []
    await pass(1200)
    assert.equal(pulling.vendor.asked.length, 0)
    const { heart } = await pulling.tasksOf(userId)
    assert.deepEqual([heart?.due_at, heart?.lease], [null, null])
  })

  test('to another account of the vendor begins anew', async () => {
    const userId = await pulling.connect({ accountId: 'first' })
    await pulling.puller.poll()
    pulling.vendor.asked = []
    await pulling.connectUser(userId, { accountId: 'second' })
    await pulling.puller.poll()
    const oldest = Math.min(...pulling.vendor.asked.map(({ range }) => range.from))
    assert.equal(oldest, (Math.floor(now() / DAY_MS) - 3) * DAY_MS)
  })
})
