import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { toSport } from '../../summaries/index.ts'
import type { Collection } from '../connector.ts'
import { PageData } from '../page-data.ts'
import { FITBIT } from './fitbit.connector.ts'
import { mapWorkouts, streamDetails } from './workouts.mapper.ts'

/** Payloads are constructed in the form of the vendor's documentation, with invented values. */

const RUN = {
  logId: 61_000_000_001,
  activityName: 'Run',
  activityTypeId: 90009,
  startTime: '2026-02-10T23:40:30.000-05:00',
  duration: 2_400_000,
  activeDuration: 2_340_000,
  calories: 402,
  distance: 6.2,
  distanceUnit: 'Kilometer',
  steps: 6100,
  speed: 9.3,
  averageHeartRate: 151,
  elevationGain: 24.4,
  heartRateZones: [{ name: 'Cardio', min: 120, max: 150, minutes: 20 }],
  lastModified: '2026-02-11T06:00:00.000Z',
  logType: 'tracker',
  source: { name: 'Charge 6', type: 'tracker' },
}
const START = Date.parse(RUN.startTime)

function map(records: readonly unknown[], details: readonly unknown[] = []) {
  const data = new PageData({ userId: 'u', provider: 'fitbit' })
  mapWorkouts({ activities: records, pagination: { next: '' } }, data, details)
  return data
}
const idsOf = (data: PageData) => data.summaries.map(({ recordId }) => recordId)

test('an activity log is a workout with its own offset', () => {
  const { summaries, quarantined } = map([RUN])
  assert.deepEqual(quarantined, [])
  const [run] = summaries
  assert.ok(run !== undefined)
  const { values, raw: _raw, ...frame } = run
  assert.deepEqual(frame, {
    resource: 'workouts',
    recordId: '61000000001',
    sourceType: 'watch',
    appId: '',
    deviceModel: 'Charge 6',
    calendarDate: null,
    startedAt: START,
    endedAt: START + 2_400_000,
    timezoneOffset: -18_000,
    timeZone: '',
    modifiedAt: Date.UTC(2026, 1, 11, 6),
  })
  const given = Object.entries(values).filter(([, value]) => value !== null)
  assert.deepEqual(Object.fromEntries(given), {
    title: 'Run',
    sport_name: 'Running',
    sport_slug: 'running',
    duration_active_second: 2340,
    calories: 402,
    distance_meter: 6200,
    elevation_gain_meter: 24.4,
    speed_mean: 9.3 / 3.6,
    heart_rate_mean: 151,
    steps: 6100,
  })
})

const known = (workout: { values: object } | undefined) =>
  (workout?.values ?? {}) as Record<string, unknown>

test('units and sources are those of the log', () => {
  const of = (change: object) => map([{ ...RUN, ...change }]).summaries[0]
  const meters = (change: object): unknown => known(of(change)).distance_meter
  assert.equal(meters({ distanceUnit: 'Mile', distance: 1 }), 1609.344)
  assert.equal(meters({ distanceUnit: undefined }), 6200)
  assert.equal(meters({ distanceUnit: 'League' }), null)
  assert.equal(of({ logType: 'manual' })?.sourceType, 'app')
  assert.equal(of({ logType: 'mobile_run' })?.sourceType, 'phone')
  assert.equal(of({ logType: undefined })?.sourceType, 'unknown')
})

test('a run that tracker and phone recorded is stored once', () => {
  const phone = {
    ...RUN,
    logId: 2,
    logType: 'mobile_run',
    startTime: '2026-02-10T23:42:00.000-05:00',
  }
  assert.deepEqual(idsOf(map([RUN, phone])), ['61000000001'])
  assert.deepEqual(idsOf(map([phone, RUN])), ['61000000001'])
  // Another sport, a time of its own, or an entry by hand is another workout.
  for (const change of [
    { activityName: 'Walk' },
    { startTime: '2026-02-11T00:15:00.000-05:00' },
    { logType: 'manual' },
  ]) {
    assert.equal(idsOf(map([RUN, { ...phone, ...change }])).length, 2)
  }
})

test('a wrong log is quarantined with its reason, and fails no other', () => {
  for (const [change, reason] of [
    [{ startTime: '2026-02-10T23:40:30.000' }, 'invalid_start_date'],
    [{ startTime: 7 }, 'invalid_start_date'],
    [{ duration: 'long' }, 'invalid_end_date'],
    [{ calories: 'x' }, 'invalid_value'],
    [{ averageHeartRate: 900 }, 'out_of_range'],
  ] as const) {
    const data = map([{ ...RUN, logId: 3, ...change }, null, RUN])
    assert.deepEqual(idsOf(data), ['61000000001'])
    assert.deepEqual(
      data.quarantined.map((item) => item.reason).sort(),
      [reason, 'not_an_object'].sort(),
    )
  }
})

const rowsOf = (name: string, ...rows: [time: string, value: unknown][]) => ({
  [`activities-${name}`]: [],
  [`activities-${name}-intraday`]: { dataset: rows.map(([time, value]) => ({ time, value })) },
})

test('the stream of a workout is what was measured during it', () => {
  const manual = { ...RUN, logId: 4, logType: 'manual', startTime: '2026-02-09T10:00:00.000-05:00' }
  const answer = { activities: [manual, RUN] }
  const paths = streamDetails(answer).map((detail) => 'path' in detail && detail.path)
  const time = 'time/23:40/00:21.json'
  assert.deepEqual(paths, [
    `/1/user/-/activities/heart/date/2026-02-10/2026-02-11/1sec/${time}`,
    `/1/user/-/activities/distance/date/2026-02-10/2026-02-11/1min/${time}`,
    `/1/user/-/activities/steps/date/2026-02-10/2026-02-11/1min/${time}`,
  ])
  const details = [
    rowsOf('heart', ['23:40:35', 120], ['23:59:58', 150], ['00:00:03', 'x'], ['00:10:00', 155.4]),
    rowsOf('distance', ['23:40:00', 0.05], ['23:41:00', 0.155], ['00:21:00', 9]),
    undefined,
  ]
  const { streams, summaries } = map([manual, RUN], details)
  assert.equal(summaries.length, 2)
  const [stream] = streams.values()
  const seconds = START / 1000
  assert.deepEqual(stream, {
    time: [seconds, seconds + 5, seconds + 30, seconds + 1168, seconds + 1770],
    heartrate: [null, 120, null, 150, 155],
    distance: [50, null, 205, null, null],
    cadence: [],
  })
  assert.equal(streams.size, 1)
  assert.equal(map([RUN], [undefined, undefined, undefined]).streams.size, 0)
})

test('pages end with a log after the range', () => {
  const { page, next } = FITBIT.collections.find(
    ({ name }) => name === 'activity_logs',
  ) as Collection
  const range = { from: Date.UTC(2026, 1, 9), to: Date.UTC(2026, 1, 12) }
  const query = { afterDate: '2026-02-07', sort: 'asc', offset: '0', limit: '100' }
  assert.deepEqual(page(range, null, NO_CONTEXT), { path: '/1/user/-/activities/list.json', query })
  const url =
    'https://api.fitbit.com/1/user/-/activities/list.json?offset=100&limit=100&sort=asc&afterDate=2026-02-07'
  const after = (startTime: unknown, following = url) =>
    next(
      { activities: [RUN, { startTime }], pagination: { next: following } },
      { range, cursor: null, context: NO_CONTEXT },
    )
  const cursor = after(RUN.startTime)
  assert.deepEqual(page(range, cursor, NO_CONTEXT).query, { ...query, offset: '100' })
  assert.equal(after('2026-02-13T08:00:00.000+01:00'), null)
  assert.equal(after(RUN.startTime, ''), null)
  assert.equal(after(RUN.startTime, 'no address'), null)
})

test("the vendor's names of sports are known", () => {
  const sports = {
    Run: 'running',
    Walk: 'walking',
    Hike: 'hiking',
    Bike: 'cycling',
    'Outdoor Bike': 'cycling',
    Spinning: 'stationary_biking',
    'Bicycling, stationary': 'stationary_biking',
    Treadmill: 'treadmill_running',
    'Treadmill run': 'treadmill_running',
    Swim: 'swimming',
    Elliptical: 'elliptical',
    Weights: 'strength_training',
    'Aerobic Workout': 'mixed_cardio',
    'Interval Workout': 'high_intensity_interval_training',
    'Circuit Training': 'circuit_training',
    CrossFit: 'cross_training',
    Bootcamp: 'boot_camp',
    'Martial Arts': 'martial_arts',
    Kickboxing: 'kickboxing',
    Yoga: 'yoga',
    'Vinyasa Yoga': 'yoga',
    Pilates: 'pilates',
    'Barre class': 'barre',
    Meditating: 'meditation',
    Tennis: 'tennis',
    Golf: 'golf',
    Stairclimber: 'stair_climbing_machine',
    'Rowing Machine': 'rowing_machine',
    // Names of no particular sport.
    Sport: 'other',
    Workout: 'other',
    'Outdoor workout': 'other',
  }
  for (const [name, slug] of Object.entries(sports)) assert.equal(toSport(name).slug, slug, name)
})
