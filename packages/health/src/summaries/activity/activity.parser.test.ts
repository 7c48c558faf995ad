import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ParsedItem } from '../uploads/parsed-item.ts'
import { parseActivity } from './activity.parser.ts'

const IOS = { userId: '', provider: 'apple_health_kit', timeZone: 'Europe/Berlin', birthDate: null }
const ANDROID = { ...IOS, provider: 'health_connect', timeZone: null, birthDate: null }

const DAY = {
  calendar_date: '2026-02-10',
  active_energy_burned_sum: 420.5,
  basal_energy_burned_sum: 1600,
  steps_sum: 9876.4,
  floors_climbed_sum: 11,
  distance_walking_running_sum: 7200,
  low: 120,
  medium: 30.5,
  high: 10,
  max_heart_rate: 160,
  min_heart_rate: 48,
  avg_heart_rate: 71.5,
  resting_heart_rate: 52,
  exercise_time: 40,
  distance_wheelchair: 300,
  wheelchair_use: false,
  wheelchair_push: null,
}

function parse(item: unknown, context: typeof IOS | typeof ANDROID = IOS): ParsedItem {
  const parsed = parseActivity(context, item)
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

const valuesOf = (day: object) =>
  parse({ day_summary: day }).summaries[0]?.values as Record<string, unknown>

test('the sums of a day fill its columns', () => {
  const [summary] = parse({ day_summary: DAY }).summaries
  assert.deepEqual(summary?.values, {
    calories_total: 2020.5,
    calories_active: 420.5,
    steps: 9876,
    distance_meter: 7200,
    floors_climbed: 11,
    duration_active_second: 2400,
    intensity_sedentary_second: null,
    intensity_low_second: 7200,
    intensity_medium_second: 1830,
    intensity_high_second: 600,
    heart_rate_mean: 71.5,
    heart_rate_minimum: 48,
    heart_rate_maximum: 160,
    heart_rate_resting: 52,
    heart_rate_mean_walking: null,
    wheelchair_use: null,
    wheelchair_push: null,
  })
  const { recordId, calendarDate, startedAt, endedAt, sourceType } = summary ?? {}
  assert.deepEqual(
    [recordId, calendarDate, sourceType],
    ['2026-02-10', '2026-02-10', 'multiple_sources'],
  )
  assert.deepEqual([startedAt, endedAt], [Date.UTC(2026, 1, 10), Date.UTC(2026, 1, 10)])
  assert.deepEqual([summary?.timezoneOffset, summary?.timeZone], [3600, 'Europe/Berlin'])
})

test('a day in camel case is the same day', () => {
  const camel = (key: string) => key.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())
  const day = Object.fromEntries(Object.entries(DAY).map(([key, value]) => [camel(key), value]))
  const [summary] = parse({ daySummary: day }).summaries
  assert.deepEqual(summary?.values, valuesOf(DAY))
})

test('the total is known with what is burned at rest, and wheels count for who uses them', () => {
  assert.equal(valuesOf({ ...DAY, basal_energy_burned_sum: null }).calories_total, null)
  assert.equal(valuesOf({ ...DAY, active_energy_burned_sum: null }).calories_total, 1600)
  const wheels = valuesOf({ ...DAY, wheelchair_use: true, wheelchair_push: 200 })
  assert.deepEqual(
    [wheels.distance_meter, wheels.wheelchair_use, wheels.wheelchair_push],
    [300, true, 200],
  )
  assert.equal(valuesOf({ ...DAY, distance_walking_running_sum: null }).distance_meter, 300)
})

test('lists feed their series, and energy that Android labels kJ is in kilocalories', () => {
  const sample = (value: number, unit: string) => ({
    value,
    unit,
    start_date: '2026-02-10T08:00:00Z',
    end_date: '2026-02-10T08:10:00Z',
  })
  const item = {
    day_summary: null,
    active_energy_burned: [sample(20, 'kJ')],
    basal_energy_burned: [sample(15, 'kJ')],
    steps: [sample(500, ''), sample(-1, '')],
    floors_climbed: [sample(2, '')],
    distance_walking_running: [sample(400, 'm')],
    vo2_max: [sample(44, 'mL/kg/min')],
  }
  const parsed = parse(item, ANDROID)
  assert.deepEqual(
    parsed.samples.map(({ series, value }) => [series, value]),
    [
      ['calories_active', 20],
      ['calories_basal', 15],
      ['steps', 500],
      ['floors_climbed', 2],
      ['distance', 400],
      ['vo2_max', 44],
    ],
  )
  assert.deepEqual(parsed.summaries, [])
  assert.deepEqual(
    parsed.quarantined.map(({ resource, reason }) => [resource, reason]),
    [['steps', 'out_of_range']],
  )
})

test('a day that cannot be stored is quarantined with a reason', () => {
  const reason = (day: unknown) => parseActivity(IOS, { day_summary: day })
  assert.equal(parseActivity(IOS, []), 'not_an_object')
  assert.equal(reason('today'), 'not_an_object')
  assert.equal(reason({ ...DAY, calendar_date: undefined }), 'invalid_date')
  assert.equal(reason({ ...DAY, calendar_date: '2026-02-30' }), 'invalid_date')
  assert.equal(reason({ ...DAY, steps_sum: 'many' }), 'invalid_value')
  assert.equal(reason({ ...DAY, steps_sum: -5 }), 'out_of_range')
})
