import assert from 'node:assert/strict'
import { test } from 'node:test'
import { mapContent } from '../../../../../server/test/imports/map-content.ts'

const times = (start: string, startLocal: string, end: string, endLocal: string) => ({
  ...{ startTimestampGMT: start, startTimestampLocal: startLocal },
  ...{ endTimestampGMT: end, endTimestampLocal: endLocal },
})
const RATES = {
  ...{ userProfilePK: 1, calendarDate: '2026-01-05' },
  ...times(
    '2026-01-05T06:00:00.0',
    '2026-01-05T00:00:00.0',
    '2026-01-06T06:00:00.0',
    '2026-01-06T00:00:00.0',
  ),
  heartRateValueDescriptors: [{ key: 'timestamp', index: 0 }],
  heartRateValues: [
    [Date.UTC(2026, 0, 5, 6), 61],
    [Date.UTC(2026, 0, 5, 6, 2), null],
    [Date.UTC(2199, 0, 5, 6, 4), 63],
  ],
}

test('heart rates of a day have its offset, and gaps are none', async () => {
  const { mapped, of } = await mapContent(JSON.stringify(RATES))
  assert.deepEqual([mapped.format, mapped.provider], ['garmin_export', 'garmin'])
  assert.deepEqual(
    of('heartrate').flatMap((line) =>
      line.refused ? [line.refused] : [[line.start, line.value, line.timezone_offset]],
    ),
    [['2026-01-05T06:00:00+00:00', 61, -21_600], 'invalid_start_date'],
  )
  assert.equal(mapped.progress.types[0]?.not_supported, 1)
})

test('heart rates of a day on which the clock changes have no offset', async () => {
  const change = times(
    ...(['2026-03-08T06:00:00.0', '2026-03-08T00:00:00.0'] as const),
    ...(['2026-03-09T05:00:00.0', '2026-03-09T00:00:00.0'] as const),
  )
  const day = { ...RATES, ...change, heartRateValues: [[Date.UTC(2026, 2, 8, 12), 70]] }
  const { of } = await mapContent(JSON.stringify(day))
  assert.deepEqual(
    of('heartrate').map(({ value, timezone_offset: offset }) => [value, offset]),
    [[70, null]],
  )
})

test('nights, variability, days and weights are those of the export', async () => {
  const start = Date.UTC(2025, 6, 6, 5, 36)
  const end = Date.UTC(2025, 6, 6, 12, 22, 28)
  const night = {
    dailySleepDTO: {
      ...{ calendarDate: '2025-07-06', sleepTimeSeconds: 24_208 },
      ...{ sleepStartTimestampGMT: start, sleepEndTimestampGMT: end },
      ...{ sleepStartTimestampLocal: start - 21_600_000, sleepEndTimestampLocal: end - 21_600_000 },
      ...{ deepSleepSeconds: 5340, lightSleepSeconds: 12_240, remSleepSeconds: 6660 },
      ...{ awakeSleepSeconds: 180, sleepScores: { overall: { value: 83 } } },
    },
  }
  const variability = {
    hrvSummary: { calendarDate: '2025-07-06', lastNightAvg: 43 },
    hrvReadings: [
      {
        ...{ hrvValue: 42, readingTimeGMT: '2025-07-06T05:39:48.0' },
        readingTimeLocal: '2025-07-05T23:39:48.0',
      },
    ],
  }
  const days = [
    { calendarDate: '2025-07-01', totalSteps: 12_413, totalDistance: 10_368, stepGoal: 7950 },
    { calendarDate: '2025-07-02', totalSteps: 5719, totalDistance: 5207, stepGoal: 8400 },
  ]
  const weights = {
    dateWeightList: [
      {
        ...{ samplePk: 1, timestampGMT: start, date: start + 7_200_000, weight: 59_130.0 },
        ...{ bmi: 22.5, bodyFat: 20.3, bodyWater: 58.2, boneMass: 3430, muscleMass: 26_840 },
      },
    ],
  }
  const { of } = await mapContent({
    'garmin/sleep.json': JSON.stringify(night),
    'garmin/hrv.json': JSON.stringify(variability),
    'garmin/steps.json': JSON.stringify(days),
    'garmin/weight.json': JSON.stringify(weights),
  })
  const [sleep] = of('sleep')
  const { stage_asleep_second: asleep, score } = (sleep?.values ?? {}) as Record<string, unknown>
  assert.deepEqual(
    [sleep?.id, sleep?.start, sleep?.timezone_offset, asleep, score],
    ['2025-07-06', '2025-07-06T05:36:00+00:00', -21_600, 24_208, 83],
  )
  assert.deepEqual(
    of('hrv').map(({ value, method, timezone_offset: offset }) => [value, method, offset]),
    [[42, 'rmssd', -21_600]],
  )
  assert.deepEqual(
    of('activity').map(({ id, values }) => [id, values]),
    [
      ['2025-07-01', { steps: 12_413, distance_meter: 10_368 }],
      ['2025-07-02', { steps: 5719, distance_meter: 5207 }],
    ],
  )
  const [body] = of('body')
  const { bone_mass_percentage: bone, ...rest } = (body?.values ?? {}) as Record<string, number>
  assert.ok(Math.abs((bone ?? 0) - (100 * 3430) / 59_130) < 1e-9)
  assert.deepEqual(
    [body?.id, body?.source_type, body?.timezone_offset, rest.weight_kilogram],
    [String(start / 1000), 'scale', 7200, 59.13],
  )
})
