import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT as context } from '../../../../server/test/connectors/no-context.ts'
import {
  ULTRAHUMAN_METRICS,
  ULTRAHUMAN_NIGHT,
  ULTRAHUMAN_PAGES,
} from '../../../../server/test/connectors/pages/ultrahuman.pages.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapMetrics } from './metrics.mapper.ts'
import { ULTRAHUMAN } from './ultrahuman.connector.ts'

/** 2026-02-10 00:00 in New York. */
const MIDNIGHT = Date.UTC(2026, 1, 10, 5)
const EAST = -18_000
const RANGE = { from: Date.UTC(2026, 1, 10, 12), to: Date.UTC(2026, 1, 12, 12) }
const REQUEST = { range: RANGE, cursor: null, context }

function map(answer: unknown, user: unknown = undefined): PageData {
  const data = new PageData({ userId: 'u', provider: 'ultrahuman' })
  mapMetrics(answer, data, [user], REQUEST)
  return data
}

const mapList = (metrics: readonly unknown[]) => map(ULTRAHUMAN_PAGES.metrics?.page(metrics))

const knownOf = (data: PageData, resource: string) => {
  const values = data.summaries.find((one) => one.resource === resource)?.values ?? {}
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null))
}

const reasonsOf = (data: PageData) =>
  data.quarantined.map(({ resource, reason }) => `${resource} ${reason}`)

test('series have their units, and 0 and null are no values', () => {
  const { samples, quarantined } = mapList(ULTRAHUMAN_METRICS)
  assert.deepEqual(quarantined, [])
  const hours = (at: number) => (at - MIDNIGHT) / 3_600_000
  assert.deepEqual(
    samples.map((one) => [
      one.series,
      hours(one.startedAt),
      hours(one.endedAt),
      Math.round(one.value * 1000) / 1000,
      one.sourceType,
      `${one.sampleType}${one.extra}`,
    ]),
    [
      ['heartrate', 1, 1, 52, 'ring', ''],
      ['heartrate', 9, 9, 71, 'ring', ''],
      ['hrv', 1, 1, 61.5, 'ring', '{"method":"rmssd"}'],
      ['body_temperature', 1, 1, 34.4, 'ring', '{"sensor_location":"finger"}'],
      ['glucose', 9, 9, 5.328, 'automatic', 'automatic'],
      ['glucose', 9.25, 9.25, 10, 'automatic', 'automatic'],
      ['steps', 8, 8.25, 120, 'ring', ''],
      ['steps', 8.25, 8.5, 0, 'ring', ''],
      ['steps', 8.5, 8.5 + 1 / 12, 310.5, 'ring', ''],
    ],
  )
  assert.ok(samples.every(({ timezoneOffset }) => timezoneOffset === EAST))
})

test('a night has its stages, and what the day reports beside it', () => {
  const data = mapList(ULTRAHUMAN_METRICS)
  const night = data.summaries.find(({ resource }) => resource === 'sleep')
  assert.deepEqual(
    [night?.recordId, night?.startedAt, night?.endedAt, night?.timezoneOffset],
    ['2026-02-10', MIDNIGHT - 3_600_000, MIDNIGHT + 6 * 3_600_000, EAST],
  )
  assert.deepEqual(knownOf(data, 'sleep'), {
    duration_second: 25_200,
    stage_asleep_second: 22_800,
    stage_awake_second: 2400,
    stage_light_second: 12_600,
    stage_rem_second: 5400,
    stage_deep_second: 4800,
    stage_unknown_second: 0,
    heart_rate_minimum: 48,
    heart_rate_mean: 50,
    heart_rate_maximum: 52,
    heart_rate_resting: 47,
    hrv_mean_rmssd: 63,
    efficiency: (100 * 22_800) / 25_200,
    skin_temperature: 34.6,
    skin_temperature_delta: -0.2,
    score: 81,
    recovery_readiness_score: 74,
    stage_start_offset_second: [0, 600, 3600, 8400],
    stage_end_offset_second: [600, 3600, 8400, 13_800],
    stage_type: [4, 2, 1, 3],
  })
})

test('a day has its steps and active minutes', () => {
  const data = mapList(ULTRAHUMAN_METRICS)
  const day = data.summaries.find(({ resource }) => resource === 'activity')
  assert.deepEqual(
    [day?.recordId, day?.calendarDate, day?.startedAt, day?.timezoneOffset],
    ['2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), EAST],
  )
  assert.deepEqual(knownOf(data, 'activity'), { steps: 431, duration_active_second: 2520 })
  assert.deepEqual(knownOf(mapList([]), 'activity'), {})
})

test('without a total, the steps of a day are the sum of its counts', () => {
  const start = MIDNIGHT / 1000
  const stepsOf = (values: readonly object[]) =>
    knownOf(
      mapList([{ type: 'steps', object: { day_start_timestamp: start, values } }]),
      'activity',
    )
  const counts = [
    { timestamp: start + 60, value: 114 },
    { timestamp: start + 360, value: 25 },
    { timestamp: start + 660, value: null },
  ]
  assert.deepEqual(stepsOf(counts), { steps: 139 })
  assert.deepEqual(stepsOf([{ timestamp: start, value: 9000 }]), { steps: 9000 })
})

test('counts that do not add up to the total are no series', () => {
  const stepsOf = (object: object) =>
    mapList([{ type: 'steps', object }]).samples.map(({ value }) => value)
  const [timestamp, day_start_timestamp] = [MIDNIGHT / 1000 + 3600, MIDNIGHT / 1000]
  const values = [
    { timestamp, value: 50 },
    { timestamp: timestamp + 300, value: 70 },
  ]
  assert.deepEqual(stepsOf({ values }), [50, 70])
  assert.deepEqual(stepsOf({ values, total: 120 }), [50, 70])
  assert.deepEqual(stepsOf({ values, total: 70 }), [])
  const whole = [{ timestamp: day_start_timestamp, value: 9000 }]
  assert.deepEqual(stepsOf({ values: whole, total: 9000, day_start_timestamp }), [])
})

test('a list without a date has that of its midnight, and the zone of the user', () => {
  const list = { data: { metric_data: ULTRAHUMAN_METRICS }, error: null, status: 200 }
  const withUser = map(list, { data: { id: 7, time_zone: 'America/New_York' } })
  assert.deepEqual(withUser.summaries, mapList(ULTRAHUMAN_METRICS).summaries)
  const without = map(list)
  assert.ok(without.summaries.every(({ recordId }) => recordId === '2026-02-10'))
  assert.ok(without.samples.every(({ timezoneOffset }) => timezoneOffset === null))
  const sleep = { type: 'Sleep', object: ULTRAHUMAN_NIGHT }
  // The end of the sleep is on the tenth.
  const named = map({ data: { metric_data: [sleep, structuredClone(sleep)] } }).summaries
  assert.deepEqual(
    named.map(({ recordId }) => recordId),
    ['2026-02-10', '2026-02-10 2'],
  )
})

test('a list without any time has the date of the request', () => {
  const data = map({ data: { metric_data: [{ type: 'steps', object: { total: 900 } }] } })
  assert.equal(data.summaries[0]?.recordId, '2026-02-10')
  const values = [{ timestamp: Date.UTC(2026, 1, 7, 12) / 1000, value: 900 }]
  const known = map({ data: { metric_data: [{ type: 'steps', object: { total: 900, values } }] } })
  assert.equal(known.summaries[0]?.recordId, '2026-02-07')
})

test('a list alone is a day, and a night without a zone has the day of the vendor', () => {
  assert.deepEqual(
    map(ULTRAHUMAN_METRICS).summaries[1]?.values,
    mapList(ULTRAHUMAN_METRICS).summaries[1]?.values,
  )
  const sleep = { type: 'Sleep', object: ULTRAHUMAN_NIGHT }
  const night = map({ data: { metrics: { '2026-02-11': [sleep] } } }).summaries[0]
  assert.deepEqual([night?.calendarDate, night?.timezoneOffset], ['2026-02-11', null])
})

test('parts of a night in minutes, and its temperatures beside it', () => {
  // Constructed in the older form of the documentation.
  const { bedtime_start, bedtime_end } = ULTRAHUMAN_NIGHT
  const object = {
    bedtime_start,
    bedtime_end,
    total_sleep: { minutes: 380 },
    deep_sleep: { minutes: 80 },
    rem_sleep: { minutes: 90, seconds: 5430 },
    night_rhr: { avg: 51 },
  }
  const beside = [
    { type: 'recovery_index', object: { recovery_index: { value: 78, unit: 'score' } } },
    { type: 'temperature_deviation', object: { value: -0.2, unit: '°C' } },
    { type: 'average_body_temperature', object: { value: 94.1, unit: '°F' } },
  ]
  const known = knownOf(mapList([{ type: 'Sleep', object }, ...beside]), 'sleep')
  assert.deepEqual(
    [known.stage_deep_second, known.stage_rem_second, known.heart_rate_resting],
    [4800, 5430, 51],
  )
  assert.deepEqual(
    [known.recovery_readiness_score, known.skin_temperature_delta, known.skin_temperature],
    [78, -0.2, undefined],
  )
  const quick = {
    bedtime_start,
    bedtime_end,
    quick_metrics: [{ type: 'total_sleep', value: 22_200 }],
  }
  const total = knownOf(mapList([{ type: 'Sleep', object: quick }]), 'sleep')
  assert.equal(total.stage_asleep_second, 22_200)
})

test('a night without a graph, and one without totals', () => {
  const nightOf = (change: object) =>
    knownOf(mapList([{ type: 'SLEEP', object: { ...ULTRAHUMAN_NIGHT, ...change } }]), 'sleep')
  const plain = nightOf({ sleep_graph: null, hr_graph: {}, sleep_score: null, score: { score: 0 } })
  assert.deepEqual([plain.stage_type, plain.stage_asleep_second], [[], 22_800])
  assert.deepEqual([plain.heart_rate_mean, plain.score], [undefined, undefined])
  const computed = nightOf({ sleep_stages: [], total_sleep: null })
  assert.equal(computed.stage_asleep_second, 13_200)
  const odd = { data: [{ start: 'x' }, 7, { start: MIDNIGHT / 1000, end: MIDNIGHT / 1000 + 60 }] }
  assert.deepEqual(nightOf({ sleep_graph: odd }).stage_type, [-1])
})

test('what is wrong is quarantined with its reason, and the rest is stored', () => {
  const values = [
    { timestamp: MIDNIGHT / 1000, value: 60 },
    // Milliseconds.
    { timestamp: MIDNIGHT, value: 61 },
    { timestamp: null, value: 62 },
    { timestamp: MIDNIGHT / 1000, value: '63' },
    { timestamp: MIDNIGHT / 1000, value: 900 },
    7,
  ]
  const data = mapList([
    { type: 'hr', object: { values } },
    { type: 'temp', object: { values: 'x' } },
    { type: 'hrv', object: null },
    {
      type: 'glucose',
      object: { unit: 'mmol/L', values: [{ timestamp: 1_770_700_000, value: 6 }] },
    },
    { type: 'recovery_index', object: { value: 140 } },
    { type: 'Sleep', object: ULTRAHUMAN_NIGHT },
    { type: 'Sleep', object: { ...ULTRAHUMAN_NIGHT, bedtime_end: null } },
    { type: 'steps', object: { total: -5 } },
    { type: 'constructor', object: {} },
    7,
  ])
  assert.deepEqual(
    data.samples.map(({ series, value }) => [series, value]),
    [
      ['heartrate', 60],
      ['glucose', 6],
    ],
  )
  assert.deepEqual(reasonsOf(data), [
    'activity not_an_object',
    'heartrate invalid_start_date',
    'heartrate invalid_start_date',
    'heartrate invalid_value',
    'heartrate out_of_range',
    'heartrate invalid_start_date',
    'body_temperature invalid_field',
    'activity out_of_range',
    'sleep out_of_range',
    'sleep invalid_end_date',
  ])
})

test('an answer without data has none, and an error is no page', () => {
  assert.deepEqual(map({ data: null, error: null, status: 200 }).summaries, [])
  for (const odd of [
    null,
    7,
    {},
    { data: null, error: 'Invalid date', status: 400 },
    { data: {} },
  ]) {
    assert.throws(() => map(odd), VendorError)
  }
  assert.deepEqual(reasonsOf(map({ data: { metrics: { x: [], '2026-02-10': 7 } } })), [
    'activity invalid_date',
    'activity invalid_field',
  ])
})

test('a range is requested day by day, up to the last one that has begun for the user', () => {
  const [metrics] = ULTRAHUMAN.collections
  assert.ok(metrics !== undefined)
  const datesOf = (latest_time_zone: string | undefined, from: number, to: number) => {
    const range = { from, to }
    const dates: unknown[] = []
    for (let cursor: string | null = null; dates.length < 9; ) {
      dates.push(metrics.page(range, cursor, context).query?.date)
      const answer = { data: { metrics: {}, latest_time_zone } }
      cursor = metrics.next(answer, { range, cursor, context })
      if (cursor === null) break
    }
    return dates
  }
  const [from, to] = [Date.UTC(2026, 1, 10, 13), Date.UTC(2026, 1, 11, 13)]
  assert.deepEqual(datesOf('America/New_York', from, to), ['2026-02-10', '2026-02-11'])
  const three = ['2026-02-10', '2026-02-11', '2026-02-12']
  assert.deepEqual(datesOf('Pacific/Auckland', from, to), three)
  assert.deepEqual(datesOf(undefined, from, Date.UTC(2026, 1, 11)), ['2026-02-10'])
  const request = { range: { from, to }, cursor: null, context }
  const next = (answer: unknown) => metrics.next(answer, request)
  assert.equal(next({ data: null, error: null, status: 200 }), '2026-02-11')
  assert.equal(next({ data: null, error: 'Invalid date', status: 400 }), null)
  const user = [{ path: '/api/partners/v1/user_data/user_info', isOptional: true }]
  assert.deepEqual(metrics.details?.({ data: { metric_data: [] } }, REQUEST), user)
  assert.deepEqual(metrics.details?.({ data: { latest_time_zone: 'Asia/Kolkata' } }, REQUEST), [])
})

test('a user is known by the id that the vendor reports', async () => {
  const { auth } = ULTRAHUMAN
  assert.ok(auth.kind === 'oauth')
  const tokens = { accessToken: 't', refreshToken: 'r', expiresAt: null }
  const identify = (answer: unknown) => auth.identify(() => Promise.resolve(answer), tokens)
  assert.equal(await identify({ data: { id: 12 }, error: null }), '12')
  assert.equal(await identify({ user_id: 'ab' }), 'ab')
  for (const odd of [null, {}, { data: { id: '' } }, { id: {} }]) {
    await assert.rejects(identify(odd), VendorError)
  }
})
