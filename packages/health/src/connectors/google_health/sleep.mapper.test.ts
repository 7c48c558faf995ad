import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  collectionOf,
  knownOf,
  mapRecords,
  REQUEST,
  reasonsOf,
} from '../../../../server/test/connectors/google-health-records.ts'
import { GOOGLE_NIGHT } from '../../../../server/test/connectors/pages/google-health.pages.ts'
import { PageData } from '../page-data.ts'

const START = Date.UTC(2026, 2, 8, 4, 30)
const END = Date.UTC(2026, 2, 8, 11, 0, 30)
const DATE = { year: 2026, month: 3, day: 8 }

const withSleep = (change: object, rest: object = {}) => ({
  ...GOOGLE_NIGHT,
  ...rest,
  sleep: { ...GOOGLE_NIGHT.sleep, ...change },
})

const points = (...dataPoints: unknown[]) => ({ dataPoints })
const SIGNS = [
  points({
    dailySleepTemperatureDerivations: {
      date: DATE,
      nightlyTemperatureCelsius: 33.9,
      baselineTemperatureCelsius: 33.6,
    },
  }),
  points({
    dailyHeartRateVariability: { date: DATE, averageHeartRateVariabilityMilliseconds: 42.5 },
  }),
  points({
    respiratoryRateSleepSummary: {
      sampleTime: { physicalTime: '2026-03-08T11:00:30Z', utcOffset: '-14400s' },
      fullSleepStats: { breathsPerMinute: 14.25 },
    },
  }),
]
const HEART = {
  rollupDataPoints: [
    { heartRate: { beatsPerMinuteAvg: 54.4, beatsPerMinuteMin: 47, beatsPerMinuteMax: 71 } },
  ],
}

test('the answer for one record is the record itself', () => {
  const data = new PageData({ userId: 'u', provider: 'google_health' })
  collectionOf('sleep').map(GOOGLE_NIGHT, data, [], REQUEST)
  assert.deepEqual(
    data.summaries.map(({ recordId }) => recordId),
    ['4711'],
  )
  const answer = { name: 'users/me/settings', timeZone: 'Europe/Berlin' }
  collectionOf('sleep').map(answer, data, [], REQUEST)
  assert.deepEqual([data.summaries.length, data.quarantined.length], [1, 0])
})

test('a night has its stages, its totals and the day of its end', () => {
  const { summaries, quarantined } = mapRecords('sleep')
  assert.deepEqual(quarantined, [])
  const [night] = summaries
  assert.deepEqual(
    [night?.recordId, night?.startedAt, night?.endedAt, night?.timezoneOffset],
    ['4711', START, END, -14_400],
  )
  assert.deepEqual([night?.sourceType, night?.deviceModel], ['watch', 'Charge 6'])
  assert.deepEqual(knownOf(night), {
    state: 'confirmed',
    duration_second: 23_430,
    stage_asleep_second: 22_680,
    stage_awake_second: 720,
    stage_light_second: 11_880,
    stage_deep_second: 5400,
    stage_rem_second: 5400,
    stage_unknown_second: 0,
    latency_second: 420,
    efficiency: (100 * 22_680) / 23_430,
    // The short awakening is cut out of the light sleep in which it is.
    stage_start_offset_second: [0, 600, 1800, 1920, 9000, 14_400, 19_800],
    stage_end_offset_second: [600, 1800, 1920, 9000, 14_400, 19_800, 23_430],
    stage_type: [4, 2, 4, 2, 1, 3, 2],
  })
})

test('the signs of a day belong to its main sleep, heart rates to each', () => {
  const nap = withSleep(
    {
      interval: { startTime: '2026-03-08T17:00:00Z', endTime: '2026-03-08T17:40:00Z' },
      type: 'CLASSIC',
      stages: [],
      shortAwakenings: [],
      metadata: { nap: true, processed: false },
      summary: { minutesAsleep: '36', minutesAwake: '4' },
    },
    { name: 'users/me/dataTypes/sleep/dataPoints/4712' },
  )
  const details = [...SIGNS, HEART, { rollupDataPoints: [] }]
  const { summaries } = mapRecords('sleep', [GOOGLE_NIGHT, nap], details)
  const [night, short] = summaries.map(knownOf)
  const signs = {
    heart_rate_mean: 54,
    heart_rate_minimum: 47,
    heart_rate_maximum: 71,
    hrv_mean_rmssd: 42.5,
    skin_temperature: 33.9,
    skin_temperature_delta: 0.3,
    respiratory_rate: 14.25,
  }
  assert.deepEqual({ ...night, ...signs }, night)
  assert.deepEqual(short, {
    state: 'tentative',
    type: 'acknowledged_nap',
    duration_second: 2400,
    stage_asleep_second: 2160,
    stage_awake_second: 240,
    efficiency: 90,
    stage_start_offset_second: [],
    stage_end_offset_second: [],
    stage_type: [],
  })
})

test('a classic sleep has no stages of sleep; restlessness is neither asleep nor awake', () => {
  const stage = (from: string, to: string, type: string) => ({
    startTime: `2026-03-08T0${from}:00Z`,
    endTime: `2026-03-08T0${to}:00Z`,
    type,
  })
  const classic = withSleep({
    interval: { startTime: '2026-03-08T04:30:00Z', endTime: '2026-03-08T08:30:00Z' },
    type: 'CLASSIC',
    shortAwakenings: undefined,
    stages: [
      stage('4:30', '6:00', 'ASLEEP'),
      stage('6:00', '6:10', 'RESTLESS'),
      stage('6:10', '6:15', 'AWAKE'),
      stage('6:15', '8:30', 'ASLEEP'),
    ],
    summary: { minutesAsleep: '225', minutesAwake: '5' },
  })
  const known = knownOf(mapRecords('sleep', [classic]).summaries[0])
  assert.equal(known.stage_asleep_second, 13_500)
  assert.equal(known.stage_awake_second, 300)
  assert.equal(known.stage_light_second, 0)
  assert.deepEqual(known.stage_type, [-1, 4, -1])
})

test('a sleep without a summary is computed from its stages', () => {
  const known = knownOf(mapRecords('sleep', [withSleep({ summary: undefined })]).summaries[0])
  assert.equal(known.stage_awake_second, 720)
  assert.equal(known.stage_deep_second, 5400)
  assert.equal(known.stage_asleep_second, 23_430 - 720)
})

test('stages of another type are unknown, and wrong ones are left out', () => {
  const stages = [
    { startTime: '2026-03-08T04:30:00Z', endTime: '2026-03-08T05:00:00Z', type: 'DREAMING' },
    { startTime: '2026-03-08T05:00:00Z', endTime: 'later', type: 'DEEP' },
    7,
  ]
  const [night] = mapRecords('sleep', [withSleep({ stages, shortAwakenings: 'x' })]).summaries
  assert.deepEqual(knownOf(night).stage_type, [-1])
})

test('a wrong sleep is quarantined with its reason, and fails no other', () => {
  const { interval } = GOOGLE_NIGHT.sleep
  for (const [change, reason] of [
    [{ interval: null }, 'invalid_start_date'],
    [{ interval: { ...interval, startTime: '2026-03-08T04:30:00' } }, 'invalid_start_date'],
    [{ interval: { ...interval, endTime: 7 } }, 'invalid_end_date'],
    [{ interval: { ...interval, endTime: interval.startTime } }, 'end_before_start'],
    [{ interval: { ...interval, endTime: '2026-03-18T04:30:00Z' } }, 'out_of_range'],
    [{ summary: { minutesAsleep: 'long' } }, 'invalid_value'],
    [{ summary: { minutesAwake: '-1' } }, 'out_of_range'],
  ] as const) {
    const data = mapRecords('sleep', [withSleep(change), GOOGLE_NIGHT, { sleep: 7 }])
    assert.deepEqual(
      reasonsOf(data).sort(),
      [`sleep ${reason}`, 'sleep not_an_object'].sort(),
      reason,
    )
    assert.equal(data.summaries.length, 1)
  }
})

test('a wrong sign is quarantined, and the sleep is kept', () => {
  const wrong = { rollupDataPoints: [{ heartRate: { beatsPerMinuteAvg: 'fast' } }] }
  const data = mapRecords('sleep', undefined, [{}, {}, {}, wrong])
  assert.equal(data.summaries.length, 1)
  assert.equal(knownOf(data.summaries[0]).heart_rate_mean, undefined)
  assert.deepEqual(reasonsOf(data), ['sleep invalid_value'])
})

test('each sleep asks for the mean of its heart rates', () => {
  const { details } = collectionOf('sleep')
  const requests = details?.(points(GOOGLE_NIGHT, { sleep: 7 }), REQUEST) ?? []
  assert.equal(requests.length, 4)
  assert.ok(requests.every(({ isOptional }) => isOptional))
  assert.deepEqual(requests[3], {
    method: 'POST',
    path: '/v4/users/me/dataTypes/heart-rate/dataPoints:rollUp',
    json: {
      range: { startTime: '2026-03-08T04:30:00.000Z', endTime: '2026-03-08T11:00:30.000Z' },
      windowSize: '23430s',
    },
    isOptional: true,
  })
  assert.deepEqual(details?.({}, REQUEST), [])
})
