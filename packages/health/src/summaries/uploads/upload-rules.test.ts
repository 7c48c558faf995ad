import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY_SECONDS } from '@salus/contracts/time-units'
import { createHarness } from '../../../../server/test/harness.ts'
import { storedEvents } from '../../../../server/test/stored-events.ts'
import { IOS_ITEMS } from '../../../../server/test/summaries/upload-items.registry.ts'
import {
  dataOf,
  storedRows,
  uploadSummary,
} from '../../../../server/test/summaries/upload-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { SUMMARY_RESOURCES, type SummaryResource } from '../summary-tables.registry.ts'

const salus = useFixture(createHarness)

/** From March back to the days of the items, in seconds. */
const WEEKS = 18 * DAY_SECONDS

const makeUser = () => salus.makeUser('apple_health_kit')

describe('what cannot be stored', () => {
  test('is quarantined with a reason, and the rest is stored', async () => {
    for (const resource of SUMMARY_RESOURCES) {
      if (resource === 'body' || resource === 'profile') continue
      const userId = await makeUser()
      const { status, body } = await uploadSummary(salus, userId, resource, [
        7,
        {},
        IOS_ITEMS[resource],
      ])
      assert.equal(status, 200)
      assert.ok(body.inserted >= 1, resource)
      assert.equal((await storedRows(salus, userId, resource)).length, 1, resource)
      assert.equal(body.problems[0].reason, 'not_an_object')
      // An activity without a day has nothing to store, and is valid.
      assert.equal(body.put_aside, resource === 'activity' ? 1 : 2, resource)
      const url = `/v2/user/${userId}/put_aside?resource=${resource}`
      const listed = (await salus.call('GET', url)).body.items
      assert.equal(listed.length, body.put_aside)
      assert.ok(listed.some(({ item }: { item: unknown }) => item === 7))
    }
  })

  test('is named by its series when it is a sample of an item', async () => {
    const userId = await makeUser()
    const heart_rate = [{ value: 5000, unit: 'bpm', start_date: '2026-02-10T01:00:00Z' }]
    const { body } = await uploadSummary(salus, userId, 'sleep', [
      { ...IOS_ITEMS.sleep, heart_rate },
    ])
    assert.deepEqual([body.put_aside, body.problems], [1, [{ index: 0, reason: 'out_of_range' }]])
    const { items } = (await salus.call('GET', `/v2/user/${userId}/put_aside`)).body
    assert.deepEqual([items[0].resource, items[0].item], ['heartrate', heart_rate[0]])
    assert.equal((await storedRows(salus, userId, 'sleep')).length, 1)
  })

  test('lies outside the ingestion bounds by its local day', async (t) => {
    // A week after the last day all users are disconnected.
    salus.clock.advance(-WEEKS)
    t.after(() => salus.clock.advance(WEEKS))
    const userId = await makeUser()
    await salus.call('PATCH', `/v2/user/${userId}`, {
      ingestion_start: '2026-02-10',
      ingestion_end: '2026-02-10',
    })
    const upload = async (resource: SummaryResource, item: object, change = {}) =>
      (await uploadSummary(salus, userId, resource, dataOf(resource, item), change)).body
    for (const resource of SUMMARY_RESOURCES.filter((name) => name !== 'menstrual_cycle')) {
      const { out_of_bounds: dropped } = await upload(resource, IOS_ITEMS[resource])
      assert.equal(dropped, 0, resource)
    }
    const cycle = await upload('menstrual_cycle', IOS_ITEMS.menstrual_cycle)
    assert.deepEqual([cycle.inserted, cycle.out_of_bounds], [0, 1])
    const bare = { ...IOS_ITEMS.workouts, heart_rate: [], stream: null, id: 'evening' }
    const evening = { start_date: '2026-02-10T23:30:00Z', end_date: '2026-02-10T23:59:00Z' }
    const berlin = { time_zone: 'Europe/Berlin' }
    const late = await upload('workouts', { ...bare, ...evening }, berlin)
    assert.deepEqual([late.inserted, late.out_of_bounds], [0, 1])
    const night = { start_date: '2026-02-09T22:00:00Z', end_date: '2026-02-10T05:00:00Z' }
    const { inserted } = await upload('sleep', { ...night, id: 'night-0' }, berlin)
    assert.equal(inserted, 1)
    assert.equal((await storedRows(salus, userId, 'workouts')).length, 1)
  })

  test('is a whole upload when the user is not connected, or its envelope is invalid', async () => {
    const userId = await makeUser()
    for (const resource of SUMMARY_RESOURCES) {
      const data = dataOf(resource, IOS_ITEMS[resource])
      const foreign = await uploadSummary(salus, userId, resource, data, {
        provider: 'health_connect',
      })
      assert.deepEqual([foreign.status, foreign.body.detail?.error_type], [400, 'not_connected'])
      for (const change of [{ stage: 'soon' }, { provider: 'oura' }, { data: 5 }]) {
        const { status } = await uploadSummary(salus, userId, resource, data, change)
        assert.equal(status, 422, `${resource} ${JSON.stringify(change)}`)
      }
      const unknown = await uploadSummary(
        salus,
        '00000000-0000-4000-8000-00000000dead',
        resource,
        data,
      )
      assert.equal(unknown.status, 404)
    }
  })
})

const HISTORICAL = { stage: 'historical', start_date: '2026-01-10T00:00:00Z' }

describe('an upload', () => {
  test('of history has one event, after the last chunk, even an empty one', async () => {
    const userId = await makeUser()
    const chunk = { ...HISTORICAL, is_final_chunk: false }
    await uploadSummary(salus, userId, 'sleep', [IOS_ITEMS.sleep], chunk)
    assert.deepEqual(await storedEvents(salus, userId, /\.data\./), [])
    const last = { ...HISTORICAL, end_date: '2026-02-11T00:00:00Z', is_final_chunk: true }
    await uploadSummary(salus, userId, 'sleep', [], last)
    const events = await storedEvents(salus, userId, /\.data\./)
    assert.deepEqual(
      events.map(({ event_type: type }) => type),
      ['historical.data.sleep.created', 'historical.data.sleep_cycle.created'],
    )
    assert.deepEqual(events[1]?.payload.data, events[0]?.payload.data)
    const { start_date, end_date, provider } = events[0]?.payload.data ?? {}
    assert.deepEqual(
      [start_date, end_date, provider],
      ['2026-01-10T00:00:00+00:00', '2026-02-11T00:00:00+00:00', 'apple_health_kit'],
    )
  })

  test('of history that has no dates of its own says what its summaries cover', async () => {
    const userId = await makeUser()
    const pulled = async (resource: SummaryResource, ...items: unknown[]) => {
      await uploadSummary(salus, userId, resource, dataOf(resource, ...items), {
        stage: 'historical',
      })
      const events = await storedEvents(salus, userId, /^historical/)
      const names = events.map(({ event_type: type }) => type.split('.')[2])
      return { names, data: events.at(-1)?.payload.data }
    }
    const workouts = await pulled('workouts', IOS_ITEMS.workouts)
    assert.deepEqual(workouts.names, ['workouts', 'workout_distance', 'workout_swimming_stroke'])
    assert.deepEqual(
      [workouts.data.start_date, workouts.data.end_date],
      ['2026-02-10T08:00:00+00:00', '2026-02-10T08:30:00+00:00'],
    )
    const profile = await pulled('profile', IOS_ITEMS.profile)
    assert.equal(profile.names.at(-1), 'profile')
    assert.ok(profile.data.start_date > '2026')
    const { body } = await salus.call('GET', `/v2/introspect/historical_pull?user_id=${userId}`)
    assert.equal(body.data[0].provider.apple_health_kit.pulled.workouts.status, 'success')
  })

  test('of daily data has events of its summaries and series', async () => {
    const userId = await makeUser()
    await uploadSummary(salus, userId, 'meal', [IOS_ITEMS.meal])
    const events = await storedEvents(salus, userId, /^daily\.data\./)
    assert.deepEqual(events.map(({ event_type: type }) => type).sort(), [
      'daily.data.caffeine.created',
      'daily.data.meal.created',
      'daily.data.water.created',
    ])
  })

  test('names devices, and teaches the zone of the person', async () => {
    const userId = await makeUser()
    await uploadSummary(salus, userId, 'workouts', [IOS_ITEMS.workouts], {
      time_zone: 'Asia/Tokyo',
    })
    const { body } = await salus.call('GET', `/v2/user/${userId}/device`)
    const devices = body.devices ?? body
    assert.deepEqual(
      devices.map((device: { device_model: string }) => device.device_model),
      ['Watch6,1'],
    )
    const user = (await salus.call('GET', `/v2/user/${userId}`)).body
    assert.equal(user.fallback_time_zone.id, 'Asia/Tokyo')
    const [row] = await storedRows(salus, userId, 'workouts')
    assert.deepEqual([row?.time_zone, row?.timezone_offset], ['Asia/Tokyo', 32_400])
  })
})
