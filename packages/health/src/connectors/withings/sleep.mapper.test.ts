import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertSummary } from '../../../../server/test/connectors/assert-summary.ts'
import {
  WITHINGS_NIGHT,
  WITHINGS_STAGES,
} from '../../../../server/test/connectors/pages/withings.pages.ts'
import { PageData } from '../page-data.ts'
import { mapSleep, sleepDetails } from './sleep.mapper.ts'

/** The payloads are constructed from the documentation, with invented values. */

const START = Date.UTC(2026, 1, 10, 4, 30)
const END = Date.UTC(2026, 1, 10, 11, 30)

const answer = (body: object) => ({ status: 0, body })

function map(nights: readonly unknown[], details: readonly unknown[] = []): PageData {
  const data = new PageData({ userId: 'u', provider: 'withings' })
  mapSleep(answer({ series: nights, more: false, offset: 0 }), data, details)
  return data
}

const valuesOf = ({ summaries: [night] }: PageData) => {
  assertSummary(night, 'sleep')
  return night.values
}

test('a night has the totals of the vendor, and the stages of its rows', () => {
  const data = map([WITHINGS_NIGHT], [answer(WITHINGS_STAGES)])
  assert.deepEqual(data.quarantined, [])
  const [night] = data.summaries
  assert.ok(night !== undefined)
  const { values, raw, ...frame } = night
  assert.equal(raw, WITHINGS_NIGHT)
  assert.deepEqual(frame, {
    resource: 'sleep',
    recordId: '770001',
    sourceType: 'watch',
    appId: '',
    deviceModel: '',
    calendarDate: '2026-02-10',
    startedAt: START,
    endedAt: END,
    timezoneOffset: -18_000,
    timeZone: 'America/New_York',
    modifiedAt: 1_770_724_000_000,
  })
  assert.deepEqual(values, {
    state: null,
    type: null,
    duration_second: 25_200,
    stage_asleep_second: 23_400,
    stage_awake_second: 1_800,
    stage_light_second: 12_600,
    stage_rem_second: 4_800,
    stage_deep_second: 6_000,
    stage_unknown_second: 13_920,
    latency_second: 480,
    heart_rate_minimum: 47,
    heart_rate_mean: 54,
    heart_rate_maximum: 66,
    heart_rate_resting: null,
    heart_rate_dip: null,
    efficiency: 93,
    hrv_mean_rmssd: 44,
    hrv_mean_sdnn: 50,
    skin_temperature: null,
    skin_temperature_delta: null,
    respiratory_rate: 15,
    score: 82,
    recovery_readiness_score: null,
    stage_start_offset_second: [0, 480, 4_080, 7_680, 11_280],
    stage_end_offset_second: [480, 4_080, 7_680, 11_280, 25_200],
    stage_type: [4, 2, 1, 3, -1],
  })
})

test('heart rates of the rows become a series; 0 is missing', () => {
  const { samples } = map([WITHINGS_NIGHT], [answer(WITHINGS_STAGES)])
  assert.deepEqual(
    samples.map(({ series, startedAt, value, timezoneOffset, sourceType }) => [
      series,
      startedAt,
      value,
      timezoneOffset,
      sourceType,
    ]),
    [
      ['heartrate', 1_770_697_860_000, 66, -18_000, 'watch'],
      ['heartrate', 1_770_698_400_000, 55, -18_000, 'watch'],
    ],
  )
})

test('a tracker and a sleep monitor have a night each, with the rows of their own', () => {
  const rowOf = (state: number, more: object) => ({
    startdate: WITHINGS_NIGHT.startdate,
    enddate: WITHINGS_NIGHT.enddate,
    state,
    ...more,
  })
  const mat = {
    ...WITHINGS_NIGHT,
    id: 770_002,
    model: 32,
    model_id: 63,
    hash_deviceid: 'mat-1',
  }
  const both = {
    series: [
      rowOf(1, { model: 'ScanWatch', model_id: 93, hash_deviceid: 'watch-1' }),
      rowOf(2, { model: 'Aura Sensor V2', model_id: 63, hash_deviceid: 'mat-1' }),
    ],
  }
  const { summaries } = map([WITHINGS_NIGHT, mat], [answer(both)])
  assert.deepEqual(
    summaries.map(({ recordId, sourceType, values }) => [
      recordId,
      sourceType,
      'stage_type' in values && values.stage_type,
    ]),
    [
      ['770001', 'watch', [2]],
      ['770002', 'unknown', [1]],
    ],
  )
  const byModel = { series: [rowOf(1, { model: 16 }), rowOf(2, { model: 32 })] }
  assert.deepEqual(valuesOf(map([mat], [answer(byModel)])).stage_type, [1])
})

test('a night without totals is computed from its stages; one of another app has only sleep', () => {
  const bare = { ...WITHINGS_NIGHT, data: {} }
  const staged = valuesOf(map([bare], [answer(WITHINGS_STAGES)]))
  assert.deepEqual(
    [staged.stage_light_second, staged.stage_deep_second, staged.stage_rem_second],
    [3_600, 3_600, 3_600],
  )
  assert.deepEqual([staged.stage_awake_second, staged.stage_asleep_second], [480, 10_800])
  assert.equal(staged.latency_second, null)
  const foreign = valuesOf(map([{ ...bare, data: { asleepduration: 20_000, sleep_score: 0 } }]))
  assert.deepEqual(
    [foreign.stage_asleep_second, foreign.stage_light_second, foreign.score],
    [20_000, null, null],
  )
  const older = valuesOf(
    map([{ ...bare, data: { durationtosleep: 300, lightsleepduration: 600 } }]),
  )
  assert.deepEqual([older.latency_second, older.stage_asleep_second], [300, 600])
})

test('stages alone are no nights', () => {
  const data = map(WITHINGS_STAGES.series)
  assert.deepEqual([data.summaries, data.samples], [[], []])
  assert.equal(data.quarantined.length, WITHINGS_STAGES.series.length)
})

test('a reading that cannot be one is quarantined, and not averaged', () => {
  const row = { startdate: WITHINGS_NIGHT.startdate, enddate: WITHINGS_NIGHT.enddate, state: 1 }
  const readings = {
    hr: { 1770697860: 900, 1770697920: '60', x: 60 },
    rmssd: { 1770697860: -5, 1770697920: 40 },
  }
  const data = map([WITHINGS_NIGHT], [answer({ series: [{ ...row, ...readings }] })])
  assert.deepEqual(
    data.quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['heartrate', 'out_of_range'],
      ['heartrate', 'invalid_value'],
      ['heartrate', 'invalid_value'],
      ['sleep', 'out_of_range'],
    ],
  )
  assert.deepEqual([data.samples, valuesOf(data).hrv_mean_rmssd], [[], 40])
})

test('a night that is still recorded has an unknown type', () => {
  assert.equal(valuesOf(map([{ ...WITHINGS_NIGHT, completed: false }])).type, 'unknown')
})

test('sleep that was typed in is a stage of its own, and out of bed is awake', () => {
  const { startdate: at } = WITHINGS_NIGHT
  const series = [0, 4, 5, 15, 1].map((state, index) => ({
    startdate: at + index * 600,
    enddate: at + (index + 1) * 600,
    state,
  }))
  const values = valuesOf(map([{ ...WITHINGS_NIGHT, data: {} }], [answer({ series })]))
  assert.deepEqual(values.stage_type, [4, 5, -1, 4, 2])
  assert.deepEqual([values.stage_asleep_second, values.stage_awake_second], [1200, 1200])
})

test('an efficiency is a ratio, or above 1 a percentage', () => {
  for (const [sleep_efficiency, percent] of [
    [0.5, 50],
    [1, 100],
    [85, 85],
  ]) {
    const night = { ...WITHINGS_NIGHT, data: { total_sleep_time: 12_600, sleep_efficiency } }
    assert.equal(valuesOf(map([night])).efficiency, percent)
  }
})

test('the type of the device is that of its kind, or else of its model', () => {
  const typeOf = (change: object) =>
    map([{ ...WITHINGS_NIGHT, ...change }]).summaries[0]?.sourceType
  assert.equal(typeOf({ model_id: undefined, data: [] }), 'watch')
  assert.equal(typeOf({ model: undefined }), 'watch')
  assert.equal(typeOf({ model: 32, model_id: 63 }), 'unknown')
  assert.equal(typeOf({ model: undefined, model_id: undefined }), 'unknown')
})

test('the day of a night without a date is that of its end', () => {
  for (const date of [undefined, null, 7, '2026-02-30']) {
    const [night] = map([{ ...WITHINGS_NIGHT, date }]).summaries
    assert.equal(night?.calendarDate, null)
    assert.equal(night?.timezoneOffset, -18_000)
  }
})

test('wrong nights and rows are quarantined with a reason', () => {
  for (const [change, reason] of [
    [{ startdate: '1770697800' }, 'invalid_start_date'],
    [{ enddate: null }, 'invalid_end_date'],
    [{ enddate: WITHINGS_NIGHT.startdate - 60 }, 'end_before_start'],
    [{ enddate: WITHINGS_NIGHT.enddate + 864_000 }, 'out_of_range'],
    [{ data: 'x' }, 'not_an_object'],
    [{ data: { hr_average: 900 } }, 'out_of_range'],
    [{ data: { sleep_efficiency: 101 } }, 'out_of_range'],
    [{ data: { wakeupduration: '1' } }, 'invalid_value'],
  ] as const) {
    const { summaries, quarantined } = map([{ ...WITHINGS_NIGHT, ...change }, WITHINGS_NIGHT])
    assert.deepEqual(
      quarantined.map((item) => [item.resource, item.reason]),
      [['sleep', reason]],
    )
    assert.equal(summaries.length, 1)
  }
  const rows = [null, { startdate: 1, enddate: 'x' }, ...WITHINGS_STAGES.series.slice(0, 1)]
  const { quarantined, summaries } = map([WITHINGS_NIGHT], [answer({ series: rows })])
  assert.deepEqual(
    quarantined.map(({ resource, reason }) => [resource, reason]),
    [
      ['sleep_cycle', 'invalid_field'],
      ['sleep_cycle', 'invalid_field'],
    ],
  )
  assert.equal(summaries.length, 1)
  const odd = { startdate: WITHINGS_NIGHT.startdate, enddate: WITHINGS_NIGHT.enddate }
  for (const state of [9, null, 'length', 5]) {
    const stages = [answer({ series: [{ ...odd, state }] })]
    assert.deepEqual(valuesOf(map([WITHINGS_NIGHT], stages)).stage_type, [-1])
  }
})

test('the sleeps of a day share a request for their stages, of a day at most', () => {
  const spans = [
    // Two devices, and a nap.
    [1_770_697_800, 1_770_723_000],
    [1_770_697_860, 1_770_723_060],
    [1_770_750_000, 1_770_753_000],
    // The next night, and one that is longer than a day.
    [1_770_784_200, 1_770_809_400],
    [1_770_900_000, 1_771_000_000],
  ]
  const series = [
    ...spans.map(([startdate, enddate]) => ({ startdate, enddate })),
    { startdate: 'x' },
  ]
  assert.deepEqual(
    sleepDetails(answer({ series: series.toReversed() })).map(
      (wanted) => 'form' in wanted && wanted.form,
    ),
    [
      ['1770697800', '1770753000'],
      ['1770784200', '1770809400'],
      ['1770900000', '1770986400'],
    ].map(([startdate, enddate]) => ({
      action: 'get',
      startdate,
      enddate,
      data_fields: 'hr,rmssd,sdnn_1,rr',
    })),
  )
})

test('rows of a nap are not those of the night', () => {
  const nap = {
    ...WITHINGS_NIGHT,
    id: 3,
    startdate: 1_770_750_000,
    enddate: 1_770_753_000,
    data: {},
  }
  const row = { startdate: nap.startdate, enddate: nap.enddate, state: 1 }
  const rows = { model: 16, series: [...WITHINGS_STAGES.series, row] }
  const { summaries } = map([nap, WITHINGS_NIGHT], [answer(rows)])
  assert.deepEqual(
    summaries.map(({ values }) => 'stage_type' in values && values.stage_type),
    [[2], [4, 2, 1, 3, -1]],
  )
})
