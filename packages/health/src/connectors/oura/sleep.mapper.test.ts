import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OURA_NIGHT } from '../../../../server/test/connectors/vendor-pages.registry.ts'
import { PageData } from '../page-data.ts'
import { mapSleep, sleepDetails } from './sleep.mapper.ts'

const START = Date.UTC(2026, 1, 9, 22, 35, 30)
const END = Date.UTC(2026, 1, 10, 5, 5, 30)

function map(records: readonly unknown[], details: readonly unknown[] = []): PageData {
  const data = new PageData({ userId: 'u', provider: 'oura' })
  mapSleep({ data: records, next_token: null }, data, details)
  return data
}

const valuesOf = (data: PageData) => data.summaries[0]?.values as Record<string, unknown>

test('a night is stored as one that an app uploaded', () => {
  const { summaries, quarantined } = map(
    [OURA_NIGHT],
    [{ data: [{ day: '2026-02-10', score: 84 }] }, { data: [{ day: '2026-02-10', score: 1 }] }],
  )
  assert.deepEqual(quarantined, [])
  const [night] = summaries
  assert.ok(night !== undefined)
  const { values, raw, ...frame } = night
  assert.deepEqual(frame, {
    resource: 'sleep',
    recordId: OURA_NIGHT.id,
    sourceType: 'ring',
    appId: '',
    deviceModel: '',
    // The day on which it ended, where the person woke up.
    calendarDate: '2026-02-10',
    startedAt: START,
    endedAt: END,
    timezoneOffset: 7200,
    timeZone: '',
    modifiedAt: null,
  })
  assert.deepEqual(values, {
    state: null,
    type: 'long_sleep',
    duration_second: 23400,
    stage_asleep_second: 22200,
    stage_awake_second: 1200,
    stage_light_second: 11700,
    stage_rem_second: 6000,
    stage_deep_second: 4500,
    stage_unknown_second: 0,
    latency_second: 540,
    heart_rate_minimum: 47,
    heart_rate_mean: 53,
    heart_rate_maximum: 55,
    heart_rate_resting: null,
    heart_rate_dip: null,
    efficiency: (100 * 22200) / 23400,
    hrv_mean_rmssd: 61,
    hrv_mean_sdnn: null,
    skin_temperature: null,
    skin_temperature_delta: -0.2,
    respiratory_rate: 14.25,
    score: 84,
    recovery_readiness_score: 79,
    // '4221133': neighbors of one stage are joined.
    stage_start_offset_second: [0, 300, 900, 1500],
    stage_end_offset_second: [300, 900, 1500, 2100],
    stage_type: [4, 2, 1, 3],
  })
  assert.equal(Object.hasOwn(raw as object, 'hrv'), false)
  assert.equal((raw as typeof OURA_NIGHT).movement_30_sec, OURA_NIGHT.movement_30_sec)
})

test('its readings become series', () => {
  const { samples } = map([OURA_NIGHT])
  const shown = samples.map(({ series, startedAt, endedAt, value, timezoneOffset, extra }) => [
    series,
    startedAt - START,
    endedAt - START,
    value,
    timezoneOffset,
    extra,
  ])
  assert.deepEqual(shown, [
    ['hrv', 300_000, 300_000, 58, 3600, '{"method":"rmssd"}'],
    ['hrv', 600_000, 600_000, 64, 3600, '{"method":"rmssd"}'],
    ['respiratory_rate', 11_700_000, 11_700_000, 14.25, 3600, ''],
    ['body_temperature_delta', 0, 23_400_000, -0.2, 3600, '{"sensor_location":"finger"}'],
  ])
  assert.ok(samples.every(({ sourceType }) => sourceType === 'ring'))
})

test('a day has one score, which its nap has not', () => {
  const scores = { data: [{ day: '2026-02-10', score: 84 }] }
  const readiness = { data: [{ day: '2026-02-10', score: 70, temperature_deviation: 0.4 }] }
  const nap = map([{ ...OURA_NIGHT, type: 'late_nap', readiness: null }], [scores, readiness])
  assert.equal(valuesOf(nap).type, 'acknowledged_nap')
  assert.equal(valuesOf(nap).score, null)
  assert.equal(valuesOf(nap).recovery_readiness_score, null)
  const night = map([{ ...OURA_NIGHT, readiness: null }], [scores, readiness])
  assert.equal(valuesOf(night).recovery_readiness_score, 70)
  assert.equal(valuesOf(night).skin_temperature_delta, 0.4)
  assert.equal(night.samples.at(-1)?.value, 0.4)
})

test('what the person took back is no sleep, and a short one is short', () => {
  const { summaries, samples, quarantined } = map([
    { ...OURA_NIGHT, type: 'deleted' },
    { ...OURA_NIGHT, type: 'rest' },
  ])
  assert.deepEqual([summaries, samples, quarantined], [[], [], []])
  assert.equal(valuesOf(map([{ ...OURA_NIGHT, type: 'sleep' }])).type, 'short_sleep')
  assert.equal(valuesOf(map([{ ...OURA_NIGHT, type: null }])).type, null)
})

test('a night that the vendor has not analyzed is computed from its stages, or its length', () => {
  const unknown = {
    total_sleep_duration: null,
    deep_sleep_duration: null,
    light_sleep_duration: null,
    rem_sleep_duration: null,
    awake_time: null,
    average_heart_rate: null,
    lowest_heart_rate: null,
    average_hrv: null,
  }
  const staged = valuesOf(map([{ ...OURA_NIGHT, ...unknown }]))
  assert.equal(staged.stage_asleep_second, 1800)
  assert.equal(staged.stage_deep_second, 600)
  assert.equal(staged.stage_awake_second, 300)
  assert.equal(staged.heart_rate_minimum, 49)
  assert.equal(staged.heart_rate_mean, 52)
  const plain = { ...OURA_NIGHT, ...unknown, sleep_phase_5_min: null, heart_rate: null, hrv: null }
  const untold = valuesOf(map([plain]))
  assert.equal(untold.stage_asleep_second, 23400)
  assert.equal(untold.stage_deep_second, null)
  assert.deepEqual(untold.stage_type, [])
  const awake = valuesOf(map([{ ...plain, awake_time: 1200 }]))
  assert.equal(awake.stage_asleep_second, 22200)
  const fine = valuesOf(map([{ ...plain, sleep_phase_30_sec: '4433' }]))
  assert.deepEqual(fine.stage_end_offset_second, [60, 120])
  const both = { ...plain, sleep_phase_30_sec: '4433', sleep_phase_5_min: '4' }
  assert.deepEqual(valuesOf(map([both])).stage_end_offset_second, [60, 120])
})

test('a wrong night is quarantined with its reason, and fails no other', () => {
  for (const [change, reason] of [
    [{ bedtime_start: 'yesterday' }, 'invalid_start_date'],
    [{ bedtime_end: null }, 'invalid_end_date'],
    [
      { bedtime_end: OURA_NIGHT.bedtime_start, bedtime_start: OURA_NIGHT.bedtime_end },
      'end_before_start',
    ],
    [{ bedtime_end: '2026-03-10T07:05:30+02:00' }, 'out_of_range'],
    [{ day: '2026-02-30' }, 'invalid_date'],
    [{ average_heart_rate: 900 }, 'out_of_range'],
    [{ latency: 'long' }, 'invalid_value'],
    [{ readiness: { score: 'good' } }, 'invalid_value'],
  ] as const) {
    const wrong = { ...OURA_NIGHT, id: 'wrong', ...change }
    const { summaries, quarantined } = map([wrong, OURA_NIGHT, 7])
    assert.deepEqual(
      quarantined.map((item) => [item.resource, item.reason]),
      [
        ['sleep', reason],
        ['sleep', 'not_an_object'],
      ],
    )
    assert.match(JSON.stringify(quarantined[0]?.item), /"id":"wrong"/)
    assert.deepEqual(
      summaries.map(({ recordId }) => recordId),
      [OURA_NIGHT.id],
    )
  }
})

test('the scores of all days of a page are requested at once', () => {
  const days = ['2026-02-12', '2026-02-10', undefined, 'x'].map((day) => ({ day }))
  const query = { start_date: '2026-02-10', end_date: '2026-02-13' }
  assert.deepEqual(sleepDetails({ data: days }), [
    { path: '/v2/usercollection/daily_sleep', query },
    { path: '/v2/usercollection/daily_readiness', query },
  ])
  assert.deepEqual(sleepDetails({ data: [] }), [])
})
