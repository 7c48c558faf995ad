import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { type SeriesName, series } from '@salus/contracts/series'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  type CheckedRead,
  createCheckedRead,
} from '../../../../server/test/summaries/checked-read.ts'
import { storeStream, storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { WORKOUT_STREAM_CHANNELS } from '../summary.ts'

const salus = useFixture(createHarness)
let read: CheckedRead
before(async () => {
  read = await createCheckedRead(salus)
})

async function get(path: string) {
  const answer = await read(path)
  assert.equal(answer.status, 200, answer.text)
  return answer.body
}

const streamOf = (workoutId: string) => get(`/v2/timeseries/workouts/${workoutId}/stream`)

describe('the stream of a workout', () => {
  const TIME = [1_770_710_400, 1_770_710_401, 1_770_710_402]

  test('has each channel as long as its time, and lists without items for the others', async () => {
    const userId = await salus.makeUser('manual')
    const workoutId = await storeSummary(salus, userId, 'workouts')
    await storeStream(salus, userId, workoutId, {
      time: TIME,
      lat: [52.5, null, 52.500_001],
      heartrate: [120, 121.6, null],
    })
    const empty = Object.fromEntries(WORKOUT_STREAM_CHANNELS.map((name) => [name, []]))
    assert.deepEqual(await streamOf(workoutId), {
      time: TIME,
      ...empty,
      lat: [52.5, null, 52.500_001],
      heartrate: [120, 122, null],
    })
  })

  test('shows every channel', async () => {
    const userId = await salus.makeUser('manual')
    const workoutId = await storeSummary(salus, userId, 'workouts')
    const channels = WORKOUT_STREAM_CHANNELS.map((name, index) => [name, [index, index + 1, null]])
    const stream = { time: TIME, ...Object.fromEntries(channels) }
    await storeStream(salus, userId, workoutId, stream)
    assert.deepEqual(await streamOf(workoutId.toUpperCase()), stream)
  })

  test('is empty lists when the workout has none, and gone with the workout', async () => {
    const userId = await salus.makeUser('manual')
    const workoutId = await storeSummary(salus, userId, 'workouts')
    const lists = Object.values(await streamOf(workoutId))
    assert.deepEqual(lists, Array(11).fill([]))
    await storeSummary(salus, userId, 'workouts', { id: workoutId, version: 2, is_removed: 1 })
    const { status, body } = await read(`/v2/timeseries/workouts/${workoutId}/stream`)
    assert.deepEqual([status, body.detail], [404, 'Workout not found.'])
  })
})

describe('the stream of a sleep', () => {
  const BEGIN = '2026-02-10T22:00:00Z'
  const NIGHT = { started_at: BEGIN, ended_at: '2026-02-11T06:00:00Z', timezone_offset: 3600 }

  function upload(
    userId: string,
    resource: SeriesName,
    value: number,
    times: string[],
    by = 'manual',
  ) {
    const { unit } = series(resource)
    const data = times.map((start_date) => ({ value, unit, start_date, end_date: start_date }))
    const body = { stage: 'daily', provider: by, data }
    return salus.call('POST', `/v2/timeseries/${userId}/${resource}`, body)
  }

  const streamOfSleep = (id: string) => get(`/v2/timeseries/sleep/${id}/stream`)

  test('has the samples of its provider within it, as the flat read shows them', async () => {
    const userId = await salus.makeUser('manual', 'health_connect')
    const sleepId = await storeSummary(salus, userId, 'sleep', NIGHT)
    const around = ['2026-02-10T21:59:59Z', BEGIN, '2026-02-11T06:00:00Z', '2026-02-11T06:00:01Z']
    const values = { hrv: 40, heartrate: 60, hypnogram: 2, respiratory_rate: 14 }
    const names = Object.keys(values) as (keyof typeof values)[]
    for (const name of names) {
      await upload(userId, name, values[name], around)
      await upload(userId, name, values[name] + 1, [BEGIN], 'health_connect')
    }
    const stream = await streamOfSleep(sleepId)
    assert.deepEqual(Object.keys(stream), names)
    for (const name of names) {
      const range = `start_date=${BEGIN}&end_date=2026-02-11T06:00:00Z&provider=manual`
      const flat = await get(`/v2/timeseries/${userId}/${name}?${range}`)
      assert.equal(flat.length, 2, name)
      assert.deepEqual(stream[name], flat, name)
    }
  })

  test('has the stages of the sleep as a hypnogram without hypnogram samples', async () => {
    const userId = await salus.makeUser('manual')
    const sleepId = await storeSummary(salus, userId, 'sleep', {
      ...NIGHT,
      stage_start_offset_second: [0, 600],
      stage_end_offset_second: [600, 900],
      stage_type: [4, -1],
    })
    const { hypnogram, ...others } = await streamOfSleep(sleepId)
    assert.deepEqual(others, { hrv: [], heartrate: [], respiratory_rate: [] })
    const common = { id: null, timezone_offset: 3600, type: null, unit: 'stage' }
    const [first, second] = ['2026-02-10T22:00:00+00:00', '2026-02-10T22:10:00+00:00']
    const end = '2026-02-10T22:15:00+00:00'
    assert.deepEqual(hypnogram, [
      { ...common, timestamp: first, start: first, end: second, value: 4 },
      { ...common, timestamp: second, start: second, end, value: -1 },
    ])
  })
})

test('a stream is not found by an unknown id, that of another kind, or another team', async () => {
  const userId = await salus.makeUser('manual')
  const workoutId = await storeSummary(salus, userId, 'workouts')
  const sleepId = await storeSummary(salus, userId, 'sleep')
  const stranger = await salus.makeTeam()
  const missing: [url: string, key?: string][] = [
    [`/v2/timeseries/workouts/${newId()}/stream`],
    [`/v2/timeseries/workouts/${sleepId}/stream`],
    [`/v2/timeseries/sleep/${workoutId}/stream`],
    [`/v2/timeseries/workouts/${workoutId}/stream`, stranger.sandboxKey],
    [`/v2/timeseries/sleep/${sleepId}/stream`, stranger.sandboxKey],
  ]
  for (const [url, key] of missing) {
    assert.equal((await read(url, key)).status, 404, url)
  }
  assert.equal((await read('/v2/timeseries/workouts/mine/stream')).status, 422)
  // The words of these addresses are where others have the user.
  assert.equal((await read('/v2/timeseries/workouts/steps/grouped?start_date=2026')).status, 422)
  const samples = await read(`/v2/timeseries/${userId}/steps/grouped?start_date=2026-02-01`)
  assert.equal(samples.status, 200)
  await salus.call('DELETE', `/v2/user/${userId}`)
  assert.equal((await read(`/v2/timeseries/workouts/${workoutId}/stream`)).status, 404)
})

describe('raw reads', () => {
  const RAW = { anything: [1, { 'a "key"': null }], note: 'tab\tand\nnewline' }
  const SOURCE = {
    provider: 'manual',
    external_id: 'record-1',
    raw: RAW,
    created_at: '2026-02-11T06:00:00Z',
    updated_at: '2026-02-12T06:00:00Z',
  }
  const source = {
    name: 'Manual',
    slug: 'manual',
    logo: 'http://salus.example/assets/providers/manual.svg',
  }
  const times = {
    created_at: '2026-02-11T06:00:00+00:00',
    updated_at: '2026-02-12T06:00:00+00:00',
  }
  const EXTRA = {
    activity: {},
    body: { priority: null },
    sleep: { priority: null },
    workouts: {},
  }

  for (const resource of ['activity', 'body', 'sleep', 'workouts'] as const) {
    test(`show each ${resource} as it came`, async () => {
      const userId = await salus.makeUser('manual', 'health_connect')
      const id = await storeSummary(salus, userId, resource, SOURCE)
      const other = { ...SOURCE, raw: null, started_at: '2026-02-11T08:00:00Z' }
      await storeSummary(salus, userId, resource, { ...other, provider: 'health_connect' })
      const url = `/v2/summary/${resource}/${userId}/raw?start_date=2026-02-01`
      const { [resource]: all } = await get(url)
      const { sport, sport_id, ...first } = all[0]
      assert.deepEqual(first, {
        id,
        user_id: userId,
        timestamp: '2026-02-10T08:00:00+00:00',
        data: RAW,
        provider_id: 'record-1',
        source_id: 0,
        priority_id: 0,
        source_device_id: null,
        source,
        ...times,
        ...EXTRA[resource],
      })
      assert.equal(sport?.slug, resource === 'workouts' ? 'other' : undefined)
      assert.equal(sport_id, sport?.id)
      assert.deepEqual(all[1].data, {})
      const slugs = all.map((item: { source: { slug: string } }) => item.source.slug)
      assert.deepEqual(slugs, ['manual', 'health_connect'])
      const { [resource]: one } = await get(`${url}&provider=health_connect`)
      assert.equal(one.length, 1)
      assert.deepEqual((await get(`${url}&end_date=2026-02-09`))[resource], [])
    })
  }

  test('show the profile as it came', async () => {
    const userId = await salus.makeUser('manual')
    const id = await storeSummary(salus, userId, 'profile', SOURCE)
    const { profile } = await get(`/v2/summary/profile/${userId}/raw`)
    const numbers = { source_id: 0, priority_id: 0 }
    assert.deepEqual(profile, { id, user_id: userId, data: RAW, ...numbers, source, ...times })
  })

  test('show the devices of a person, of one provider when asked', async () => {
    const userId = await salus.makeUser('manual', 'health_connect')
    for (const provider of ['manual', 'health_connect']) {
      await salus.call('POST', `/v2/timeseries/${userId}/heartrate`, {
        stage: 'daily',
        provider,
        data: [
          {
            value: 60,
            unit: 'bpm',
            type: 'watch',
            start_date: '2026-02-10T08:00:00Z',
            source_bundle: 'com.example.app',
            metadata: { _DMO: 'Watch7,5', _DMA: 'Apple', _DSV: '11.0', _DID: 'watch-1' },
          },
        ],
      })
    }
    const all = (await get(`/v2/summary/devices/${userId}/raw`)).devices
    assert.equal(all.length, 2)
    const { devices } = await get(`/v2/summary/devices/${userId}/raw?provider=manual`)
    assert.deepEqual(devices, [
      {
        id: devices[0].id,
        user_id: userId,
        data: {
          source_type: 'watch',
          app_id: 'com.example.app',
          device_manufacturer: 'Apple',
          device_model: 'Watch7,5',
          device_version: '11.0',
        },
        provider_id: 'watch-1',
        source_id: 0,
        source,
      },
    ])
    const none = await get(`/v2/summary/devices/${userId}/raw?provider=garmin`)
    assert.deepEqual(none.devices, [])
  })
})
