import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  SUUNTO_NIGHT,
  SUUNTO_SAMPLES,
  SUUNTO_WORKOUT,
} from '../../../../server/test/connectors/pages/suunto.pages.ts'
import { toSport } from '../../summaries/index.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { SUUNTO } from './suunto.connector.ts'
import { sportOf } from './suunto-sports.ts'

const REQUEST = { range: { from: 0, to: 1 }, cursor: null, context: NO_CONTEXT }
const APP = { clientId: 'app', clientSecret: 'x', secrets: { notification_secret: 'n' } }
const START = Date.UTC(2026, 1, 10, 7, 15)

function map(name: string, answer: unknown): PageData {
  const data = new PageData({ userId: 'u', provider: 'suunto' })
  SUUNTO.collections.find((one) => one.name === name)?.map(answer, data, [], REQUEST)
  return data
}

const knownOf = ({ summaries }: PageData) =>
  Object.fromEntries(Object.entries(summaries[0]?.values ?? {}).filter(([, v]) => v !== null))
const reasonsOf = (data: PageData) =>
  data.quarantined.map(({ resource, reason }) => `${resource} ${reason}`)

test('a workout has its own highest heart rate, not that of the person', () => {
  const data = map('workouts', { error: null, payload: [SUUNTO_WORKOUT] })
  const [one = assert.fail()] = data.summaries
  assert.deepEqual(
    [one.recordId, one.startedAt, one.endedAt, one.timezoneOffset, one.deviceModel],
    [SUUNTO_WORKOUT.workoutKey, START, START + 3_900_000, 7200, 'Suunto Race S'],
  )
  assert.deepEqual(knownOf(data), {
    sport_name: 'Trail Running',
    sport_slug: 'trail_running',
    duration_active_second: 3780,
    distance_meter: 9850.5,
    calories: 640,
    steps: 8700,
    elevation_gain_meter: 210.5,
    elevation_maximum_meter: 151,
    elevation_minimum_meter: -3.5,
    speed_mean: 2.6,
    speed_maximum: 4.1,
    heart_rate_mean: 148,
    heart_rate_minimum: 92,
    heart_rate_maximum: 171,
  })
  assert.equal(data.toArrivedData().devices?.[0]?.device_id, 'S123')
})

test('a workout that was just uploaded ends after its time, and has another id', () => {
  const { stopTime: _stop, gear: _gear, workoutKey: _key, ...fresh } = SUUNTO_WORKOUT
  const [one] = map('workouts', { payload: { ...fresh, workoutId: 5 } }).summaries
  assert.deepEqual([one?.recordId, one?.endedAt], ['5', START + 3_780_400])
  assert.equal(map('workouts', fresh).summaries[0]?.recordId, String(START))
  const { timeOffsetInMinutes: _offset, ...without } = SUUNTO_WORKOUT
  assert.equal(map('workouts', [without]).summaries[0]?.timezoneOffset, null)
})

test('a night has the seconds of its stages, and a nap is one', () => {
  const data = map('sleep', [SUUNTO_NIGHT])
  const [one = assert.fail()] = data.summaries
  assert.deepEqual(
    [one.recordId, one.startedAt, one.endedAt, one.timezoneOffset],
    ['1770690000', Date.UTC(2026, 1, 9, 21, 10), Date.UTC(2026, 1, 10, 4, 40), 7200],
  )
  assert.deepEqual(knownOf(data), {
    duration_second: 27_000,
    stage_asleep_second: 24_900,
    stage_awake_second: 1200,
    stage_light_second: 14_400,
    stage_rem_second: 5400,
    stage_deep_second: 5100,
    latency_second: 600,
    heart_rate_minimum: 47,
    heart_rate_mean: 53,
    hrv_mean_rmssd: 61,
    score: 82,
    efficiency: (100 * 24_900) / 27_000,
    stage_start_offset_second: [],
    stage_end_offset_second: [],
    stage_type: [],
  })
  const { BedtimeStart, BedtimeEnd } = SUUNTO_NIGHT.entryData
  const entryData = { BedtimeStart, BedtimeEnd, IsNap: true }
  const nap = knownOf(map('sleep', [{ entryData }]))
  assert.deepEqual([nap.type, nap.stage_asleep_second], ['acknowledged_nap', 27_000])
})

test('of the versions of a sleep the longest one counts, and naps without an id stay apart', () => {
  // Constructed, in the form that clients read: some have the time in bed and no ends.
  const [DateTime, later] = ['2026-02-09T23:10:00.000+02:00', '2026-02-10T13:00:00.000+02:00']
  const version = (Duration: number, more: object) => ({
    timestamp: DateTime,
    entryData: { SleepId: 7, DateTime, Duration, ...more },
  })
  const last = { DeepSleepDuration: 5000, LightSleepDuration: 20_000, HRAvg: 0.9, HRMin: 0.8 }
  const awake = { WakeAfterSleepOnsetDuration: 500, WakeBeforeOffBedDuration: 100 }
  const naps = [DateTime, later].map((text) => ({
    timestamp: text,
    entryData: { SleepId: 0, DateTime: text, Duration: 600, IsNap: true },
  }))
  const early = version(2000, { IsNap: true })
  const data = map('sleep', [early, version(26_000, { ...last, ...awake }), early, ...naps])
  assert.deepEqual(
    data.summaries.map(({ recordId, startedAt, endedAt }) => [recordId, endedAt - startedAt]),
    [
      ['7', 26_000_000],
      [DateTime, 600_000],
      [later, 600_000],
    ],
  )
  const night = knownOf(data)
  assert.equal(night.type, undefined)
  assert.deepEqual([night.stage_asleep_second, night.stage_awake_second], [25_000, 600])
  assert.deepEqual([night.heart_rate_mean, night.heart_rate_minimum], [54, 48])
})

test('a workout that the user entered is of an app, and has a title', () => {
  const workout = { ...SUUNTO_WORKOUT, isManuallyAdded: true, workoutName: 'Gym' }
  const data = map('workouts', [workout])
  assert.deepEqual([data.summaries[0]?.sourceType, knownOf(data).title], ['app', 'Gym'])
})

test('samples have their units: hertz, shares, and the time to the next one', () => {
  const { samples, quarantined } = map('activity', SUUNTO_SAMPLES)
  assert.deepEqual(quarantined, [])
  const at = Date.UTC(2026, 1, 10, 8)
  assert.deepEqual(
    samples.map(({ series, startedAt, endedAt, value, extra }) => [
      series,
      (startedAt - at) / 1000,
      (endedAt - at) / 1000,
      value,
      extra,
    ]),
    [
      ['heartrate', 0, 0, 71, ''],
      ['hrv', 0, 0, 44, '{"method":"rmssd"}'],
      ['blood_oxygen', 0, 0, 97, ''],
      ['steps', 0, 600, 340, ''],
      ['heartrate', 600, 600, 75, ''],
      ['steps', 600, 1200, 120, ''],
    ],
  )
})

test('what is wrong is quarantined with its reason, and the rest is stored', () => {
  const workouts = map('workouts', [
    { ...SUUNTO_WORKOUT, timeOffsetInMinutes: '60' },
    { ...SUUNTO_WORKOUT, startTime: null },
    { ...SUUNTO_WORKOUT, stopTime: null, totalTime: null },
    { ...SUUNTO_WORKOUT, hrdata: { avg: 900 } },
    SUUNTO_WORKOUT,
    7,
  ])
  assert.equal(workouts.summaries.length, 1)
  assert.deepEqual(reasonsOf(workouts), [
    'workouts not_an_object',
    'workouts invalid_field',
    'workouts invalid_start_date',
    'workouts invalid_end_date',
    'workouts out_of_range',
  ])
  const { entryData } = SUUNTO_NIGHT
  const nights = map('sleep', [
    { entryData: { ...entryData, BedtimeStart: '2026-02-09T23:10:00' } },
    { entryData: { ...entryData, SleepQualityScore: 140 } },
    { entryData: 7 },
    SUUNTO_NIGHT,
  ])
  assert.equal(nights.summaries.length, 1)
  assert.equal(nights.quarantined.length, 3)
  const samples = map('activity', [
    { timestamp: '2026-02-10T10:00:00', entryData: { HR: 60 } },
    { timestamp: '2026-02-10T10:00:00Z', entryData: null },
    { timestamp: '2026-02-10T10:00:00Z', entryData: { HR: 0, SpO2: 200, HRV: 'x', StepCount: 1 } },
  ])
  assert.deepEqual(
    samples.samples.map(({ series }) => series),
    ['steps'],
  )
  assert.deepEqual(reasonsOf(samples), [
    'heartrate invalid_start_date',
    'heartrate invalid_field',
    'hrv invalid_value',
    'blood_oxygen out_of_range',
  ])
  for (const odd of [null, 7, {}, { error: 'x', payload: null }]) {
    assert.throws(() => map('sleep', odd), VendorError)
  }
})

test('a message is signed with a secret of its own, and has the data', () => {
  const { push } = SUUNTO
  const body = Buffer.from('{"a":1}')
  const isTheirs = (key: string) => {
    const signature = createHmac('sha256', key).update(body).digest('hex')
    const headers = { 'x-hmac-sha256-signature': signature }
    return push?.verify?.({ headers, body, receivedAt: new Date() }, APP)
  }
  assert.equal(isTheirs('n'), true)
  assert.equal(isTheirs('x'), false)
  const read = (more: object) => push?.read({ username: 'ann', ...more })
  const notice = { accountId: 'ann', range: null }
  assert.deepEqual(read({ type: 'SUUNTO_247_SLEEP_CREATED', samples: [SUUNTO_NIGHT] }), [
    { ...notice, collection: 'sleep', page: [SUUNTO_NIGHT] },
  ])
  assert.deepEqual(
    read({ type: 'WORKOUT_CREATED', workout: { startTime: 1 }, gear: { name: 'g' } }),
    [
      {
        ...notice,
        collection: 'workouts',
        page: { payload: [{ gear: { name: 'g' }, startTime: 1 }] },
      },
    ],
  )
  assert.deepEqual(read({ type: 'WORKOUT_CREATED', workoutKey: 'k' }), [
    { ...notice, collection: 'workouts', record: { id: 'k', isDeleted: false } },
  ])
  assert.deepEqual(read({ type: 'ROUTE_CREATED' }), [])
  for (const odd of [null, {}, { type: 7 }]) assert.throws(() => push?.read(odd), VendorError)
})

test('requests have the subscription key, and the token names the user', async () => {
  const { auth } = SUUNTO
  assert.ok(auth.kind === 'oauth')
  const tokens = (accessToken: string) => ({ accessToken, refreshToken: 'r', expiresAt: null })
  const app = { ...APP, secrets: { subscription_key: 'key' }, settings: {} }
  assert.deepEqual(SUUNTO.authorize?.({ path: '/x' }, tokens('t'), app).headers, {
    authorization: 'Bearer t',
    'ocp-apim-subscription-key': 'key',
  })
  const jwt = (claims: unknown) =>
    `h.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.s`
  const identify = (token: string) => auth.identify(() => assert.fail(), tokens(token))
  assert.equal(await identify(jwt({ user: 'ann' })), 'ann')
  for (const odd of ['', 'x', 'h.x.s', jwt({}), jwt(null)]) {
    await assert.rejects(identify(odd), VendorError)
  }
  const workouts = SUUNTO.collections[0]
  const full = { payload: Array.from({ length: 100 }, () => SUUNTO_WORKOUT) }
  assert.equal(workouts?.next(full, { ...REQUEST, cursor: '100', context: NO_CONTEXT }), '200')
  assert.equal(workouts?.next({ payload: [] }, REQUEST), null)
  assert.deepEqual(workouts?.page({ from: 5, to: 9 }, '100', NO_CONTEXT).query, {
    since: '5',
    until: '9',
    limit: '100',
    offset: '100',
  })
})

/** Numbers that have no sport on purpose: games, indoor sports, parkour, and the like. */
const OTHER = new Set([4, 5, 6, 7, 8, 9, 17, 18, 19, 20, 76, 80, 89, 92, 94, 100])

test('every number of a sport is a sport of Salus, or other on purpose', () => {
  for (let id = 0; id <= 121; id++) {
    assert.equal(toSport(sportOf(id)).slug === 'other', OTHER.has(id), String(id))
  }
  const slugs = [0, 1, 2, 3, 10, 11, 13, 15, 21, 22, 23, 30, 31, 51, 52, 53, 54, 74, 85, 99]
  assert.deepEqual(
    slugs.map((id) => toSport(sportOf(id)).slug),
    [
      ...['walking', 'running', 'cycling', 'cross_country_skiing', 'mountain_biking', 'hiking'],
      ...['downhill_skiing', 'rowing', 'swimming', 'trail_running', 'strength_training'],
      ...['snowboarding', 'backcountry_skiing', 'yoga', 'stationary_biking', 'treadmill_running'],
      ...['cross_training', 'swim_bike_run', 'open_water_swimming', 'gravel_cycling'],
    ],
  )
  for (const odd of [-1, 200, '1', null, 1.5]) assert.equal(sportOf(odd), '')
})
