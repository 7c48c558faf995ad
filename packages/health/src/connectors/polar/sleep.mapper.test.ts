import assert from 'node:assert/strict'
import { test } from 'node:test'
import { POLAR_NIGHT } from '../../../../server/test/connectors/pages/polar.pages.ts'
import { PageData } from '../page-data.ts'
import { mapSleep } from './sleep.mapper.ts'

/** 23:41:22 and 06:12:22 at an offset of -3:30. */
const START = Date.UTC(2026, 1, 10, 3, 11, 22)
const END = Date.UTC(2026, 1, 10, 9, 42, 22)

function map(answer: unknown, recharges: unknown = undefined): PageData {
  const data = new PageData({ userId: 'u', provider: 'polar' })
  mapSleep(answer, data, [recharges])
  return data
}

const valuesOf = (data: PageData) => data.summaries[0]?.values as Record<string, unknown>

/** A night with a hypnogram of one minute keys. */
const nightOf = (from: string, to: string, hypnogram: unknown, rates: unknown = {}) =>
  map({
    ...POLAR_NIGHT,
    sleep_start_time: from,
    sleep_end_time: to,
    hypnogram,
    heart_rate_samples: rates,
  })

test('a night has the date of waking, its stages across midnight, and its score', () => {
  const { summaries, quarantined } = map({ nights: [POLAR_NIGHT] })
  assert.deepEqual(quarantined, [])
  const [{ values, raw, ...frame } = assert.fail()] = summaries
  assert.deepEqual(
    [frame.recordId, frame.calendarDate, frame.startedAt, frame.endedAt, frame.timezoneOffset],
    ['2026-02-10', '2026-02-10', START, END, -12_600],
  )
  const known = Object.entries(values).filter(([, value]) => value !== null)
  assert.deepEqual(Object.fromEntries(known), {
    duration_second: 23_460,
    stage_asleep_second: 21_900,
    stage_awake_second: 1500,
    stage_light_second: 12_000,
    stage_rem_second: 5400,
    stage_deep_second: 4500,
    stage_unknown_second: 60,
    heart_rate_minimum: 51,
    heart_rate_mean: 54,
    heart_rate_maximum: 58,
    efficiency: (100 * 21_900) / 23_460,
    score: 77,
    // The first minute is that of the start, 22 seconds before it.
    stage_start_offset_second: [0, 998, 3518, 4838, 5018, 22_118],
    stage_end_offset_second: [998, 3518, 4838, 5018, 22_118, 23_460],
    stage_type: [2, 1, 3, 4, 2, -1],
  })
  assert.equal(Object.hasOwn(raw as object, 'heart_rate_samples'), false)
})

test('its heart rates are samples at their minutes; 0 is none', () => {
  const { samples } = map(POLAR_NIGHT)
  assert.deepEqual(
    samples.map(({ series, startedAt, value, timezoneOffset }) => [
      series,
      new Date(startedAt).toISOString(),
      value,
      timezoneOffset,
    ]),
    [
      ['heartrate', '2026-02-10T03:13:00.000Z', 58, -12_600],
      ['heartrate', '2026-02-10T03:28:00.000Z', 54, -12_600],
      ['heartrate', '2026-02-10T03:38:00.000Z', 51, -12_600],
    ],
  )
})

test('the nightly recharge of the date has the variability and the breathing', () => {
  const recharge = {
    date: '2026-02-10',
    heart_rate_avg: 52,
    beat_to_beat_avg: 1150,
    heart_rate_variability_avg: 48,
    breathing_rate_avg: 13.6,
  }
  const other = { ...recharge, date: '2026-02-09', heart_rate_variability_avg: 1 }
  const values = valuesOf(map({ nights: [POLAR_NIGHT] }, { recharges: [other, recharge] }))
  assert.deepEqual([values.hrv_mean_rmssd, values.respiratory_rate], [48, 13.6])
  for (const answer of [recharge, [other, recharge]]) {
    assert.equal(valuesOf(map(POLAR_NIGHT, answer)).hrv_mean_rmssd, 48)
  }
  const none = { ...recharge, heart_rate_variability_avg: 0, breathing_rate_avg: null }
  const without = valuesOf(map({ nights: [POLAR_NIGHT] }, { recharges: [none] }))
  assert.deepEqual([without.hrv_mean_rmssd, without.respiratory_rate], [null, null])
  const wrong = { ...recharge, breathing_rate_avg: 'slow' }
  const { summaries, quarantined } = map({ nights: [POLAR_NIGHT] }, { recharges: [wrong, 7] })
  assert.equal(summaries.length, 1)
  assert.deepEqual(quarantined, [{ resource: 'sleep', reason: 'invalid_value', item: wrong }])
})

test('a watch without stages has the time asleep by the time awake', () => {
  const none = { light_sleep: 0, deep_sleep: 0, rem_sleep: 0, hypnogram: null, sleep_score: -1 }
  const values = valuesOf(map({ nights: [{ ...POLAR_NIGHT, ...none }] }))
  assert.equal(values.stage_asleep_second, 23_460 - 1500)
  assert.deepEqual([values.stage_type, values.score], [[], null])
  const staged = { light_sleep: null, deep_sleep: null, rem_sleep: null, sleep_score: 0 }
  const computed = valuesOf(map({ nights: [{ ...POLAR_NIGHT, ...staged }] }))
  assert.equal(computed.stage_rem_second, 1320)
  assert.equal(computed.stage_deep_second, 2520)
  assert.equal(computed.score, null)
})

test('a clock that changes in the night changes the offset of later times', () => {
  const at = (data: PageData) =>
    data.samples.map(({ startedAt }) => new Date(startedAt).toISOString().slice(11, 16))
  const rates = (...keys: string[]) => Object.fromEntries(keys.map((key) => [key, 60]))
  // Central Europe, forward at 02:00, and back at 03:00.
  const spring = nightOf(
    '2026-03-28T23:50:10+01:00',
    '2026-03-29T08:00:10+02:00',
    { '23:50': 2, '01:30': 4, '03:10': 1 },
    rates('23:55', '01:55', '03:00', '07:55'),
  )
  assert.deepEqual(at(spring), ['22:55', '00:55', '01:00', '05:55'])
  assert.deepEqual(valuesOf(spring).stage_end_offset_second, [5990, 8390, 25_800])
  const autumn = nightOf(
    '2026-10-24T23:50:10+02:00',
    '2026-10-25T08:00:10+01:00',
    {},
    rates('02:30', '03:30'),
  )
  assert.deepEqual(at(autumn), ['00:30', '02:30'])
  // Finland, forward at 03:00; New York, forward at 02:00.
  const north = nightOf(
    '2026-03-28T23:50:10+02:00',
    '2026-03-29T08:00:10+03:00',
    {},
    rates('02:30', '04:30'),
  )
  assert.deepEqual(at(north), ['00:30', '01:30'])
  const york = nightOf(
    '2026-03-07T23:50:10-05:00',
    '2026-03-08T08:00:10-04:00',
    {},
    rates('01:30', '03:30'),
  )
  assert.deepEqual(at(york), ['06:30', '07:30'])
  // A flight: the watch keeps the time of the start.
  const flight = nightOf(
    '2026-02-09T22:00:00-05:00',
    '2026-02-10T08:00:00+01:00',
    {},
    rates('22:30', '01:30'),
  )
  assert.deepEqual(at(flight), ['03:30', '06:30'])
})

test('unknown stages and times are no others', () => {
  const data = nightOf(
    '2026-02-10T00:00:30+01:00',
    '2026-02-10T06:00:30+01:00',
    {
      '00:00': 9,
      '01:00': null,
      '02:00': 4,
      '24:10': 1,
      noon: 1,
      '03:00': 0,
      '04:00': [],
      '05:00': '1',
    },
    { '01:00': 'x', '02:00': 900, '03:00': 55, '4': 50 },
  )
  assert.deepEqual(valuesOf(data).stage_type, [-1, 1, 4, -1])
  assert.deepEqual(
    data.samples.map(({ value }) => value),
    [55],
  )
  assert.deepEqual(
    data.quarantined.map(({ resource, reason }) => `${resource} ${reason}`),
    ['heartrate invalid_value', 'heartrate out_of_range'],
  )
  assert.equal(nightOf('2026-02-10T00:00:30Z', '2026-02-10T06:00:30Z', 7, 'x').summaries.length, 1)
})

test('a wrong night is quarantined with its reason, and fails no other', () => {
  for (const [change, reason] of [
    [{ date: '2026-02-30' }, 'invalid_date'],
    [{ sleep_start_time: '2026-02-09T23:41:22' }, 'invalid_start_date'],
    [{ sleep_end_time: null }, 'invalid_end_date'],
    [{ sleep_end_time: '2026-02-09T22:00:00-03:30' }, 'end_before_start'],
    [{ sleep_end_time: '2026-03-10T22:00:00-03:30' }, 'out_of_range'],
    [{ light_sleep: 'long' }, 'invalid_value'],
    [{ sleep_score: 101 }, 'out_of_range'],
  ] as const) {
    const { summaries, quarantined } = map({ nights: [{ ...POLAR_NIGHT, ...change }, POLAR_NIGHT] })
    assert.deepEqual(
      quarantined.map((item) => [item.resource, item.reason]),
      [['sleep', reason]],
    )
    assert.equal(summaries.length, 1)
  }
})
