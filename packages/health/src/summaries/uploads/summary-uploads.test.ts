import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createHarness } from '../../../../server/test/harness.ts'
import { IOS_ITEMS } from '../../../../server/test/summaries/upload-items.registry.ts'
import {
  dataOf,
  storedRows,
  uploadSummary,
} from '../../../../server/test/summaries/upload-summary.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import { SUMMARY_RESOURCES, type SummaryResource } from '../summary-tables.registry.ts'

const salus = useFixture(createHarness)

const makeUser = () => salus.makeUser('apple_health_kit')

async function storedSamples(userId: string) {
  const rows = await salus.clickhouse.queryRows<{ series: string; value: number }>(
    `select series, value from samples final
    where user_id = {userId:UUID} order by series, started_at`,
    { userId },
  )
  return rows.map(({ series, value }) => [series, value])
}

/** What each item of IOS_ITEMS stores: columns of its summary, and samples. */
const STORED: Record<SummaryResource, { columns: object; samples: [string, number][] }> = {
  activity: {
    columns: { calendar_date: '2026-02-10', calories_total: 2020, steps: 9876 },
    samples: [
      ['calories_active', 20],
      ['distance', 400],
      ['steps', 500],
    ],
  },
  sleep: {
    columns: {
      external_id: 'night-1',
      type: 'long_sleep',
      stage_asleep_second: 23_400,
      stage_type: [4, 2, 1, 3],
      stage_start_offset_second: [0, 1800, 14_400, 18_000],
      skin_temperature: 35.2,
    },
    samples: [
      ['body_temperature', 35.2],
      ['heartrate', 50],
      ['hrv', 61],
      ['respiratory_rate', 14],
    ],
  },
  workouts: {
    columns: { external_id: 'run-1', sport_slug: 'running', heart_rate_zone_1: 100 },
    samples: [
      ['heartrate', 140],
      ['workout_distance', 10],
      ['workout_distance', 12],
    ],
  },
  body: {
    columns: { weight_kilogram: 70.5, fat_mass_percentage: 21, time_zone: 'Europe/Berlin' },
    samples: [
      ['body_fat', 21],
      ['body_mass_index', 22.5],
      ['body_weight', 70.5],
    ],
  },
  meal: {
    columns: { calories: 500, protein_gram: 30, water_gram: 250 },
    samples: [
      ['caffeine', 0.08],
      ['water', 250],
    ],
  },
  menstrual_cycle: {
    columns: {
      calendar_date: '2026-02-01',
      period_end: '2026-02-05',
      menstrual_flow: '[{"date":"2026-02-01","flow":"light"}]',
    },
    samples: [],
  },
  profile: {
    columns: { birth_date: '1990-05-04', height_centimeter: 180, sex: 'male' },
    samples: [],
  },
  electrocardiogram: {
    columns: { external_id: 'ecg-1', classification: 'sinus_rhythm', voltage_sample_count: 2 },
    samples: [
      ['electrocardiogram_voltage', 0.1],
      ['electrocardiogram_voltage', -0.2],
    ],
  },
}

describe('an upload of', () => {
  for (const resource of SUMMARY_RESOURCES) {
    test(`${resource} stores a summary and feeds series; the same again changes nothing`, async () => {
      const userId = await makeUser()
      const data = dataOf(resource, IOS_ITEMS[resource])
      const first = await uploadSummary(salus, userId, resource, data)
      assert.equal(first.status, 200, JSON.stringify(first.body))
      const { columns, samples } = STORED[resource]
      const count = samples.length + 1
      const counts = { success: true, out_of_bounds: 0, put_aside: 0, problems: [] }
      assert.deepEqual(first.body, { ...counts, inserted: count, updated: 0, unchanged: 0 })
      const rows = await storedRows(salus, userId, resource)
      assert.equal(rows.length, 1)
      const names = Object.keys(columns)
      assert.deepEqual(Object.fromEntries(names.map((name) => [name, rows[0]?.[name]])), columns)
      assert.deepEqual(await storedSamples(userId), samples)
      salus.clock.advance(60)
      const again = await uploadSummary(salus, userId, resource, data)
      assert.deepEqual(again.body, { ...counts, inserted: 0, updated: 0, unchanged: count })
      assert.deepEqual(await storedRows(salus, userId, resource), rows)
    })
  }

  test('a summary that changed replaces the stored one under its id', async () => {
    const userId = await makeUser()
    await uploadSummary(salus, userId, 'workouts', [IOS_ITEMS.workouts])
    const [before] = await storedRows(salus, userId, 'workouts')
    salus.clock.advance(60)
    const { body } = await uploadSummary(salus, userId, 'workouts', [
      { ...IOS_ITEMS.workouts, calories: 310 },
    ])
    assert.deepEqual([body.inserted, body.updated, body.unchanged], [0, 1, 3])
    const [after, ...others] = await storedRows(salus, userId, 'workouts')
    assert.deepEqual([after?.id, after?.calories, others], [before?.id, 310, []])
  })

  test('workouts stores their streams, and samples that name their workout', async () => {
    const userId = await makeUser()
    await uploadSummary(salus, userId, 'workouts', [IOS_ITEMS.workouts])
    const [workout] = await storedRows(salus, userId, 'workouts')
    const streams = await salus.clickhouse.queryRows<Record<string, unknown>>(
      `select workout_id, time, heartrate, distance from workout_streams final
      where user_id = {userId:UUID}`,
      { userId },
    )
    const start = Date.UTC(2026, 1, 10, 8) / 1000
    assert.deepEqual(streams, [
      {
        workout_id: workout?.id,
        time: [start + 5, start + 10, start + 600],
        heartrate: [null, null, 140],
        distance: [10, 22, null],
      },
    ])
    const samples = await salus.clickhouse.queryRows<Record<string, unknown>>(
      `select distinct workout_id, sport from samples final
      where user_id = {userId:UUID} and series = 'workout_distance'`,
      { userId },
    )
    assert.deepEqual(samples, [{ workout_id: workout?.id, sport: 'running' }])
  })

  test('a weight and a body fat of one moment, in two uploads, is one summary', async () => {
    const userId = await makeUser()
    const { body_mass, body_fat_percentage } = IOS_ITEMS.body as Record<string, unknown>
    await uploadSummary(salus, userId, 'body', { body_mass })
    salus.clock.advance(60)
    const { body } = await uploadSummary(salus, userId, 'body', { body_fat_percentage })
    assert.deepEqual([body.inserted, body.updated], [1, 1])
    const [row, ...others] = await storedRows(salus, userId, 'body')
    assert.deepEqual(others, [])
    assert.deepEqual([row?.weight_kilogram, row?.fat_mass_percentage], [70.5, 21])
    assert.equal(row?.started_ms, Date.UTC(2026, 1, 10, 8))
    assert.deepEqual(Object.keys(JSON.parse(String(row?.raw))), [
      'body_mass',
      'body_fat_percentage',
    ])
    const again = await uploadSummary(salus, userId, 'body', { body_mass })
    assert.deepEqual([again.body.updated, again.body.unchanged], [0, 2])
  })

  test('records of Health Connect stores one meal with its foods', async () => {
    const userId = await salus.makeUser('health_connect')
    const record = {
      start_time: '2026-02-10T23:30:00.123Z',
      end_time: '2026-02-10T23:40:00Z',
      start_zone_offset: '+01:00',
      name: 'Toast',
      meal_type: 4,
      energy: 200,
    }
    const item = { health_connect: { source_bundle: 'app', nutrition_records: [record] } }
    const change = { provider: 'health_connect' }
    const { body } = await uploadSummary(salus, userId, 'meal', [item], change)
    assert.equal(body.inserted, 1)
    const [row] = await storedRows(salus, userId, 'meal')
    assert.deepEqual([row?.name, row?.calories, row?.timezone_offset], ['snack', 200, 3600])
    assert.deepEqual(Object.keys(JSON.parse(String(row?.foods))), ['Toast'])
  })
})
