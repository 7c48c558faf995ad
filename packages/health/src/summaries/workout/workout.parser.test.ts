import assert from 'node:assert/strict'
import { test } from 'node:test'
import { summaryId } from '../summary-id.ts'
import type { ParsedItem } from '../uploads/parsed-item.ts'
import { parseWorkout } from './workout.parser.ts'

const IOS = {
  userId: '11111111-1111-4111-8111-111111111111',
  provider: 'apple_health_kit',
  timeZone: null,
  birthDate: null,
}
const ANDROID = { ...IOS, provider: 'health_connect' }
const START = Date.UTC(2026, 1, 10, 8)
const at = (seconds: number): string => new Date(START + seconds * 1000).toISOString()

const run = (change: object = {}) => ({
  id: 'run-1',
  start_date: at(0),
  end_date: at(1800),
  source_bundle: 'com.apple.health.ABC',
  product_type: 'Watch6,1',
  sport: 'Running',
  ...change,
})

function parse(item: object, context = IOS): ParsedItem {
  const parsed = parseWorkout(context, item)
  assert.ok(typeof parsed !== 'string', String(parsed))
  return parsed
}

const valuesOf = (item: object, context = IOS) =>
  parse(item, context).summaries[0]?.values as Record<string, unknown>

test('zones are read in the spelling of iOS and of Android', () => {
  const zones = [10, 20.5, 30, 40, 50, 60]
  const spelled = (name: (zone: number) => string) =>
    run(Object.fromEntries(zones.map((seconds, index) => [name(index + 1), seconds])))
  for (const name of [
    (zone: number) => `heart_rate_zone${zone}`,
    (zone: number) => `heart_rate_zone_${zone}`,
    (zone: number) => `heartRateZone${zone}`,
  ]) {
    const values = valuesOf(spelled(name))
    assert.deepEqual(
      zones.map((_, index) => values[`heart_rate_zone_${index + 1}`]),
      zones,
    )
  }
})

test('an iOS and an Android workout fill the same columns', () => {
  const values = valuesOf(
    run({
      moving_time: 1700.4,
      calories: 320.5,
      distance: 5000,
      ascent_elevation: 42,
      descent_elevation: 40,
      heart_rate_maximum: 181,
      heart_rate_minimum: 92,
      heart_rate_mean: 150,
    }),
  )
  assert.equal(values.sport_name, 'Running')
  assert.equal(values.sport_slug, 'running')
  assert.equal(values.duration_active_second, 1700)
  assert.equal(values.calories, 320.5)
  assert.equal(values.distance_meter, 5000)
  assert.equal(values.elevation_gain_meter, 42)
  assert.deepEqual(
    [values.heart_rate_minimum, values.heart_rate_mean, values.heart_rate_maximum],
    [92, 150, 181],
  )
  const android = valuesOf(run({ sport: 'biking_stationary', heart_rate_mean: null }), ANDROID)
  assert.deepEqual(
    [android.sport_name, android.sport_slug],
    ['Stationary Biking', 'stationary_biking'],
  )
  assert.deepEqual([android.calories, android.heart_rate_mean], [null, null])
  assert.equal(valuesOf(run({ sport: 'workout' }), ANDROID).sport_slug, 'other')
})

test('a stream becomes samples of the workout, and a stream to read', () => {
  const bulk = {
    anchor: at(0),
    value: [10, 12, 11],
    start_offset: [0, 5, 10.5],
    end_offset: [5, 10, 15],
    source_bundle: null,
    product_type: null,
    type: null,
    metadata: {},
  }
  const item = run({
    heart_rate: [
      { value: 100, unit: 'bpm', start_date: at(5) },
      { value: 110, unit: 'bpm', start_date: at(7) },
      { value: 90, unit: 'bpm', start_date: at(-60) },
    ],
    respiratory_rate: [{ value: 30, unit: 'bpm', start_date: at(5) }],
    stream: {
      components: {
        distance_walking_running: [bulk],
        swimming_stroke_count: [{ ...bulk, value: [1, 2, 3] }],
      },
    },
  })
  const { samples, streams, summaries, devices } = parse(item)
  const workoutId = summaryId(IOS, summaries[0] as NonNullable<(typeof summaries)[0]>)
  const ofWorkout = samples.filter(({ series }) => series.startsWith('workout_'))
  assert.equal(ofWorkout.length, 6)
  for (const sample of ofWorkout) {
    assert.deepEqual(
      [sample.workoutId, sample.sport, sample.sourceType, sample.appId],
      [workoutId, 'running', 'watch', 'com.apple.health.ABC'],
    )
  }
  const [first, second, third] = ofWorkout
  assert.deepEqual(
    [first, second, third].map((sample) => [
      sample?.series,
      ((sample?.startedAt ?? 0) - START) / 1000,
      ((sample?.endedAt ?? 0) - START) / 1000,
      sample?.value,
    ]),
    [
      ['workout_distance', 0, 5, 10],
      ['workout_distance', 5, 10, 12],
      ['workout_distance', 10.5, 15, 11],
    ],
  )
  assert.equal(ofWorkout[3]?.series, 'workout_swimming_stroke')
  assert.deepEqual(
    samples.filter(({ series }) => series === 'heartrate').map((s) => s.workoutId),
    ['', '', ''],
  )
  const second0 = START / 1000
  assert.deepEqual(Object.fromEntries(streams), {
    [workoutId]: {
      time: [second0 + 5, second0 + 7, second0 + 10, second0 + 15],
      heartrate: [100, 110, null, null],
      distance: [10, null, 22, 33],
    },
  })
  assert.ok(devices.some(({ item: device }) => device.product_type === 'Watch6,1'))
  assert.equal(JSON.stringify(summaries[0]?.raw).includes('anchor'), false)
})

test('a way that two devices measured counts once in the stream', () => {
  const bulk = { anchor: at(0), value: [10, 10], start_offset: [0, 10], end_offset: [10, 20] }
  const phone = { ...bulk, start_offset: [1, 11], end_offset: [11, 21], source_bundle: 'phone' }
  const stream = { components: { distance_cycling: [bulk, phone] } }
  const [read] = parse(run({ stream })).streams.values()
  assert.deepEqual(read?.distance, [10, 20])
  assert.deepEqual(read?.heartrate, [])
})

test('a workout without samples has no stream', () => {
  assert.equal(parse(run()).streams.size, 0)
  assert.equal(parse(run({ stream: null })).streams.size, 0)
})

test('a wrong bulk is quarantined alone', () => {
  const bulk = { anchor: at(0), value: [1], start_offset: [0], end_offset: [1] }
  const reasons = (change: object) =>
    parse(run({ stream: { components: { distance_rowing: [{ ...bulk, ...change }, bulk] } } }))
  for (const [change, reason] of [
    [{ anchor: 'noon' }, 'invalid_start_date'],
    [{ value: [1, 2] }, 'invalid_value'],
    [{ value: ['1'] }, 'invalid_value'],
    [{ value: [-1] }, 'out_of_range'],
    [{ end_offset: [-1] }, 'end_before_start'],
    [{ start_offset: [1e15] }, 'invalid_start_date'],
    [{ type: 'pillow' }, 'unknown_source_type'],
  ] as const) {
    const { quarantined, samples } = reasons(change)
    assert.deepEqual(
      quarantined.map((part) => [part.resource, part.reason]),
      [['workout_distance', reason]],
    )
    assert.equal(samples.length, 1)
  }
})

test('a workout that cannot be stored is quarantined with a reason', () => {
  assert.equal(parseWorkout(IOS, null), 'not_an_object')
  assert.equal(parseWorkout(IOS, run({ start_date: 5 })), 'invalid_start_date')
  assert.equal(parseWorkout(IOS, run({ end_date: at(-1) })), 'end_before_start')
  assert.equal(parseWorkout(IOS, run({ calories: '320' })), 'invalid_value')
  assert.equal(parseWorkout(IOS, run({ distance: -1 })), 'out_of_range')
})
