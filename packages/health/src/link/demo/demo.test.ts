import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { DAY_MS, DAY_SECONDS } from '@salus/contracts/time-units'
import { newId } from '@salus/kernel/ids'
import { assertRefusal } from '../../../../server/test/assert-refusal.ts'
import { createHarness } from '../../../../server/test/harness.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { until } from '../../../../server/test/webhooks/until.ts'
import { DEMO_PROVIDERS, demoData } from './demo-data.ts'

const harness = useFixture(() => createHarness({ demoUserDays: 7 }))

before(() => harness.startJobs())

const connect = (user_id: string, provider = 'oura', headers = {}) =>
  harness.call('POST', '/v2/link/connect/demo', { user_id, provider }, headers)
const PERIOD = 'start_date=2026-01-01&end_date=2026-04-01'
const read = async (path: string) => (await harness.call('GET', `${path}?${PERIOD}`)).body

async function eventsOf(userId: string): Promise<string[]> {
  const { rows } = await harness.database.pool.query(
    'select event_type from events where user_id = $1 order by event_type',
    [userId],
  )
  return rows.map(({ event_type }) => event_type)
}

/** Waits for the event of the history. */
const historyOf = (userId: string, resource: string) =>
  until('the history is there', async () =>
    (await eventsOf(userId)).includes(`historical.data.${resource}.created`),
  )

/** A user whose device has a sleep and a heart rate of the next day; it is not worn every day. */
async function makeWearer(): Promise<string> {
  const from = harness.clock.now().getTime()
  for (;;) {
    const userId = await harness.makeUser()
    const { sleeps, heartRates } = harness.dependencies.readLife(userId, {
      from,
      to: from + DAY_MS,
    })
    if (sleeps.length > 0 && heartRates.length > 200) return userId
  }
}

describe('a demo connection', () => {
  test('brings thirty days as history, and continues with time', async () => {
    const userId = await makeWearer()
    const { body } = await connect(userId)
    assert.equal(body.success, true, body.detail)
    await historyOf(userId, 'hrv')
    const [connection] = (await harness.call('GET', `/v2/user/providers/${userId}`)).body.providers
    assert.deepEqual([connection.slug, connection.status], ['oura', 'connected'])
    const events = await eventsOf(userId)
    assert.ok(events.includes('provider.connection.created'))
    assert.ok(events.includes('historical.data.sleep.created'))
    assert.deepEqual(
      events.filter((type) => type.startsWith('daily.')),
      [],
    )
    const { sleep } = await read(`/v2/summary/sleep/${userId}`)
    const { activity } = await read(`/v2/summary/activity/${userId}`)
    const now = harness.clock.now().getTime()
    const life = harness.dependencies.readLife(userId, { from: now - 30 * DAY_MS, to: now })
    assert.equal(sleep.length, life.sleeps.length)
    assert.ok(sleep.length > 15 && activity.length >= 30, `${sleep.length} ${activity.length}`)
    for (const { bedtime_start, type, deep, hr_average, average_hrv } of sleep) {
      const isWhole = (deep > 0 || type === 'short_sleep') && hr_average > 30 && average_hrv > 0
      assert.ok(isWhole, bedtime_start)
    }
    const beats = (await read(`/v2/timeseries/${userId}/heartrate/grouped`)).groups.oura[0].data
    assert.equal(beats.length, life.heartRates.length)
    const put = (await harness.call('GET', `/v2/user/${userId}/put_aside`)).body
    assert.deepEqual(put.items ?? put.data ?? [], [])

    harness.clock.advance(DAY_MS / 1000)
    const refreshed = await harness.call('POST', `/v2/user/refresh/${userId}`)
    assert.equal(refreshed.status, 200, refreshed.text)
    assert.deepEqual(refreshed.body.refreshed_sources, ['oura'])
    const later = (await read(`/v2/timeseries/${userId}/heartrate/grouped`)).groups.oura[0].data
    assert.ok(later.length > beats.length + 150)
    assert.ok((await eventsOf(userId)).includes('daily.data.heartrate.created'))
    assert.equal((await read(`/v2/summary/sleep/${userId}`)).sleep.length > sleep.length, true)
  })

  test('is the same for the same user, and asked for in parts', () => {
    const userId = newId()
    const { readLife } = harness.dependencies
    const at = harness.clock.now().getTime()
    const days = (from: number, to: number) => ({
      from: at - from * DAY_MS,
      to: at - to * DAY_MS,
    })
    const owner = { userId, provider: 'fitbit' } as const
    const whole = demoData(owner, readLife(userId, days(4, 0))).toArrivedData()
    const again = demoData(owner, readLife(userId, days(4, 0))).toArrivedData()
    assert.deepEqual(whole, again)
    const parts = [days(4, 1.3), days(1.3, 0)].map((span) =>
      demoData(owner, readLife(userId, span)),
    )
    const keyOf = (sample: { series: string; startedAt: number; value: number }) =>
      `${sample.series} ${sample.startedAt} ${sample.value}`
    const ofParts = new Set(parts.flatMap(({ samples }) => samples.map(keyOf)))
    for (const sample of whole.samples ?? []) assert.ok(ofParts.has(keyOf(sample)), keyOf(sample))
    const other = demoData({ ...owner, userId: newId() }, readLife(newId(), days(4, 0)))
    assert.notDeepEqual(other.samples, whole.samples)
  })

  test('of each of the providers has data that can be stored', () => {
    const { readLife } = harness.dependencies
    const to = harness.clock.now().getTime()
    for (const provider of DEMO_PROVIDERS) {
      const userId = newId()
      const data = demoData({ userId, provider }, readLife(userId, { from: to - 5 * DAY_MS, to }))
      assert.deepEqual(data.quarantined, [])
      assert.ok(data.samples.length > 100, provider)
    }
  })

  test('is not beside real connections, nor they beside it', async () => {
    const real = await harness.makeUser('omron_ble')
    const refused = (await connect(real)).body
    assert.equal(refused.success, false)
    assert.match(refused.detail, /other connections/)
    const demo = await harness.makeUser()
    assert.equal((await connect(demo)).body.success, true)
    assert.equal((await connect(demo)).body.success, false)
    assert.equal((await connect(demo, 'freestyle_libre')).body.success, true)
    const token = await harness.call('POST', '/v2/link/token', { user_id: demo })
    assertRefusal(token, 400, 'demo_user')
    const manual = await harness.call('POST', '/v2/link/provider/manual/omron_ble', {
      user_id: demo,
    })
    assertRefusal(manual, 400, 'demo_user')
    await historyOf(demo, 'glucose')
  })

  test('is for sandboxes and for users of the team', async () => {
    const { productionKey, sandboxKey } = await harness.makeTeam()
    const userId = await harness.makeUser()
    assert.equal((await connect(userId, 'oura', { 'x-service-api-key': sandboxKey })).status, 404)
    const headers = { 'x-service-api-key': productionKey }
    assertRefusal(await connect(userId, 'oura', headers), 403, 'sandbox_only')
    assert.equal((await connect(userId, 'garmin')).status, 422)
  })

  test('ends with its user after the days that the operator set', async () => {
    // A job may still store data of the deleted user.
    harness.errors.allow('(extend-demo,')
    const [older, newer, real] = [
      await harness.makeUser(),
      await harness.makeUser(),
      await harness.makeUser('manual'),
    ]
    await connect(older)
    harness.clock.advance(5 * DAY_SECONDS)
    await connect(newer)
    harness.clock.advance(2 * DAY_SECONDS + 1)
    const { delete_demo_users: deleteDemoUsers } = harness.dependencies.jobs.handlers
    await deleteDemoUsers?.({}, new AbortController().signal, { isLast: true })
    const statuses = [older, newer, real].map(
      async (id) => (await harness.call('GET', `/v2/user/${id}`)).status,
    )
    assert.deepEqual(await Promise.all(statuses), [404, 200, 200])
  })
})
