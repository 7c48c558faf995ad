import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  PELOTON_SERIES,
  PELOTON_WORKOUT,
} from '../../../../server/test/connectors/pages/peloton.pages.ts'
import { PageData } from '../page-data.ts'
import { mapWorkouts } from './peloton.mapper.ts'
import { detailsOf, nextPage, oldestOf } from './peloton-pages.ts'

const RANGE = { from: Date.UTC(2026, 1, 1), to: Date.UTC(2026, 1, 8) }
const START = Date.UTC(2026, 1, 5, 17)

function map(change: object, series: unknown = PELOTON_SERIES): PageData {
  const data = new PageData({ userId: 'u', provider: 'peloton' })
  mapWorkouts({ data: [{ ...PELOTON_WORKOUT, ...change }] }, data, [series], { range: RANGE })
  return data
}
const valuesOf = (data: PageData) => data.summaries[0]?.values as Record<string, unknown>

test('a workout has the totals of its series, in the units of Salus', () => {
  const [summary] = map({}).summaries
  assert.deepEqual(
    [summary?.startedAt, summary?.endedAt, summary?.timezoneOffset, summary?.timeZone],
    [START, START + 1_800_000, -18_000, 'America/New_York'],
  )
  assert.equal(summary?.sourceType, 'exercise_machine')
  const values = valuesOf(map({}))
  assert.deepEqual(
    [values.title, values.sport_slug, values.calories, values.heart_rate_mean, values.power_mean],
    ['30 min Climb Ride', 'stationary_biking', 412, 141, 180],
  )
  assert.ok(Math.abs(Number(values.distance_meter) - 14_966.8992) < 1e-6)
  assert.ok(Math.abs(Number(values.speed_mean) - (18.6 * 1609.344) / 3600) < 1e-9)
  assert.equal(values.power_source, 'device')
  assert.doesNotMatch(JSON.stringify(summary), /instructor/)
})

test('the series has the seconds of the workout, as far as each list goes', () => {
  const [stream] = map({}).streams.values()
  const start = START / 1000
  assert.deepEqual(stream?.time, [start + 1, start + 2, start + 3])
  assert.deepEqual(stream?.heartrate, [null, 121, 122])
  assert.deepEqual(stream?.power, [170, 190, 180])
  assert.deepEqual(stream?.resistance, [40, 41, 42])
  const [first] = stream?.velocity_smooth ?? []
  assert.ok(Math.abs(Number(first) - (18 * 1609.344) / 3600) < 1e-9)
  const short = { ...PELOTON_SERIES, metrics: [{ slug: 'output', values: [5] }] }
  const [cut] = map({}, short).streams.values()
  assert.deepEqual([cut?.time.length, cut?.power], [1, [5]])
})

test('units are those of the account; a metric in another unit is left out', () => {
  const withSpeed = (display_unit: string) => ({
    ...PELOTON_SERIES,
    metrics: [
      { slug: 'speed', display_unit, average_value: 36, max_value: 36, values: [36, 36, 36] },
    ],
    summaries: [{ slug: 'distance', display_unit: 'km', value: 1.5 }],
  })
  const metric = map({}, withSpeed('kph'))
  assert.deepEqual([...metric.streams.values()][0]?.velocity_smooth, [10, 10, 10])
  assert.deepEqual([valuesOf(metric).distance_meter, valuesOf(metric).speed_mean], [1500, 10])
  const odd = map({}, withSpeed('knots'))
  assert.deepEqual([odd.streams.size, valuesOf(odd).speed_mean], [0, null])
  assert.deepEqual(odd.quarantined, [])
})

test('a pace is a speed where there is none, and strokes are a cadence', () => {
  const withMetrics = (metrics: object[], summaries: object[] = []) => {
    const data = map({}, { ...PELOTON_SERIES, metrics, summaries })
    const [stream] = data.streams.values()
    return [stream?.velocity_smooth, stream?.cadence, valuesOf(data)] as const
  }
  const values = [2.5, 0, 5]
  const alternatives = [
    { slug: 'speed', display_unit: 'kph', average_value: 9, values: [9, 18, 36] },
  ]
  const onFoot = { slug: 'pace', display_unit: 'min/km', average_value: 5, max_value: 4, values }
  const [converted, , totals] = withMetrics([onFoot])
  assert.deepEqual(
    converted?.map((value) => value && Math.round(value * 1e6) / 1e6),
    [6.666667, 3.333333],
  )
  assert.deepEqual([totals.speed_mean, totals.speed_maximum], [1000 / 300, 1000 / 240])
  // Beside a pace there may be the speed itself.
  assert.deepEqual(withMetrics([{ ...onFoot, alternatives }])[0], [2.5, 5, 10])
  const [split, strokes, rowed] = withMetrics(
    [
      { slug: 'split_pace', display_unit: 'min/500m', average_value: 2.5, values: [2.5, 2.5, 5] },
      { slug: 'stroke_rate', display_unit: 'spm', average_value: 24, values: [24, 25, 26] },
    ],
    [
      { slug: 'elevation', display_unit: 'ft', value: 100 },
      { slug: 'distance', display_unit: 'm', value: 1023.28 },
    ],
  )
  assert.deepEqual([split?.[2], strokes], [500 / 300, [24, 25, 26]])
  assert.deepEqual([rowed.elevation_gain_meter, rowed.distance_meter], [30.48, 1023.28])
})

test('a zone of a fixed offset is one, with the reverse of its sign', () => {
  const offset = (timezone: unknown) => map({ timezone }).summaries[0]?.timezoneOffset
  assert.equal(offset('Etc/GMT+5'), -18_000)
  assert.equal(offset('Etc/GMT-2'), 7200)
  assert.equal(map({ timezone: 'Etc/GMT+5' }).summaries[0]?.timeZone, '')
  for (const none of ['Nowhere/City', '', null, 7]) assert.equal(offset(none), null)
})

test('a workout outdoors has a route and another sport', () => {
  const coordinates = [1, 2, 3].map((seconds_offset_from_start) => ({
    latitude: 52.5 + seconds_offset_from_start / 1000,
    longitude: 13.4,
    seconds_offset_from_start,
  }))
  const series = { ...PELOTON_SERIES, location_data: [{ is_gap: false, coordinates }] }
  const data = map({ fitness_discipline: 'running' }, series)
  assert.equal(valuesOf(data).sport_slug, 'running')
  assert.ok(valuesOf(data).map_polyline)
  assert.deepEqual([...data.streams.values()][0]?.lat, [52.501, 52.502, 52.503])
  assert.equal(data.summaries[0]?.sourceType, 'unknown')
})

test('disciplines have sports of their own', () => {
  const sport = (fitness_discipline: string) => valuesOf(map({ fitness_discipline })).sport_slug
  for (const [discipline, expected] of [
    ['running', 'treadmill_running'],
    ['walking', 'indoor_walking'],
    ['caesar', 'rowing_machine'],
    ['rowing', 'rowing_machine'],
    ['strength', 'strength_training'],
    ['yoga', 'yoga'],
    ['meditation', 'meditation'],
    ['cardio', 'mixed_cardio'],
    ['bike_bootcamp', 'boot_camp'],
    ['circuit', 'boot_camp'],
    ['dance', 'other'],
  ] as const) {
    assert.equal(sport(discipline), expected, discipline)
  }
})

test('a workout that goes on is left out, and a wrong one quarantined', () => {
  for (const change of [{ status: 'IN_PROGRESS' }, { end_time: null }]) {
    const data = map(change)
    assert.deepEqual([data.summaries.length, data.quarantined.length], [0, 0])
  }
  for (const [change, series, reason] of [
    [{ id: '' }, undefined, 'invalid_field'],
    [{ start_time: 'now' }, undefined, 'invalid_start_date'],
    [{ end_time: 'now' }, undefined, 'invalid_end_date'],
    [{ end_time: PELOTON_WORKOUT.start_time - 1 }, undefined, 'end_before_start'],
    [{}, { summaries: [{ slug: 'calories', value: 'many' }] }, 'invalid_value'],
    [{}, { metrics: [{ slug: 'output', average_value: 1e6 }] }, 'out_of_range'],
  ] as const) {
    const data = map(change, series)
    assert.deepEqual(
      data.quarantined.map((one) => one.reason),
      [reason],
    )
    assert.equal(data.summaries.length, 0)
  }
})

test('pages follow until the last one, with the series of workouts of the range', () => {
  const page = (change: object) => ({ data: [PELOTON_WORKOUT], page: 1, page_count: 4, ...change })
  assert.equal(nextPage(page({})), '2')
  assert.equal(nextPage(page({ page: 3 })), null)
  assert.equal(nextPage(page({ show_next: false })), null)
  assert.equal(nextPage(page({ data: [] })), null)
  const old = {
    ...PELOTON_WORKOUT,
    id: 'old',
    start_time: 1_700_000_000,
    created_at: 1_700_000_000,
  }
  const answer = { data: [PELOTON_WORKOUT, old, { ...PELOTON_WORKOUT, status: 'IN_PROGRESS' }] }
  const wanted = detailsOf(answer, { range: RANGE })
  assert.deepEqual(
    wanted.map(({ id }) => id),
    [PELOTON_WORKOUT.id],
  )
  assert.equal(oldestOf(answer), 1_700_000_000_000)
  assert.equal(oldestOf({ data: [] }), null)
})
