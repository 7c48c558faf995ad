import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const ROOT = '3c3e/DI_CONNECT/'
const MAIL = 'anna@example.com'
const uds = (from: string, to: string) => `${ROOT}DI-Connect-Aggregator/UDSFile_${from}_${to}.json`
const wellness = (name: string) => `${ROOT}DI-Connect-Wellness/2026-01-01_2026-04-01_1_${name}.json`

const day = (calendarDate: string, totalSteps: number, change: object = {}) => ({
  ...{ userProfilePK: 1, calendarDate, totalSteps, totalDistanceMeters: 8123, uuid: 'x' },
  ...{ activeKilocalories: 400, bmrKilocalories: 2000, totalKilocalories: 2400 },
  ...{ restingHeartRate: 50, minHeartRate: -1, maxHeartRate: -2, floorsAscendedInMeters: 30.48 },
  ...{ moderateIntensityMinutes: 10, vigorousIntensityMinutes: 5 },
  ...{ wellnessStartTimeGmt: `${calendarDate}T05:00:00.0` },
  ...{ wellnessStartTimeLocal: `${calendarDate}T00:00:00.0` },
  ...change,
})
const night = (calendarDate: string, start: string, end: string, change: object = {}) => ({
  ...{ calendarDate, sleepStartTimestampGMT: start, sleepEndTimestampGMT: end },
  ...{ deepSleepSeconds: 3600, lightSleepSeconds: 18_000, remSleepSeconds: 5400 },
  ...{ awakeSleepSeconds: 1800, averageRespiration: 14.5, sleepScores: { overallScore: 81 } },
  ...change,
})
const values = (line: Readonly<Record<string, unknown>> | undefined) =>
  (line?.values ?? {}) as Record<string, unknown>

describe('the days of a Garmin export', () => {
  test('have the fields of a connection, floors of ten feet, and no gaps', async () => {
    const { mapped, of } = await mapContent({
      [uds('2026-02-01', '2026-03-01')]: JSON.stringify([day('2026-02-15', 9000)]),
    })
    assert.deepEqual([mapped.format, mapped.provider], ['garmin_export', 'garmin'])
    const [line] = of('activity')
    assert.deepEqual(
      [line?.id, line?.calendar_date, line?.timezone_offset],
      ['2026-02-15', '2026-02-15', -18_000],
    )
    assert.deepEqual(line?.values, {
      ...{ calories_total: 2400, calories_active: 400, steps: 9000, distance_meter: 8123 },
      ...{ floors_climbed: 10, intensity_medium_second: 600, intensity_high_second: 300 },
      heart_rate_resting: 50,
    })
    assert.deepEqual([of('steps'), of('calories_active')], [[], []])
  })

  test('count once: that of the file with the latest date', async () => {
    const { mapped, of } = await mapContent({
      [uds('2026-02-15', '2026-05-01')]: JSON.stringify([day('2026-02-15', 9500)]),
      [uds('2026-01-01', '2026-03-01')]: JSON.stringify([
        day('2026-02-14', 100),
        day('2026-02-15', 9000),
      ]),
    })
    assert.deepEqual(
      of('activity')
        .map((line) => [line.id, values(line).steps])
        .sort(),
      [
        ['2026-02-14', 100],
        ['2026-02-15', 9500],
      ],
    )
    const [counted] = mapped.progress.types
    assert.deepEqual([counted?.records, counted?.merged, counted?.imported], [3, 1, 2])
  })

  test('of a wrong date or value are quarantined', async () => {
    const { of } = await mapContent({
      [uds('2026-01-01', '2026-03-01')]: JSON.stringify([
        day('2199-01-01', 1),
        day('1970-01-01', 1),
        day('soon', 1),
        day('2026-02-15', 1, { totalSteps: '=1+1' }),
        day('2026-02-16', 1, { totalSteps: -7 }),
        'text',
      ]),
    })
    assert.deepEqual(
      of('activity')
        .map(({ refused }) => refused)
        .sort(),
      [
        ...['invalid_date', 'invalid_date', 'invalid_date', 'invalid_date'],
        ...['invalid_value', 'out_of_range'],
      ],
    )
  })
})

describe('the nights of a Garmin export', () => {
  test('have the sums of their stages and the mean of the variability', async () => {
    const { mapped, of } = await mapContent({
      [uds('2026-02-01', '2026-03-01')]: JSON.stringify([day('2026-02-15', 9000)]),
      [wellness('sleepData')]: JSON.stringify([
        night('2026-02-15', '2026-02-15T03:00:00.0', '2026-02-15T11:00:00.0'),
        // A day without a sleep, and a nap.
        { calendarDate: '2026-02-16', retro: true },
        night('2026-02-15', '2026-02-15T18:00:00.0', '2026-02-15T18:30:00.0', {
          ...{ deepSleepSeconds: 0, lightSleepSeconds: 1800, remSleepSeconds: 0 },
          awakeSleepSeconds: 0,
        }),
      ]),
      [wellness('healthStatusData')]: JSON.stringify([
        {
          calendarDate: '2026-02-15',
          metrics: [
            { type: 'HRV', value: 43.0, baselineLowerLimit: 0.0 },
            { type: 'SPO2', value: 95.0 },
            { type: 'SKIN_TEMP_C' },
          ],
        },
      ]),
    })
    const [main, nap] = of('sleep')
    assert.deepEqual(
      [main?.id, main?.start, main?.end, main?.timezone_offset, main?.calendar_date],
      [
        '2026-02-15',
        '2026-02-15T03:00:00+00:00',
        '2026-02-15T11:00:00+00:00',
        -18_000,
        '2026-02-15',
      ],
    )
    const expected = {
      ...{ stage_asleep_second: 27_000, stage_deep_second: 3600, stage_awake_second: 1800 },
      ...{ respiratory_rate: 14.5, score: 81, hrv_mean_rmssd: 43, efficiency: 93.75 },
    }
    for (const [name, value] of Object.entries(expected))
      assert.equal(values(main)[name], value, name)
    assert.deepEqual(main?.stages, [])
    assert.deepEqual(
      [nap?.id, values(nap).type],
      [`nap-${Date.UTC(2026, 1, 15, 18) / 1000}`, 'acknowledged_nap'],
    )
    assert.deepEqual(
      [...of('hrv'), ...of('blood_oxygen')].map(({ start, value }) => [start, value]),
      [
        ['2026-02-15T11:00:00+00:00', 43],
        ['2026-02-15T11:00:00+00:00', 95],
      ],
    )
    const sleeps = mapped.progress.types.find(({ type }) => type === 'sleepData')
    assert.equal(sleeps?.not_supported, 1)
  })
})

test('weights in grams or kilograms, pressures and drinks are read', async () => {
  const { of } = await mapContent(
    {
      [`${ROOT}DI-Connect-Wellness/${MAIL}_userBioMetrics.json`]: JSON.stringify([
        { metaData: { calendarDate: '2026-02-15T07:00:00.0' }, weight: 70_100.0 },
        { weight: { weight: 70.5, timestampGMT: '2026-02-16T07:00:00.0' } },
        { weight: { weight: 5_000_000, timestampGMT: '2026-02-17T07:00:00.0' } },
        { height: 180 },
      ]),
      [`${ROOT}x/BloodPressureFile_1.json`]: JSON.stringify([
        {
          ...{ systolic: 120, diastolic: 80, pulse: 60, sourceType: 'MANUAL' },
          ...{ measurementTimestampGMT: '2026-02-15T07:00:00.0', notes: 'Anna' },
          measurementTimestampLocal: '2026-02-15T08:00:00.0',
        },
      ]),
      [`${ROOT}x/HydrationLogFile_1.json`]: JSON.stringify([
        { calendarDate: '2026-02-15', valueInML: 500.0, timestampGMT: '2026-02-15T08:00:00.0' },
        { calendarDate: '2026-02-15', valueInML: -200.0, timestampGMT: '2026-02-15T09:00:00.0' },
        { calendarDate: '2026-02-15', valueInML: -900.0, timestampGMT: '2026-02-15T10:00:00.0' },
        { calendarDate: '2026-02-15', valueInML: 250.0, timestampGMT: '2026-02-15T11:00:00.0' },
      ]),
    },
    { time_zone: 'Europe/Berlin' },
  )
  assert.deepEqual(
    of('body_weight').flatMap(({ value }) => value ?? []),
    [70.1, 70.5],
  )
  assert.deepEqual(
    of('body').flatMap(({ refused }) => refused ?? []),
    ['out_of_range'],
  )
  const [pressure] = of('blood_pressure')
  assert.deepEqual(
    [pressure?.systolic, pressure?.diastolic, pressure?.timezone_offset, pressure?.source_type],
    [120, 80, 3600, 'app'],
  )
  assert.deepEqual(
    of('heartrate').map(({ value }) => value),
    [60],
  )
  assert.deepEqual(
    of('water').flatMap(({ value }) => value ?? []),
    [250],
  )
  assert.deepEqual(
    of('water').flatMap(({ refused }) => refused ?? []),
    ['out_of_range'],
  )
})

test('the oxygen uptake of a day is that of running', async () => {
  const uptake = (calendarDate: string, sport: string, vo2MaxValue: number) => ({
    ...{ calendarDate, sport, vo2MaxValue, maxMet: 12 },
  })
  const { of } = await mapContent({
    [`${ROOT}DI-Connect-Metrics/MetricsMaxMetData_1.json`]: JSON.stringify([
      uptake('2026-02-15', 'RUNNING', 48),
      uptake('2026-02-15', 'CYCLING', 52),
      uptake('2026-02-16', 'CYCLING', 53),
    ]),
  })
  assert.deepEqual(
    of('vo2_max').map(({ start, value }) => [start, value]),
    [
      ['2026-02-15T12:00:00+00:00', 48],
      ['2026-02-16T12:00:00+00:00', 53],
    ],
  )
})

test('single files are recognized by their content', async () => {
  const sleep = await mapContent(
    JSON.stringify([night('2026-02-15', '2026-02-15T03:00:00.0', '2026-02-15T11:00:00.0')]),
  )
  assert.deepEqual([sleep.mapped.format, sleep.of('sleep').length], ['garmin_export', 1])
  const days = await mapContent(JSON.stringify([day('2026-02-15', 9000)]))
  assert.deepEqual([days.mapped.format, days.of('activity').length], ['garmin_export', 1])
})
