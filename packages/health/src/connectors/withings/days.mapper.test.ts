import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DAY_MS } from '@salus/contracts/time-units'
import { assertSummary } from '../../../../server/test/connectors/assert-summary.ts'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  WITHINGS_DAY,
  WITHINGS_WORKOUT,
} from '../../../../server/test/connectors/pages/withings.pages.ts'
import { toSport } from '../../summaries/index.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { intradayDetails, mapActivity, mapIntraday, mapWorkouts } from './days.mapper.ts'
import { CATEGORIES, sportOf } from './sports.ts'

/** The payloads are constructed from the documentation, with invented values. */

const answer = (body: object) => ({ status: 0, body })
const fresh = () => new PageData({ userId: 'u', provider: 'withings' })
const reasonsOf = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

function mapDays(activities: readonly unknown[]): PageData {
  const data = fresh()
  mapActivity(answer({ activities }), data)
  return data
}

test('a day is one of the person, with seconds by intensity', () => {
  const { summaries, quarantined } = mapDays([WITHINGS_DAY])
  assert.deepEqual(quarantined, [])
  const [day] = summaries
  assert.ok(day !== undefined)
  const { values, raw, ...frame } = day
  assert.equal(raw, WITHINGS_DAY)
  assert.deepEqual(frame, {
    resource: 'activity',
    recordId: '2026-02-10',
    sourceType: 'watch',
    appId: '',
    deviceModel: 'ScanWatch',
    calendarDate: '2026-02-10',
    startedAt: Date.UTC(2026, 1, 10),
    endedAt: Date.UTC(2026, 1, 10),
    timezoneOffset: -18_000,
    timeZone: 'America/New_York',
    modifiedAt: 1_770_790_000_000,
  })
  assert.deepEqual(values, {
    calories_total: 2_305.5,
    calories_active: 402.75,
    steps: 8_421,
    distance_meter: 6_102.4,
    floors_climbed: 11,
    duration_active_second: 2_820,
    intensity_sedentary_second: null,
    intensity_low_second: 7_260,
    intensity_medium_second: 1_980,
    intensity_high_second: 840,
    heart_rate_mean: 71,
    heart_rate_minimum: 48,
    heart_rate_maximum: 152,
    heart_rate_resting: null,
    heart_rate_mean_walking: null,
    wheelchair_use: null,
    wheelchair_push: null,
  })
})

test('a day of another app is stored by its device, unless a tracker has the same day', () => {
  const other = { ...WITHINGS_DAY, is_tracker: false, brand: 18, modelid: 1055, steps: 99 }
  const stepsOf = (data: PageData) =>
    data.summaries.map(({ sourceType, values }) => [sourceType, 'steps' in values && values.steps])
  assert.deepEqual(stepsOf(mapDays([other])), [['unknown', 99]])
  assert.deepEqual(stepsOf(mapDays([{ ...other, modelid: 1057 }])), [['phone', 99]])
  for (const both of [
    [other, WITHINGS_DAY],
    [WITHINGS_DAY, other],
  ]) {
    assert.deepEqual(stepsOf(mapDays(both)), [['watch', 8_421]])
  }
})

test('a wrong day is quarantined alone; a missing value is none', () => {
  const { hr_min: _min, ...less } = { ...WITHINGS_DAY, hr_average: 0, elevation: null }
  const [day] = mapDays([less]).summaries
  assertSummary(day, 'activity')
  assert.equal(day.values.floors_climbed, null)
  for (const [change, reason] of [
    [{ date: '2026-02-30' }, 'invalid_date'],
    [{ date: null }, 'invalid_date'],
    [{ steps: '8421' }, 'invalid_value'],
    [{ soft: 100_000 }, 'out_of_range'],
    [{ hr_max: -1 }, 'out_of_range'],
  ] as const) {
    const data = mapDays([{ ...WITHINGS_DAY, ...change }, WITHINGS_DAY, []])
    assert.deepEqual(reasonsOf(data), [
      ['activity', reason],
      ['activity', 'not_an_object'],
    ])
    assert.equal(data.summaries.length, 1)
  }
})

test('rows of a day are heart rates and oxygen, with the zone of the day that they fall on', () => {
  const series = {
    1770700000: { heart_rate: 62, spo2_auto: 97, model_id: 93, steps: 3 },
    1770700060: { duration: 60, model_id: 93 },
    1770700120: { heart_rate: 0, spo2_auto: 0 },
    1770760800: { heart_rate: 71 },
  }
  const days = [
    { date: '2026-02-10', timezone: 'Europe/Paris' },
    { date: '2026-02-11', timezone: 'Asia/Tokyo' },
  ]
  const data = fresh()
  mapIntraday(answer({ series }), data, [answer({ activities: days })])
  assert.deepEqual(
    data.samples.map((sample) => [
      sample.series,
      sample.startedAt,
      sample.value,
      sample.timezoneOffset,
      sample.sourceType,
    ]),
    [
      ['heartrate', 1_770_700_000_000, 62, 3600, 'watch'],
      ['blood_oxygen', 1_770_700_000_000, 97, 3600, 'watch'],
      ['heartrate', 1_770_760_800_000, 71, 3600, 'unknown'],
    ],
  )
  assert.deepEqual(data.quarantined, [])
  const alone = fresh()
  mapIntraday(answer({ series }), alone, [])
  assert.deepEqual(
    alone.samples.map(({ timezoneOffset }) => timezoneOffset),
    [null, null, null],
  )
})

test('wrong rows are quarantined; an empty day is a list, and needs no zones', () => {
  const data = fresh()
  const rows = { x: { heart_rate: 60 }, 1770700000: 7, 1770700060: { heart_rate: '60' } }
  mapIntraday(answer({ series: rows }), data, [])
  assert.deepEqual(reasonsOf(data).sort(), [
    ['heartrate', 'invalid_start_date'],
    ['heartrate', 'invalid_value'],
    ['heartrate', 'not_an_object'],
  ])
  const from = Date.UTC(2026, 1, 10)
  const request = { range: { from, to: from + DAY_MS }, cursor: null, context: NO_CONTEXT }
  assert.deepEqual(intradayDetails(answer({ series: [] }), request), [])
  assert.deepEqual(intradayDetails(answer({ series: rows }), request), [
    {
      method: 'POST',
      path: '/v2/measure',
      form: {
        action: 'getactivity',
        data_fields: 'steps',
        startdateymd: '2026-02-09',
        enddateymd: '2026-02-12',
      },
      isOptional: true,
    },
  ])
  assert.throws(() => mapIntraday(answer({ series: [7] }), fresh(), []), VendorError)
})

const mapWorkout = (change: object): PageData => {
  const data = fresh()
  mapWorkouts(answer({ series: [{ ...WITHINGS_WORKOUT, ...change }] }), data)
  return data
}

test('a workout has its moving time, and no heart rate of 0', () => {
  const { summaries, quarantined } = mapWorkout({})
  assert.deepEqual(quarantined, [])
  const [workout] = summaries
  assertSummary(workout, 'workouts')
  const { startedAt, endedAt, timezoneOffset, calendarDate, recordId, sourceType } = workout
  assert.deepEqual(
    [startedAt, endedAt, timezoneOffset, calendarDate, recordId, sourceType],
    [
      Date.UTC(2026, 1, 10, 23),
      Date.UTC(2026, 1, 10, 23, 45, 30),
      -18_000,
      '2026-02-10',
      '880001',
      'watch',
    ],
  )
  const { values } = workout
  assert.equal(values.duration_active_second, 2_730 - 90)
  assert.deepEqual(
    [values.heart_rate_mean, values.heart_rate_minimum, values.heart_rate_maximum],
    [148, null, 171],
  )
  assert.deepEqual([values.calories, values.distance_meter, values.steps], [455, 8_120, 7_010])
  assert.equal(values.elevation_gain_meter, null)
  // Languages that have one kind of list write an empty object so.
  for (const data of [[], null, undefined]) {
    const bare = mapWorkout({ data })
    assert.deepEqual([bare.quarantined, bare.summaries.length], [[], 1])
  }
})

test('what was typed in counts where nothing was measured', () => {
  const [workout] = mapWorkout({
    attrib: 2,
    data: { calories: 0, manual_calories: 300, manual_distance: 5_000, pause_duration: 9_999 },
  }).summaries
  assertSummary(workout, 'workouts')
  const { calories, distance_meter, duration_active_second } = workout.values
  assert.deepEqual([calories, distance_meter, duration_active_second], [300, 5_000, null])
  assert.equal(workout.sourceType, 'app')
  const [none] = mapWorkout({ data: { manual_calories: 0, distance: 0 } }).summaries
  assertSummary(none, 'workouts')
  assert.deepEqual([none.values.calories, none.values.distance_meter], [null, 0])
  assert.equal(mapWorkout({ data: null }).summaries.length, 1)
})

test('wrong workouts are quarantined with a reason', () => {
  for (const [change, reason] of [
    [{ startdate: null }, 'invalid_start_date'],
    [{ startdate: 0 }, 'invalid_start_date'],
    [{ enddate: undefined }, 'invalid_end_date'],
    [{ enddate: WITHINGS_WORKOUT.startdate - 1 }, 'end_before_start'],
    [{ data: [1] }, 'not_an_object'],
    [{ data: { calories: '455' } }, 'invalid_value'],
    [{ data: { hr_average: 400 } }, 'out_of_range'],
  ] as const) {
    const data = mapWorkout(change)
    assert.deepEqual([data.summaries, reasonsOf(data)], [[], [['workouts', reason]]])
  }
})

test('every category has a sport, or is other on purpose', () => {
  const other = [17, 36, 128, 511, 514, 519, 522, 539, 540, 541, 555, 558, 561, 563, 565, 568]
  assert.equal(CATEGORIES.size, 130)
  for (const [category, name] of CATEGORIES) {
    assert.equal(toSport(name).slug === 'other', other.includes(category), `${category} ${name}`)
  }
  for (const [category, slug] of [
    [1, 'walking'],
    [4, 'skating_sports'],
    [6, 'cycling'],
    [12, 'tennis'],
    [13, 'table_tennis'],
    [14, 'squash'],
    [15, 'badminton'],
    [16, 'weightlifting'],
    [21, 'soccer'],
    [22, 'american_football'],
    [26, 'equestrian_sports'],
    [188, 'cardio_dance'],
    [193, 'hockey'],
    [272, 'swim_bike_run'],
    [306, 'indoor_walking'],
    [307, 'treadmill_running'],
    [308, 'stationary_biking'],
    [524, 'gravel_cycling'],
    [9999, 'other'],
    ['2', 'other'],
    [null, 'other'],
  ] as const) {
    assert.equal(toSport(sportOf(category)).slug, slug, String(category))
  }
})
