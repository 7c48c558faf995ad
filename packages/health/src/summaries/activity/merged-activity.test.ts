import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { storeSummary } from '../../../../server/test/summaries/store-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import type { MergedActivityDay } from './merged-activity.schema.ts'

const harness = useFixture(createHarness)

async function read(userId: string, query: string): Promise<MergedActivityDay[]> {
  const { status, body } = await harness.call(
    'GET',
    `/v2/summary/activity/${userId}/merged?${query}`,
  )
  assert.equal(status, 200, JSON.stringify(body))
  return body.activity
}

const WEEK = 'start_date=2026-02-09&end_date=2026-02-15'

/** One sample of a provider: its hour of a day in February 2026, UTC. */
async function upload(
  userId: string,
  provider: string,
  series: string,
  [day, hour]: [day: number, hour: number],
  value: number,
  change: object = {},
) {
  const start_date = `2026-02-${String(day).padStart(2, '0')}T${String(hour).padStart(2, '0')}:00:00Z`
  const end_date = start_date.replace(':00:00Z', ':30:00Z')
  const data = [{ value, unit: 'count', start_date, end_date, ...change }]
  const body = { stage: 'daily', provider, data }
  const { status } = await harness.call('POST', `/v2/timeseries/${userId}/${series}`, body)
  assert.equal(status, 200)
}

const watch = { type: 'watch' }
const phone = { type: 'phone' }
const makeUser = () => harness.makeUser('apple_health_kit', 'samsung_health')

describe('a merged day', () => {
  test('is made of the samples of all sources, each instant once', async () => {
    const userId = await makeUser()
    await upload(userId, 'apple_health_kit', 'steps', [10, 8], 1000, phone)
    await upload(userId, 'apple_health_kit', 'steps', [10, 12], 900, phone)
    await upload(userId, 'samsung_health', 'steps', [10, 12], 950, watch)
    await upload(userId, 'samsung_health', 'distance', [10, 12], 712.5, { ...watch, unit: 'm' })
    const kcal = { ...watch, unit: 'kcal' }
    await upload(userId, 'samsung_health', 'calories_active', [10, 12], 80.25, kcal)
    await upload(userId, 'samsung_health', 'calories_basal', [10, 0], 1500, kcal)
    await upload(userId, 'samsung_health', 'floors_climbed', [10, 12], 3, watch)
    assert.deepEqual(await read(userId, WEEK), [
      {
        calendar_date: '2026-02-10',
        steps: 1950,
        distance: 712.5,
        calories_active: 80.25,
        calories_total: 1580.25,
        floors_climbed: 3,
        wheelchair_push: null,
        from: {
          steps: 'samples',
          distance: 'samples',
          calories_active: 'samples',
          calories_total: 'samples',
          floors_climbed: 'samples',
          wheelchair_push: null,
        },
        sources: [
          {
            provider: 'samsung_health',
            type: 'watch',
            app_id: null,
            fields: ['steps', 'distance', 'calories_active', 'calories_total', 'floors_climbed'],
          },
          { provider: 'apple_health_kit', type: 'phone', app_id: null, fields: ['steps'] },
        ],
      },
    ])
  })

  test('takes a field without samples from the summary of the source that counts first', async () => {
    const userId = await makeUser()
    await upload(userId, 'apple_health_kit', 'steps', [11, 8], 500, phone)
    const day = { calendar_date: '2026-02-11' }
    await storeSummary(harness, userId, 'activity', {
      ...day,
      provider: 'apple_health_kit',
      source_type: 'phone',
      steps: 9000,
      distance_meter: 6000,
      floors_climbed: 4,
    })
    await storeSummary(harness, userId, 'activity', {
      ...day,
      provider: 'fitbit',
      source_type: 'watch',
      steps: 8000,
      distance_meter: 6500,
      calories_total: 2300,
    })
    const [found] = await read(userId, WEEK)
    const { steps, distance, floors_climbed, calories_total, from } = found as MergedActivityDay
    assert.deepEqual([steps, distance, floors_climbed, calories_total], [500, 6500, 4, 2300])
    assert.deepEqual(from, {
      steps: 'samples',
      distance: 'summary',
      calories_active: null,
      calories_total: 'summary',
      floors_climbed: 'summary',
      wheelchair_push: null,
    })
    await harness.call('PUT', `/v2/user/${userId}/source_priorities`, {
      source_priorities: [{ resource: 'activity', provider: 'apple_health_kit', priority: 1 }],
    })
    assert.equal((await read(userId, WEEK))[0]?.distance, 6000)
  })

  test('is a local day, and the bounds choose days', async () => {
    const userId = await makeUser()
    await upload(userId, 'apple_health_kit', 'steps', [12, 3], 100)
    await upload(userId, 'apple_health_kit', 'steps', [13, 12], 200)
    await storeSummary(harness, userId, 'activity', { calendar_date: '2026-02-14', steps: 300 })
    const days = async (query: string) =>
      (await read(userId, query)).map(({ calendar_date, steps }) => [calendar_date, steps])
    const all = [
      ['2026-02-12', 100],
      ['2026-02-13', 200],
      ['2026-02-14', 300],
    ]
    assert.deepEqual(await days(WEEK), all)
    assert.deepEqual(await days('start_date=2026-02-13&end_date=2026-02-13'), [all[1]])
    assert.deepEqual(
      await days('start_date=2026-02-13T22:00:00Z&end_date=2026-02-14'),
      all.slice(1),
    )
    await harness.call('PATCH', `/v2/user/${userId}`, { fallback_time_zone: 'America/New_York' })
    assert.deepEqual((await days(WEEK))[0], ['2026-02-11', 100])
  })

  test('of any range are the days of its parts', async () => {
    const userId = await makeUser()
    const walk = (day: string) => ({
      ...{ value: 100, unit: 'count', type: 'watch' },
      ...{ start_date: `${day}T12:00:00Z`, end_date: `${day}T13:00:00Z` },
    })
    const walked = ['2011-05-01', '2019-12-31', '2020-01-01', '2026-02-10']
    const body = { stage: 'daily', provider: 'samsung_health', data: walked.map(walk) }
    const { status } = await harness.call('POST', `/v2/timeseries/${userId}/steps`, body)
    assert.equal(status, 200)
    for (const range of ['start_date=0001-01-01&end_date=9999-12-31', 'start_date=2011-05-01']) {
      const days = await read(userId, range)
      assert.deepEqual(
        days.map((day) => [day.calendar_date, day.steps]),
        walked.map((day) => [day, 100]),
      )
    }
    assert.deepEqual(await read(await makeUser(), 'start_date=1970-01-01'), [])
  })

  test('of a person without data is not there, nor that of a person of another team', async () => {
    const userId = await makeUser()
    assert.deepEqual(await read(userId, WEEK), [])
    const { sandboxKey } = await harness.makeTeam()
    const url = `/v2/summary/activity/${userId}/merged?${WEEK}`
    assert.equal(
      (await harness.call('GET', url, undefined, { 'x-service-api-key': sandboxKey })).status,
      404,
    )
  })
})
