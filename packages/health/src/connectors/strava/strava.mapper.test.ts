import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  STRAVA_ATHLETE,
  STRAVA_DETAIL,
  STRAVA_RUN,
  STRAVA_STREAMS,
} from '../../../../server/test/connectors/pages/strava.pages.ts'
import { toSport } from '../../summaries/index.ts'
import { PageData } from '../page-data.ts'
import { mapActivities, mapAthlete } from './strava.mapper.ts'
import { ACTIVITIES_A_PAGE, pagedByStart, requestsOf } from './strava-pages.ts'

const START = Date.UTC(2026, 6, 4, 5, 10, 20)

function map(records: readonly unknown[], ...details: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'strava' })
  mapActivities(records, data, details)
  return data
}

/** Columns with a value, of the only summary. */
function valuesOf({ summaries }: PageData): Record<string, unknown> {
  assert.equal(summaries.length, 1)
  const values = Object.entries(summaries[0]?.values ?? {})
  return Object.fromEntries(values.filter(([, value]) => value !== null))
}

const refused = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

const LISTED = {
  title: 'Around the lake',
  sport_name: 'Trail Running',
  sport_slug: 'trail_running',
  duration_active_second: 2520,
  heart_rate_mean: 151,
  heart_rate_maximum: 171,
  distance_meter: 8046.7,
  elevation_gain_meter: 41.5,
  elevation_maximum_meter: 61.2,
  elevation_minimum_meter: 22.4,
  speed_mean: 3.193,
  speed_maximum: 4.9,
  power_source: 'device',
  power_mean: 251.5,
  power_maximum: 390,
  power_weighted_mean: 262,
  map_summary_polyline: 'abc~12',
}

test('an activity has the fields of the list, the detail and the streams', () => {
  const data = map([STRAVA_RUN], STRAVA_DETAIL, STRAVA_STREAMS)
  const { raw, values: _, ...frame } = data.summaries[0] ?? assert.fail()
  assert.deepEqual(frame, {
    resource: 'workouts',
    recordId: '16012345678',
    sourceType: 'unknown',
    appId: '',
    deviceModel: 'Forerunner 965',
    calendarDate: null,
    startedAt: START,
    endedAt: START + 2_700_000,
    timezoneOffset: -25_200,
    timeZone: 'America/Los_Angeles',
    modifiedAt: null,
  })
  assert.equal(Object.hasOwn(raw as object, 'segment_efforts'), false)
  const { heart_rate_minimum, ...values } = valuesOf(data)
  assert.equal(heart_rate_minimum, 120)
  const zones = Object.keys(values).filter((name) => name.startsWith('heart_rate_zone_'))
  assert.equal(zones.length, 6)
  for (const [name, value] of Object.entries({
    ...LISTED,
    calories: 602.4,
    map_polyline: 'abc~1234',
  })) {
    assert.equal(values[name], value, name)
  }
  const second = START / 1000
  assert.deepEqual(
    [...data.streams.values()],
    [
      {
        // The third point is of the same second as the second.
        time: [second, second + 1, second + 4],
        distance: [0, 3.1, 12.4],
        altitude: [22.4, 22.4, 22.6],
        velocity_smooth: [0, 3.1, 3.1],
        heartrate: [null, 120, 126],
        // Steps of both legs.
        cadence: [160, 164, null],
        power: [null, 240, 255],
        temperature: [17, 17, 18],
        lat: [47.61, 47.611, null],
        lng: [-122.2, -122.201, null],
      },
    ],
  )
  assert.deepEqual([data.samples, data.quarantined], [[], []])
})

test('without further answers an activity has what the list has', () => {
  const data = map([STRAVA_RUN])
  assert.deepEqual(valuesOf(data), LISTED)
  assert.equal(data.streams.size, 0)
})

test('a manual entry is of the app, has no streams, and 0 for what is not known', () => {
  const none = { max_speed: 0, distance: 0, total_elevation_gain: 0, average_watts: 0, map: null }
  const manual = { ...STRAVA_RUN, id: 5, manual: true, ...none }
  const { requests, wanted } = requestsOf([manual, STRAVA_DETAIL, 7])
  assert.deepEqual(
    requests.map((request) => 'path' in request && request.path),
    ['/api/v3/activities/5', '/api/v3/activities/16012345678/streams'],
  )
  assert.ok(requests.every(({ isOptional }) => isOptional))
  assert.deepEqual(
    wanted.map(({ detail, streams }) => [detail, streams]),
    [
      [0, null],
      [null, 1],
      [null, null],
    ],
  )
  const data = map([manual], { ...manual, resource_state: 3, calories: 0 })
  assert.equal(data.summaries[0]?.sourceType, 'app')
  const values = valuesOf(data)
  const unknown = ['speed_maximum', 'distance_meter', 'calories', 'map_summary_polyline']
  for (const name of [...unknown, 'elevation_gain_meter', 'power_mean', 'power_source']) {
    assert.equal(values[name], undefined, name)
  }
  assert.equal(valuesOf(map([{ ...STRAVA_RUN, ...none }])).elevation_gain_meter, 0)
})

test('the offset is that of the moment, and without it that of the zone', () => {
  const offsetOf = (change: object) => map([{ ...STRAVA_RUN, ...change }]).summaries[0]
  assert.equal(offsetOf({ utc_offset: 20_700 })?.timezoneOffset, 20_700)
  assert.equal(offsetOf({ utc_offset: null })?.timezoneOffset, -25_200)
  const local = offsetOf({ utc_offset: undefined, timezone: '(GMT+01:00) Nowhere/Land' })
  assert.deepEqual([local?.timezoneOffset, local?.timeZone], [-25_200, ''])
  const unknown = offsetOf({ utc_offset: null, timezone: null, start_date_local: null })
  assert.deepEqual([unknown?.timezoneOffset, unknown?.timeZone], [null, ''])
})

test('heart rates that the athlete hides are unknown, and power without a meter is estimated', () => {
  const values = valuesOf(map([{ ...STRAVA_RUN, has_heartrate: false, device_watts: false }]))
  assert.equal(values.heart_rate_mean, undefined)
  assert.equal(values.power_source, 'estimate')
})

test('a stream loses the channels that are invalid', () => {
  const points = (...data: unknown[]) => ({ data })
  const streams = {
    ...{ time: points(0, 1), heartrate: points(120), watts: points(200, 'x') },
    ...{ temp: points(20, 21), latlng: points([95, 7], [52, 7]) },
  }
  const data = map([STRAVA_DETAIL], streams)
  const [stream] = data.streams.values()
  assert.deepEqual(Object.keys(stream ?? {}).sort(), ['lng', 'temperature', 'time'])
  assert.deepEqual(
    data.quarantined.map(({ item }) => (item as { type: string }).type),
    ['heartrate', 'watts', 'latlng'],
  )
  const partly = map([STRAVA_DETAIL], { time: points(0, 1), latlng: points([52, 7], []) })
  const [{ lat, lng } = assert.fail()] = partly.streams.values()
  assert.deepEqual([lat, lng, partly.quarantined], [[52, null], [7, null], []])
  for (const time of [points(0, -5), points('0'), points(null)]) {
    const wrong = map([STRAVA_DETAIL], { time })
    assert.equal(wrong.streams.size, 0)
    assert.deepEqual(refused(wrong), [['workout_stream', 'invalid_value']])
    assert.equal(wrong.summaries.length, 1)
  }
  const listed = [
    { type: 'time', ...points(0) },
    { type: 'temp', ...points(4) },
  ]
  assert.equal(map([STRAVA_DETAIL], listed).streams.size, 1)
  assert.equal(map([STRAVA_DETAIL], { temp: points(1) }, 7).streams.size, 0)
})

test('pages are counted, and the last one is not full', () => {
  const range = { from: Date.UTC(2026, 0, 1), to: Date.UTC(2026, 0, 2, 0, 0, 0, 500) }
  const full = Array.from({ length: ACTIVITIES_A_PAGE }, () => STRAVA_RUN)
  assert.equal(pagedByStart.next(full, { range, cursor: null, context: NO_CONTEXT }), '2')
  assert.equal(pagedByStart.next(full, { range, cursor: '2', context: NO_CONTEXT }), '3')
  assert.equal(pagedByStart.next(full.slice(1), { range, cursor: '3', context: NO_CONTEXT }), null)
  const { query } = pagedByStart.page(range, '2', NO_CONTEXT)
  assert.deepEqual(query, {
    after: String(range.from / 1000 - 1),
    before: String(Math.floor(range.to / 1000) + 1),
    per_page: '20',
    page: '2',
  })
})

test('each type of sport has its sport', () => {
  const types = `AlpineSki BackcountrySki Badminton Basketball Canoeing Cricket Crossfit Dance
    EBikeRide Elliptical EMountainBikeRide Golf GravelRide Handcycle HighIntensityIntervalTraining
    Hike IceSkate InlineSkate Kayaking Kitesurf MountainBikeRide NordicSki Padel Pickleball Pilates
    Racquetball Ride RockClimbing RollerSki Rowing Run Sail Skateboard Snowboard Snowshoe Soccer
    Squash StairStepper StandUpPaddling Surfing Swim TableTennis Tennis TrailRun Velomobile
    VirtualRide VirtualRow VirtualRun Volleyball Walk WeightTraining Wheelchair Windsurf Workout
    Yoga`.split(/\s+/)
  const others = types.filter((type) => toSport(type).slug === 'other')
  assert.deepEqual(others, ['Workout'])
  const older = valuesOf(map([{ ...STRAVA_RUN, sport_type: undefined }]))
  assert.equal(older.sport_slug, 'running')
  assert.equal(valuesOf(map([{ ...STRAVA_RUN, sport_type: 'Quidditch' }])).sport_slug, 'other')
})

test('of an athlete the sex is kept, and no name', () => {
  const sexOf = (sex: unknown) => {
    const data = new PageData({ userId: 'u', provider: 'strava' })
    mapAthlete({ ...STRAVA_ATHLETE, sex }, data)
    assert.doesNotMatch(JSON.stringify(data.summaries), /Anna|Bellevue/)
    return valuesOf(data).sex
  }
  assert.deepEqual(['F', 'M', 'X', null].map(sexOf), ['female', 'male', undefined, undefined])
})

test('a wrong activity is quarantined with its reason, and fails no other', () => {
  for (const [change, reason] of [
    [{ id: null }, 'invalid_field'],
    [{ id: 2 ** 60 }, 'invalid_field'],
    [{ start_date: '2026-07-04T05:10:20' }, 'invalid_start_date'],
    [{ elapsed_time: null }, 'invalid_end_date'],
    [{ elapsed_time: -1 }, 'out_of_range'],
    [{ utc_offset: 'PST' }, 'invalid_field'],
    [{ distance: '8 km' }, 'invalid_value'],
    [{ average_heartrate: 900 }, 'out_of_range'],
    [{ map: 7 }, 'not_an_object'],
  ] as const) {
    const data = map([{ ...STRAVA_RUN, ...change }, STRAVA_RUN, null])
    assert.deepEqual(refused(data), [
      ['workouts', reason],
      ['workouts', 'not_an_object'],
    ])
    assert.equal(data.summaries.length, 1)
  }
})
