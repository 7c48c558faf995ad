import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { newId } from '@salus/kernel/ids'
import { createHarness } from '../../../../server/test/harness.ts'
import {
  type CheckedRead,
  createCheckedRead,
} from '../../../../server/test/summaries/checked-read.ts'
import {
  EVERY_FIELD,
  RESOURCE_KEYS,
  SOURCE_FIELDS,
} from '../../../../server/test/summaries/every-field.registry.ts'
import { type StoredFields, storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { SUMMARY_RESOURCES, SUMMARY_TABLES } from '../summary-tables.registry.ts'

const salus = useFixture(createHarness)
let readUrl: CheckedRead
before(async () => {
  readUrl = await createCheckedRead(salus)
})

const FEBRUARY = 'start_date=2026-02-01&end_date=2026-02-28'

async function read(userId: string, resource: string, query = FEBRUARY) {
  const answer = await readUrl(`/v2/summary/${resource}/${userId}?${query}`)
  assert.equal(answer.status, 200, answer.text)
  return answer.body[RESOURCE_KEYS[resource] ?? resource] ?? answer.body
}

const onlyOf = (answer: object | object[]): Record<string, unknown> =>
  (Array.isArray(answer) ? answer[0] : answer) as Record<string, unknown>

describe('a summary shows', () => {
  for (const [name, { resource, fields, expected, ids }] of Object.entries(EVERY_FIELD)) {
    test(`every field of ${name} in its unit`, async () => {
      const userId = await salus.makeUser('manual')
      const id = await storeSummary(salus, userId, resource, { ...SOURCE_FIELDS, ...fields })
      const found = onlyOf(await read(userId, name))
      assert.deepEqual(found, {
        ...ids?.(id),
        ...(ids === undefined && { id }),
        user_id: userId,
        ...expected(id),
      })
    })
  }

  test('the local time of both ends of a night in which the clock is changed', async () => {
    const userId = await salus.makeUser('manual')
    // In Berlin two o'clock is three on 29 March.
    const night = {
      started_at: '2026-03-28T22:00:00Z',
      ended_at: '2026-03-29T05:00:00Z',
      timezone_offset: 7200,
    }
    const nights = [{ ...night, time_zone: 'Europe/Berlin' }, night]
    nights.push({ ...night, timezone_offset: -25_200 })
    const ids: string[] = []
    for (const fields of nights) ids.push(await storeSummary(salus, userId, 'sleep', fields))
    const offsets = async () => {
      const rows = await read(userId, 'sleep', 'start_date=2026-03-28&end_date=2026-03-29')
      const byId = new Map(
        rows.map((row: Record<string, unknown>) => [
          row.id,
          [row.bedtime_start_offset, row.timezone_offset],
        ]),
      )
      return ids.map((id) => byId.get(id))
    }
    const abroad = [-25_200, -25_200]
    assert.deepEqual(await offsets(), [[3600, 7200], [7200, 7200], abroad])
    await salus.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'Europe/Berlin' })
    assert.deepEqual(await offsets(), [[3600, 7200], [3600, 7200], abroad])
  })

  test('the fields of every column that a resource has', () => {
    for (const resource of SUMMARY_RESOURCES) {
      const known = Object.keys(EVERY_FIELD[resource]?.fields ?? {})
      const columns = Object.keys(SUMMARY_TABLES[resource].columns)
      assert.deepEqual(
        columns.filter((column) => !known.includes(column)),
        [],
        resource,
      )
    }
  })

  for (const resource of SUMMARY_RESOURCES) {
    test(`every key of ${resource} with null or [] when nothing is known`, async () => {
      const userId = await salus.makeUser('manual')
      const known = resource === 'menstrual_cycle' ? { period_start: '2026-02-10' } : {}
      await storeSummary(salus, userId, resource, known as StoredFields<typeof resource>)
      const found = onlyOf(await read(userId, resource))
      const full = EVERY_FIELD[resource]
      const expected = { id: '', user_id: '', ...full?.expected('') }
      assert.deepEqual(Object.keys(found).sort(), Object.keys(expected).sort())
    })
  }

  test('no sleep cycle of a sleep without stages, and the numbers of a sleep all the same', async () => {
    const userId = await salus.makeUser('manual')
    const night = {
      started_at: '2026-02-10T00:00:00Z',
      ended_at: '2026-02-10T02:59:59Z',
      stage_awake_second: 99,
    }
    await storeSummary(salus, userId, 'sleep', night)
    const sleep = onlyOf(await read(userId, 'sleep'))
    assert.equal(sleep.duration, 10_799)
    assert.equal(sleep.total, 10_700)
    assert.equal(sleep.awake, 99)
    assert.deepEqual([sleep.light, sleep.rem, sleep.deep], [0, 0, 0])
    assert.equal(sleep.type, 'short_sleep')
    assert.equal(sleep.efficiency, (100 * 10_700) / 10_799)
    assert.deepEqual(await read(userId, 'sleep_cycle'), [])
  })

  test('a sleep of three hours as long, and its stages as its total', async () => {
    const userId = await salus.makeUser('manual')
    const night = { started_at: '2026-02-10T00:00:00Z', ended_at: '2026-02-10T03:00:00Z' }
    const stages = { stage_rem_second: 100, stage_light_second: 200, stage_deep_second: 300 }
    await storeSummary(salus, userId, 'sleep', { ...night, ...stages })
    const sleep = onlyOf(await read(userId, 'sleep'))
    assert.equal(sleep.type, 'long_sleep')
    assert.equal(sleep.total, 600)
  })

  test('zones of a workout only when all six are known, and wheelchair_use never as false', async () => {
    const userId = await salus.makeUser('manual')
    await storeSummary(salus, userId, 'workouts', { heart_rate_zone_1: 60, heart_rate_zone_2: 5 })
    await storeSummary(salus, userId, 'activity', { wheelchair_use: false })
    await storeSummary(salus, userId, 'profile', { wheelchair_use: false })
    assert.equal(onlyOf(await read(userId, 'workouts')).hr_zones, null)
    assert.equal(onlyOf(await read(userId, 'activity')).wheelchair_use, null)
    assert.equal(onlyOf(await read(userId, 'profile')).wheelchair_use, null)
  })

  test('the average of watts as that of the device only when a device measured them', async () => {
    const userId = await salus.makeUser('manual')
    await storeSummary(salus, userId, 'workouts', { power_source: 'estimate', power_mean: 200 })
    const { average_watts, device_watts } = onlyOf(await read(userId, 'workouts'))
    assert.deepEqual([average_watts, device_watts], [200, null])
  })

  test('its device only when the person has one of that provider', async () => {
    const userId = await salus.makeUser('manual')
    const upload = (model: string) =>
      salus.call('POST', `/v2/timeseries/${userId}/heartrate`, {
        stage: 'daily',
        provider: 'manual',
        data: [
          { value: 60, unit: 'bpm', start_date: '2026-02-10T08:00:00Z', metadata: { _DMO: model } },
        ],
      })
    await storeSummary(salus, userId, 'electrocardiogram')
    await upload('Watch7,5')
    const [device] = (await readUrl(`/v2/user/${userId}/device`)).body
    const one = onlyOf(await read(userId, 'electrocardiogram'))
    assert.equal(one.source_device_id, device.id)
    assert.equal((one.source as { device_id: string }).device_id, device.id)
    await upload('Watch8,1')
    assert.equal(onlyOf(await read(userId, 'electrocardiogram')).source_device_id, null)
  })

  test('what came last, and nothing once it was removed', async () => {
    const userId = await salus.makeUser('manual')
    const id = await storeSummary(salus, userId, 'body', { weight_kilogram: 70, version: 1 })
    await storeSummary(salus, userId, 'body', { id, weight_kilogram: 71, version: 3 })
    await storeSummary(salus, userId, 'body', { id, weight_kilogram: 99, version: 2 })
    const found = await read(userId, 'body')
    assert.deepEqual(
      found.map((body: { weight: number }) => body.weight),
      [71],
    )
    // An older version that would match must not come back when the newest does not.
    const moved = { id, weight_kilogram: 72, started_at: '2026-03-01T08:00:00Z', version: 4 }
    await storeSummary(salus, userId, 'body', moved)
    assert.deepEqual(await read(userId, 'body'), [])
    const march = 'start_date=2026-03-01&end_date=2026-03-01'
    assert.equal((await read(userId, 'body', march)).length, 1)
    await storeSummary(salus, userId, 'body', { id, version: 5, is_removed: 1 })
    for (const query of [FEBRUARY, march]) {
      assert.deepEqual(await read(userId, 'body', query), [])
      assert.deepEqual(await read(userId, 'body', `${query}&provider=manual`), [])
    }
  })
})

describe('the provider of a query', () => {
  for (const resource of [...SUMMARY_RESOURCES, 'sleep_cycle'] as const) {
    if (resource === 'profile') continue
    test(`chooses among ${resource}`, async () => {
      const userId = await salus.makeUser('manual', 'health_connect')
      const stored = resource === 'sleep_cycle' ? 'sleep' : resource
      const fields = {
        sleep_cycle: {
          stage_start_offset_second: [0],
          stage_end_offset_second: [9],
          stage_type: [1],
        },
        menstrual_cycle: { period_start: '2026-02-10' },
      }[resource as string]
      for (const provider of ['manual', 'health_connect']) {
        await storeSummary(salus, userId, stored, { ...fields, provider } as object)
      }
      const providersOf = async (query: string) =>
        (await read(userId, resource, query)).map(
          ({ source }: { source: { provider: string } }) => source.provider,
        )
      assert.equal((await providersOf(FEBRUARY)).length, 2)
      assert.deepEqual(await providersOf(`${FEBRUARY}&provider=manual`), ['manual'])
      assert.deepEqual(await providersOf(`${FEBRUARY}&provider=garmin`), [])
    })
  }
})

describe('a profile', () => {
  test('is the one that changed last, of the requested provider', async () => {
    const userId = await salus.makeUser('manual', 'health_connect')
    const old = { height_centimeter: 170, updated_at: '2026-02-10T08:00:00Z' }
    const young = { height_centimeter: 171, updated_at: '2026-02-11T08:00:00Z' }
    await storeSummary(salus, userId, 'profile', { ...young, provider: 'health_connect' })
    await storeSummary(salus, userId, 'profile', old)
    assert.equal((await read(userId, 'profile', '')).height, 171)
    assert.equal((await read(userId, 'profile', 'provider=manual')).height, 170)
    const raw = await readUrl(`/v2/summary/profile/${userId}/raw?provider=manual`)
    assert.equal(raw.body.profile.source.slug, 'manual')
  })

  test('is 404 when there is none', async () => {
    const userId = await salus.makeUser('manual')
    await storeSummary(salus, userId, 'profile', { provider: 'manual' })
    for (const path of ['', '/raw']) {
      const url = `/v2/summary/profile/${userId}${path}?provider=health_connect`
      const answer = await readUrl(url)
      assert.equal(answer.status, 404)
      assert.equal(answer.body.detail, 'Profile not found.')
    }
  })
})

describe('a summary of another user', () => {
  test('is not found, whoever asks', async () => {
    const userId = await salus.makeUser('manual')
    const stranger = await salus.makeTeam()
    const paths = [...SUMMARY_RESOURCES, 'sleep_cycle'].map((resource) => `${resource}/${userId}`)
    const raw = ['activity', 'body', 'sleep', 'workouts', 'profile', 'devices']
    paths.push(...raw.map((resource) => `${resource}/${userId}/raw`))
    for (const path of paths) {
      const url = `/v2/summary/${path}?${FEBRUARY}`
      const answer = await readUrl(url, stranger.sandboxKey)
      assert.deepEqual([answer.status, answer.body.detail], [404, 'User not found.'], path)
      const missing = await readUrl(url.replace(userId, newId()))
      assert.equal(missing.status, 404, path)
    }
  })
})
