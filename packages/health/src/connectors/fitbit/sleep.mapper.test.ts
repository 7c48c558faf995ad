import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { breathDetails, mapBreath, mapSleep, sleepDetails } from './sleep.mapper.ts'

/** Payloads are constructed in the form of the vendor's documentation, with invented values. */

const PROFILE = { user: { encodedId: 'A', timezone: 'Europe/Berlin' } }
const at = (time: string, level: string, seconds: number, day = 10) => ({
  dateTime: `2026-02-${day}T${time}.000`,
  level,
  seconds,
})

const NIGHT = {
  dateOfSleep: '2026-02-11',
  duration: 3_600_000,
  efficiency: 94,
  endTime: '2026-02-11T00:30:00.000',
  infoCode: 0,
  isMainSleep: true,
  levels: {
    data: [
      at('23:30:00', 'wake', 300),
      at('23:35:00', 'light', 1500),
      at('00:00:00', 'deep', 900, 11),
      at('00:15:00', 'rem', 900, 11),
    ],
    shortData: [at('00:05:00', 'wake', 60, 11), at('00:14:30', 'wake', 60, 11)],
    summary: {
      deep: { count: 1, minutes: 14, thirtyDayAvgMinutes: 80 },
      light: { count: 1, minutes: 25, thirtyDayAvgMinutes: 240 },
      rem: { count: 1, minutes: 14, thirtyDayAvgMinutes: 90 },
      wake: { count: 3, minutes: 7, thirtyDayAvgMinutes: 50 },
    },
  },
  logId: 44_000_000_001,
  logType: 'auto_detected',
  minutesAfterWakeup: 0,
  minutesAsleep: 53,
  minutesAwake: 7,
  minutesToFallAsleep: 0,
  startTime: '2026-02-10T23:30:00.000',
  timeInBed: 60,
  type: 'stages',
}

function map(records: readonly unknown[], details: readonly unknown[] = [PROFILE]) {
  const data = new PageData({ userId: 'u', provider: 'fitbit' })
  mapSleep({ sleep: records, summary: {} }, data, details)
  return data
}
type Values = Record<string, unknown>
const valuesOf = (data: PageData) => data.summaries[0]?.values as Values | undefined
const stagesOf = (data: PageData) => {
  const values = valuesOf(data) as Record<string, number[]>
  const { stage_type: types, stage_start_offset_second: from, stage_end_offset_second: to } = values
  return types?.map((type, index) => [type, from?.[index], to?.[index]])
}

test('a night is placed in the zone of the profile, and dated by the vendor', () => {
  const data = map([NIGHT])
  assert.deepEqual(data.quarantined, [])
  const [night] = data.summaries
  assert.deepEqual(
    [night?.recordId, night?.calendarDate, night?.startedAt, night?.endedAt, night?.timezoneOffset],
    [
      '44000000001',
      '2026-02-11',
      Date.UTC(2026, 1, 10, 22, 30),
      Date.UTC(2026, 1, 10, 23, 30),
      3600,
    ],
  )
  const values = valuesOf(data)
  assert.deepEqual(
    ['asleep', 'awake', 'light', 'rem', 'deep'].map((name) => values?.[`stage_${name}_second`]),
    [3180, 420, 1500, 840, 840],
  )
  assert.equal(values?.type, 'long_sleep')
  assert.equal(values?.efficiency, (100 * 3180) / 3600)
  assert.equal(map([NIGHT], []).summaries[0]?.timezoneOffset, null)
})

test('short wakes interrupt the stages under them', () => {
  assert.deepEqual(stagesOf(map([NIGHT])), [
    [4, 0, 300],
    [2, 300, 1800],
    [1, 1800, 2100],
    [4, 2100, 2160],
    [1, 2160, 2670],
    [4, 2670, 2730],
    [3, 2730, 3600],
  ])
})

test('a classic sleep has no phases, and restless is awake', () => {
  const levels = {
    data: [
      at('23:30:00', 'asleep', 1800),
      at('00:00:00', 'restless', 60, 11),
      at('00:01:00', 'asleep', 1680, 11),
      at('00:29:00', 'awake', 60, 11),
    ],
    summary: { asleep: { minutes: 58 }, awake: { minutes: 1 }, restless: { minutes: 1 } },
  }
  const nap = {
    ...NIGHT,
    type: 'classic',
    levels,
    minutesAsleep: 58,
    minutesAwake: 2,
    isMainSleep: false,
  }
  const data = map([nap])
  assert.deepEqual(stagesOf(data), [
    [-1, 0, 1800],
    [4, 1800, 1860],
    [-1, 1860, 3540],
    [4, 3540, 3600],
  ])
  assert.deepEqual([valuesOf(data)?.stage_asleep_second, valuesOf(data)?.type], [3480, null])
})

test('what was measured in a night belongs to its main sleep', () => {
  const details = [
    PROFILE,
    {
      tempSkin: [
        { dateTime: '2026-02-11', value: { nightlyRelative: -0.4 }, logType: 'other_sensors' },
      ],
    },
    { hrv: [{ dateTime: '2026-02-11', value: { dailyRmssd: 34.9, deepRmssd: 31.5 } }] },
    { br: [{ dateTime: '2026-02-11', value: { breathingRate: 15.2 } }] },
  ]
  const nap = { ...NIGHT, logId: 2, isMainSleep: false }
  const { summaries } = map([NIGHT, nap], details)
  const shown = summaries.map(({ values }) => {
    const { skin_temperature_delta, hrv_mean_rmssd, respiratory_rate } = values as Values
    return [skin_temperature_delta, hrv_mean_rmssd, respiratory_rate]
  })
  assert.deepEqual(shown, [
    [-0.4, 34.9, 15.2],
    [null, null, null],
  ])
  const unmeasured = [{ br: [{ dateTime: '2026-02-11', value: { breathingRate: -1 } }] }]
  assert.equal(valuesOf(map([NIGHT], unmeasured))?.respiratory_rate, null)
})

test('a night in which the clock is set back is as long as it was', () => {
  const night = {
    ...NIGHT,
    dateOfSleep: '2025-10-26',
    duration: 4 * 3_600_000,
    endTime: '2025-10-26T02:30:00.000',
    startTime: '2025-10-25T23:30:00.000',
    levels: { data: [{ dateTime: '2025-10-25T23:30:00.000', level: 'light', seconds: 14_400 }] },
  }
  const [stored] = map([night]).summaries
  assert.deepEqual(
    [stored?.startedAt, stored?.endedAt, stored?.timezoneOffset],
    [Date.UTC(2025, 9, 25, 21, 30), Date.UTC(2025, 9, 26, 1, 30), 3600],
  )
})

test('a wrong night is quarantined with its reason, and fails no other', () => {
  for (const [change, reason] of [
    [{ startTime: 'x' }, 'invalid_start_date'],
    [{ endTime: null }, 'invalid_end_date'],
    [{ endTime: '2026-02-10T22:00:00.000' }, 'end_before_start'],
    [{ dateOfSleep: '2026-02-30' }, 'invalid_date'],
    [{ minutesAsleep: 'long' }, 'invalid_value'],
    [{ minutesAwake: -5 }, 'out_of_range'],
  ] as const) {
    const { summaries, quarantined } = map([{ ...NIGHT, ...change, logId: 7 }, 5, NIGHT])
    assert.deepEqual(
      quarantined.map((item) => item.reason).sort(),
      [reason, 'not_an_object'].sort(),
    )
    assert.deepEqual(
      summaries.map(({ recordId }) => recordId),
      ['44000000001'],
    )
  }
  const odd = map([
    { ...NIGHT, levels: { data: [7, at('23:30:00', 'dreaming', 60), { level: 'rem' }] } },
  ])
  assert.deepEqual(stagesOf(odd), [[-1, 0, 60]])
  assert.throws(
    () => mapSleep({}, new PageData({ userId: 'u', provider: 'fitbit' }), []),
    VendorError,
  )
})

test('breathing rates stand in the middle of the segments of their stage', () => {
  const rates = {
    deepSleepSummary: { breathingRate: 14 },
    remSleepSummary: { breathingRate: -1 },
    lightSleepSummary: { breathingRate: 15.5 },
    fullSleepSummary: { breathingRate: 15 },
  }
  const breaths = (value: unknown, ...details: unknown[]) => {
    const data = new PageData({ userId: 'u', provider: 'fitbit' })
    mapBreath({ br: [{ dateTime: '2026-02-11', value }] }, data, details)
    const reasons = data.quarantined.map(({ reason }) => reason)
    return [
      ...data.samples.map((one) => [
        new Date(one.startedAt).toISOString().slice(11, 19),
        one.timezoneOffset,
        one.value,
      ]),
      ...reasons,
    ]
  }
  assert.deepEqual(breaths(rates, PROFILE, { sleep: [NIGHT] }), [
    ['22:47:30', 3600, 15.5],
    ['23:02:30', 3600, 14],
    ['23:10:15', 3600, 14],
  ])
  assert.deepEqual(breaths(rates, PROFILE), [['12:00:00', null, 15]])
  assert.deepEqual(breaths({ breathingRate: 16 }), [['12:00:00', null, 16]])
  assert.deepEqual(breaths({ fullSleepSummary: { breathingRate: 'x' } }), ['invalid_value'])
  assert.deepEqual(breaths({ fullSleepSummary: { breathingRate: 500 } }), ['out_of_range'])
})

test('details of nights are requested for the days on which they may end', () => {
  const request = {
    range: { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 11) },
    cursor: null,
    context: NO_CONTEXT,
  }
  const paths = sleepDetails({}, request).map((detail) => 'path' in detail && detail.path)
  const days = '2026-02-09/2026-02-12'
  assert.deepEqual(paths.slice(1), [
    `/1/user/-/temp/skin/date/${days}.json`,
    `/1/user/-/hrv/date/${days}.json`,
    `/1/user/-/br/date/${days}.json`,
  ])
  const [, sleep] = breathDetails({}, request)
  assert.equal(sleep && 'path' in sleep && sleep.path, `/1.2/user/-/sleep/date/${days}.json`)
})
