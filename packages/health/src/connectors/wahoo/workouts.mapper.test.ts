import assert from 'node:assert/strict'
import { test } from 'node:test'
import polylineCodec from '@googlemaps/polyline-codec'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  WAHOO_FILE,
  WAHOO_PAGES,
  WAHOO_SUMMARY,
  WAHOO_WORKOUT,
} from '../../../../server/test/connectors/pages/wahoo.pages.ts'
import { PageData } from '../page-data.ts'
import { filesOf, mapWorkouts } from './workouts.mapper.ts'

/** Payloads are constructed in the form of the vendor's documentation. */

const START = Date.UTC(2026, 1, 5, 7)
const REQUEST = { range: { from: START, to: START + 1 }, cursor: null, context: NO_CONTEXT }

function map(answer: unknown, details: readonly unknown[] = []): PageData {
  const data = new PageData({ userId: 'u', provider: 'wahoo' })
  mapWorkouts(answer, data, details, REQUEST)
  return data
}
const list = (...workouts: readonly unknown[]) => WAHOO_PAGES.workouts?.page(workouts)
const ride = (workout: object = {}, summary: object = {}, details: readonly unknown[] = []) =>
  map(
    list({ ...WAHOO_WORKOUT, ...workout, workout_summary: { ...WAHOO_SUMMARY, ...summary } }),
    details,
  )
const valuesOf = ({ summaries }: PageData) => summaries[0]?.values as Record<string, unknown>

/** 10,000 ms after the last change of the example. */
const CHANGED = Date.parse('2026-02-05T08:06:30Z')

test('a workout has the numbers of its summary, which are texts', () => {
  const data = ride()
  assert.deepEqual(data.quarantined, [])
  const [workout] = data.summaries
  assert.ok(workout !== undefined)
  const { values, raw: _raw, ...frame } = workout
  assert.deepEqual(frame, {
    resource: 'workouts',
    recordId: '56103',
    sourceType: 'unknown',
    appId: '',
    deviceModel: '',
    calendarDate: null,
    startedAt: START,
    endedAt: START + 3_600_000,
    timezoneOffset: null,
    timeZone: '',
    modifiedAt: CHANGED,
  })
  const zones = [1, 2, 3, 4, 5, 6].map((zone) => [`heart_rate_zone_${zone}`, null])
  assert.deepEqual(values, {
    title: 'Morning Ride',
    sport_name: 'Road Biking',
    sport_slug: 'road_biking',
    duration_active_second: 3480,
    heart_rate_mean: 141,
    heart_rate_minimum: null,
    heart_rate_maximum: null,
    ...Object.fromEntries(zones),
    distance_meter: 24_909.71,
    calories: 612,
    elevation_gain_meter: 450,
    elevation_maximum_meter: null,
    elevation_minimum_meter: null,
    speed_mean: 7.16,
    speed_maximum: null,
    power_source: null,
    power_mean: 187.59,
    power_maximum: null,
    power_weighted_mean: 203,
    steps: null,
    map_polyline: null,
    map_summary_polyline: null,
  })
})

test('its file has a stream, a route and extremes, and counts above the summary alone', () => {
  const data = ride({}, {}, [WAHOO_FILE])
  assert.deepEqual(data.quarantined, [])
  assert.equal(data.summaries[0]?.modifiedAt, CHANGED + 1)
  const second = START / 1000
  const [stream] = data.streams.values()
  assert.deepEqual(stream, {
    time: [second, second + 1, second + 2],
    cadence: [84, 84, 84],
    altitude: [26.4, 27.4, 28.4],
    velocity_smooth: [7.16, 7.16, 7.16],
    heartrate: [140, 141, 142],
    // A half of a semicircle is 4e-8 degrees.
    lat: stream?.lat,
    lng: stream?.lng,
    distance: [0, 7.16, 14.32],
    power: [190, null, 190],
    temperature: [-3, -3, -3],
  })
  for (const [index, lat] of [60.17116, 60.17126, 60.17136].entries()) {
    assert.ok(Math.abs((stream?.lat?.[index] ?? 0) - lat) < 1e-7)
    assert.ok(Math.abs((stream?.lng?.[index] ?? 0) - 24.93258) < 1e-7)
  }
  const values = valuesOf(data)
  assert.deepEqual(
    [values.heart_rate_minimum, values.heart_rate_maximum, values.heart_rate_mean],
    [140, 142, 141],
  )
  assert.deepEqual([values.elevation_minimum_meter, values.elevation_maximum_meter], [26.4, 28.4])
  assert.deepEqual([values.speed_maximum, values.power_maximum], [7.16, 190])
  const line = polylineCodec.decode(String(values.map_polyline), 5)
  assert.deepEqual(line[2], [60.17136, 24.93258])
})

test('on foot the file counts one leg, and streams count both', () => {
  const [stream] = ride({ workout_type_id: 1 }, {}, [WAHOO_FILE]).streams.values()
  assert.deepEqual(stream?.cadence, [168, 168, 168])
})

test('a file that is damaged, or none, leaves the workout without a stream', () => {
  const damaged = Buffer.from(WAHOO_FILE)
  damaged.writeUInt8(99, 100)
  for (const file of [
    damaged,
    WAHOO_FILE.subarray(0, 60),
    Buffer.from('<html>'),
    Buffer.alloc(0),
  ]) {
    const data = ride({}, {}, [file])
    assert.deepEqual(
      data.quarantined.map(({ resource, reason }) => [resource, reason]),
      [['workout_stream', 'invalid_field']],
    )
    assert.equal(data.summaries[0]?.modifiedAt, CHANGED)
    assert.equal(data.streams.size, 0)
  }
  // The vendor refused it.
  assert.deepEqual(ride({}, {}, [undefined]).quarantined, [])
})

test('files are those of the workouts of the range at the hosts of the vendor', () => {
  const { url } = WAHOO_SUMMARY.file
  const older = { ...WAHOO_WORKOUT, id: 1, starts: '2026-02-04T07:00:00.000Z' }
  const bare = { ...WAHOO_WORKOUT, workout_summary: { ...WAHOO_SUMMARY, file: null } }
  const foreign = { ...WAHOO_SUMMARY, file: { url: 'https://files.example/x.fit' } }
  const page = list(bare, WAHOO_WORKOUT, older, { ...WAHOO_WORKOUT, workout_summary: foreign })
  assert.deepEqual(filesOf(page, REQUEST), [{ fileUrl: url, isOptional: true }])
  const all = { range: { from: 0, to: 0 }, cursor: null, context: NO_CONTEXT }
  assert.equal(filesOf(list(older), all).length, 1)
  const listed = { ...WAHOO_SUMMARY, file: undefined, files: [WAHOO_SUMMARY.file] }
  const many = list({ ...WAHOO_WORKOUT, workout_summary: listed })
  assert.deepEqual(filesOf(many, REQUEST), [{ fileUrl: url, isOptional: true }])
})

test('a planned workout, and one that is being processed, is none yet', () => {
  const nulls = Object.fromEntries(
    Object.entries(WAHOO_SUMMARY).map(([name, value]) => [
      name,
      /_(?:accum|avg|last)$/.test(name) ? null : value,
    ]),
  )
  for (const workout_summary of [null, undefined, nulls]) {
    const data = map(list({ ...WAHOO_WORKOUT, workout_summary }))
    assert.deepEqual([data.summaries, data.quarantined], [[], []])
  }
})

test('zeros stand for none, and minutes for a missing duration', () => {
  const zeros = {
    distance_accum: '0.00',
    heart_rate_avg: '0.00',
    power_avg: '0.00',
    duration_total_accum: null,
  }
  const data = ride({}, zeros)
  const values = valuesOf(data)
  assert.deepEqual(
    [values.distance_meter, values.heart_rate_mean, values.power_mean],
    [null, null, null],
  )
  assert.equal(data.summaries[0]?.endedAt, START + 61 * 60_000)
  const parts = { duration_active_accum: '2400.0', duration_paused_accum: '60.00' }
  const bare = ride({ minutes: null }, { ...zeros, ...parts, heart_rate_avg: '' })
  assert.equal(bare.summaries[0]?.endedAt, START + 2_460_000)
})

test('a workout without a name or zone has those of its summary, and the other way round', () => {
  const named = ride({ name: null, time_zone: 'America/New_York' }, { name: 'Easy Ride' })
  assert.equal(valuesOf(named).title, 'Easy Ride')
  assert.equal(named.summaries[0]?.timezoneOffset, -18_000)
})

test('a newer summary has the zone of the place and says who entered it', () => {
  const data = ride({}, { time_zone: 'America/New_York', manual: true, heart_rate_max: '170.00' })
  assert.equal(data.summaries[0]?.timezoneOffset, -18_000)
  assert.equal(data.summaries[0]?.sourceType, 'app')
  assert.equal(valuesOf(data).heart_rate_maximum, 170)
  assert.equal(ride({}, { time_zone: 'Mars/Base' }).summaries[0]?.timezoneOffset, null)
})

test('the body of a message and a single workout are pages too', () => {
  const { workout_summary: summary, ...workout } = WAHOO_WORKOUT
  const message = {
    event_type: 'workout_summary',
    webhook_token: 'a-secret',
    user: { id: 60_462 },
    workout_summary: { ...summary, workout },
  }
  for (const answer of [message, WAHOO_WORKOUT]) {
    const data = map(answer)
    assert.deepEqual(valuesOf(data), valuesOf(ride()))
    assert.doesNotMatch(JSON.stringify(data.summaries), /a-secret/)
  }
})

test('a later change counts, whichever arrives first', () => {
  const later = '2026-02-11T00:00:00.000Z'
  assert.equal(ride({}, { updated_at: later }).summaries[0]?.modifiedAt, Date.parse(later))
  assert.equal(ride({ updated_at: later }).summaries[0]?.modifiedAt, Date.parse(later))
  const unknown = ride({ updated_at: null }, { updated_at: 'soon' })
  assert.equal(unknown.summaries[0]?.modifiedAt, null)
})

test('a wrong workout is quarantined with its reason, and fails no other', () => {
  for (const [workout, summary, reason] of [
    [{ starts: '2026-02-05T07:00:00' }, {}, 'invalid_start_date'],
    [{ starts: null }, {}, 'invalid_start_date'],
    [{ id: null }, {}, 'invalid_field'],
    [{ workout_type_id: 'bike' }, {}, 'invalid_value'],
    [{}, { distance_accum: 'far' }, 'invalid_value'],
    [{}, { heart_rate_avg: '900.00' }, 'out_of_range'],
    [{}, { duration_total_accum: '-1.00' }, 'out_of_range'],
  ] as const) {
    const wrong = {
      ...WAHOO_WORKOUT,
      ...workout,
      workout_summary: { ...WAHOO_SUMMARY, ...summary },
    }
    const data = map(list(wrong, WAHOO_WORKOUT, 7))
    assert.deepEqual(
      data.quarantined.map((item) => item.reason),
      [reason, 'not_an_object'],
    )
    assert.equal(data.summaries.length, 1)
  }
  // A summary without its workout has no time.
  assert.equal(map(WAHOO_SUMMARY).quarantined[0]?.reason, 'invalid_start_date')
  assert.equal(map(list({ ...WAHOO_WORKOUT, workout_summary: 7 })).quarantined.length, 1)
})

/** Numbers of the vendor that are no sport of the table. */
const OTHERS = [2, 18, 42, 47, 65, 255, 9999]
const SPORT_OF: readonly (readonly [number, string])[] = [
  [0, 'cycling'],
  [1, 'running'],
  [3, 'track_running'],
  [4, 'trail_running'],
  [5, 'treadmill_running'],
  [6, 'walking'],
  [7, 'speed_walking'],
  [8, 'speed_walking'],
  [9, 'hiking'],
  [10, 'mountaineering'],
  [11, 'cyclocross'],
  [12, 'stationary_biking'],
  [13, 'mountain_biking'],
  [14, 'recumbent_cycling'],
  [15, 'road_biking'],
  [16, 'track_cycling'],
  [17, 'motorcycling'],
  [19, 'treadmill_running'],
  [20, 'elliptical'],
  [21, 'stationary_biking'],
  [22, 'rowing_machine'],
  [23, 'stair_climbing_machine'],
  [25, 'pool_swimming'],
  [26, 'open_water_swimming'],
  [27, 'snowboarding'],
  [28, 'skiing'],
  [29, 'downhill_skiing'],
  [30, 'cross_country_skiing'],
  [31, 'skating_sports'],
  [32, 'ice_skating'],
  [33, 'inline_skating'],
  [34, 'skateboarding'],
  [35, 'sailing'],
  [36, 'windsurfing'],
  [37, 'canoeing'],
  [38, 'kayaking'],
  [39, 'rowing'],
  [40, 'kitesurfing'],
  [41, 'stand_up_paddling'],
  [43, 'exercise_class'],
  [44, 'stair_climbing_machine'],
  [45, 'wheelchair'],
  [46, 'golf'],
  [49, 'stationary_biking'],
  [56, 'indoor_walking'],
  [61, 'stationary_biking'],
  [62, 'swim_bike_run'],
  [63, 'transition'],
  [64, 'electric_biking'],
  [66, 'yoga'],
  [67, 'running'],
  [68, 'virtual_cycling'],
  [69, 'mind_and_body'],
  [70, 'hand_cycling'],
  [71, 'virtual_running'],
]

test('every number of a type is a sport', () => {
  const sportOf = (workout_type_id: number) => valuesOf(ride({ workout_type_id })).sport_slug
  for (const [type, slug] of SPORT_OF) assert.equal(sportOf(type), slug, String(type))
  for (const type of OTHERS) assert.equal(sportOf(type), 'other')
})
