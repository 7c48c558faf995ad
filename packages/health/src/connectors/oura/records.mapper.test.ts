import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  OURA_ACTIVITY,
  OURA_WORKOUT,
  VENDOR_PAGES,
} from '../../../../server/test/connectors/vendor-pages.registry.ts'
import { PageData } from '../page-data.ts'
import { OURA } from './oura.connector.ts'

const NOON = Date.UTC(2026, 1, 10, 12)

/** Returns what a collection turns records into; good ones by default. */
function map(name: string, records?: readonly unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'oura' })
  const collection = OURA.collections.find((one) => one.name === name)
  const pages = VENDOR_PAGES.oura?.[name]
  assert.ok(collection !== undefined && pages !== undefined)
  const request = { range: { from: NOON, to: NOON }, cursor: null, context: NO_CONTEXT }
  collection.map(pages.page(records ?? pages.records), data, [], request)
  return data
}

/** Returns the known columns. */
const knownOf = (summary: { values: object } | undefined): Record<string, unknown> =>
  Object.fromEntries(Object.entries(summary?.values ?? {}).filter(([, value]) => value !== null))

test('a day of activity is a day of the person, in the units of Salus', () => {
  const [day] = map('daily_activity').summaries
  assert.ok(day !== undefined)
  assert.deepEqual(
    [day.recordId, day.calendarDate, day.startedAt, day.timezoneOffset, day.sourceType],
    ['2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), -28_800, 'ring'],
  )
  assert.deepEqual(knownOf(day), {
    calories_total: 2381,
    calories_active: 512,
    steps: 9731,
    distance_meter: 8123,
    intensity_sedentary_second: 45000,
    intensity_low_second: 12300,
    intensity_medium_second: 1500,
    intensity_high_second: 600,
  })
  const wrong = { ...OURA_ACTIVITY, steps: -1 }
  const { summaries, quarantined } = map('daily_activity', [wrong])
  assert.deepEqual(summaries, [])
  assert.deepEqual(quarantined, [{ resource: 'activity', reason: 'out_of_range', item: wrong }])
})

test('a workout keeps its local time and has a known sport', () => {
  const [workout] = map('workout').summaries
  assert.ok(workout !== undefined)
  assert.equal(workout.startedAt, Date.UTC(2026, 1, 10, 12, 15))
  assert.equal(workout.endedAt, Date.UTC(2026, 1, 10, 12, 57))
  assert.equal(workout.timezoneOffset, 20_700)
  assert.equal(workout.sourceType, 'ring')
  assert.deepEqual(knownOf(workout), {
    title: 'Evening round',
    sport_name: 'House Cleaning',
    sport_slug: 'house_cleaning',
    calories: 211.5,
    distance_meter: 3120.4,
  })
  const manual = map('workout', [{ ...OURA_WORKOUT, activity: 'running', source: 'manual' }])
  assert.equal(manual.summaries[0]?.sourceType, 'app')
  assert.equal(knownOf(manual.summaries[0]).sport_slug, 'running')
  for (const [activity, slug] of [
    ['yardwork', 'gardening'],
    ['stairExercise', 'stairs'],
    ['coreExercise', 'core_training'],
    ['cardiovascularExercise', 'mixed_cardio'],
    ['strengthTraining', 'strength_training'],
  ] as const) {
    const one = map('workout', [{ ...OURA_WORKOUT, activity }]).summaries[0]
    assert.equal(knownOf(one).sport_slug, slug)
  }
})

test('the answer for one record is read like a page', () => {
  const data = new PageData({ userId: 'u', provider: 'oura' })
  const request = { range: { from: NOON, to: NOON }, cursor: null, context: NO_CONTEXT }
  for (const name of ['daily_activity', 'workout'] as const) {
    const record = name === 'workout' ? OURA_WORKOUT : OURA_ACTIVITY
    OURA.collections.find((one) => one.name === name)?.map(record, data, [], request)
  }
  assert.deepEqual(
    data.summaries.map(({ resource }) => resource),
    ['activity', 'workouts'],
  )
})

test('heart rates are points in UTC, whose offset is not known', () => {
  const { samples } = map('heartrate')
  assert.equal(samples.length, 1)
  const [{ series, startedAt, endedAt, value, timezoneOffset, sourceType } = assert.fail()] =
    samples
  assert.deepEqual(
    [series, startedAt, endedAt, value, timezoneOffset, sourceType],
    ['heartrate', Date.UTC(2026, 1, 10, 8), Date.UTC(2026, 1, 10, 8), 61, null, 'ring'],
  )
  const { quarantined } = map('heartrate', [{ bpm: null, timestamp: '2026-02-10T08:00:00Z' }, 5])
  assert.deepEqual(
    quarantined.map(({ reason }) => reason),
    ['invalid_value', 'not_an_object'],
  )
})

test('values of a day stand at its noon', () => {
  const shown = (name: string, records?: readonly unknown[]) =>
    map(name, records).samples.map(({ series, startedAt, value }) => [series, startedAt, value])
  assert.deepEqual(shown('daily_spo2'), [['blood_oxygen', NOON, 96.9]])
  // A tenth of the day.
  assert.deepEqual(shown('daily_stress'), [['stress_level', NOON, 10]])
  const day = '2026-02-10'
  for (const none of [null, { average: 0 }, { average: null }]) {
    assert.deepEqual(shown('daily_spo2', [{ day, spo2_percentage: none }]), [])
  }
  assert.deepEqual(shown('daily_stress', [{ day, stress_high: null }]), [])
})

test('oxygen uptake, the person and the ring', () => {
  const [uptake] = map('vo2_max').samples
  assert.deepEqual(
    [uptake?.startedAt, uptake?.value, uptake?.timezoneOffset],
    [Date.UTC(2026, 1, 9, 23), 44, 3600],
  )
  const [person] = map('personal_info').summaries
  assert.deepEqual(knownOf(person), {
    height_centimeter: 176,
    sex: 'female',
  })
  assert.deepEqual(map('ring_configuration').toArrivedData().devices, [
    {
      provider: 'oura',
      source_type: 'ring',
      app_id: null,
      device_manufacturer: 'Oura',
      device_model: 'Oura Ring Gen 4',
      device_version: '2.9.3',
      device_id: 'r',
      identity: 'r',
    },
  ])
})

test('days are requested with one more at either end, and times exactly', () => {
  const range = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
  const pageOf = (name: string, cursor: string | null) =>
    OURA.collections.find((one) => one.name === name)?.page(range, cursor, NO_CONTEXT)
  assert.deepEqual(pageOf('sleep', null), {
    path: '/v2/usercollection/sleep',
    query: { start_date: '2026-01-31', end_date: '2026-02-09', next_token: undefined },
  })
  assert.deepEqual(pageOf('heartrate', 'abc'), {
    path: '/v2/usercollection/heartrate',
    query: {
      start_datetime: '2026-02-01T00:00:00.000Z',
      end_datetime: '2026-02-08T00:00:00.000Z',
      next_token: 'abc',
    },
  })
  assert.equal(pageOf('vo2_max', null)?.path, '/v2/usercollection/vO2_max')
})
