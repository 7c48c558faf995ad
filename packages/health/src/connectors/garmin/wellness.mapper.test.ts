import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import {
  GARMIN_DAY,
  GARMIN_EPOCHS,
  GARMIN_PAGES,
} from '../../../../server/test/connectors/pages/garmin.pages.ts'
import { PageData } from '../page-data.ts'
import { GARMIN } from './garmin.connector.ts'

/** Payloads are constructed in the form that public clients show. */

const REQUEST = { range: { from: 0, to: 0 }, cursor: null, context: NO_CONTEXT }
/** 2026-02-10T00:00:00+02:00 */
const MIDNIGHT = Date.UTC(2026, 1, 9, 22)

function map(name: string, body: unknown): PageData {
  const data = new PageData({ userId: 'u', provider: 'garmin' })
  GARMIN.collections.find((one) => one.name === name)?.map(body, data, [], REQUEST)
  return data
}
const example = (name: string): PageData => {
  const pages = GARMIN_PAGES[name]
  return map(name, pages?.page(pages.records))
}
const shown = ({ samples }: PageData) =>
  samples.map(({ series, startedAt, endedAt, value, timezoneOffset, sourceType }) => [
    series,
    (startedAt - MIDNIGHT) / 1000,
    (endedAt - startedAt) / 1000,
    value,
    timezoneOffset,
    sourceType,
  ])
const reasons = ({ quarantined }: PageData) => quarantined.map(({ reason }) => reason)

test('a day has its sums and heart rates; a heart rate of 0 is none', () => {
  const data = map('dailies', { dailies: [GARMIN_DAY] })
  const [day] = data.summaries
  assert.ok(day !== undefined)
  assert.deepEqual(
    [day.resource, day.recordId, day.calendarDate, day.startedAt, day.timezoneOffset],
    ['activity', '2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), 7200],
  )
  assert.deepEqual(day.values, {
    calories_total: 2381,
    calories_active: 512,
    steps: 9731,
    distance_meter: 7146.5,
    floors_climbed: 8,
    duration_active_second: 12_240,
    intensity_sedentary_second: null,
    intensity_low_second: null,
    intensity_medium_second: 1500,
    intensity_high_second: 600,
    heart_rate_mean: 64,
    heart_rate_minimum: 47,
    heart_rate_maximum: 144,
    heart_rate_resting: 51,
    heart_rate_mean_walking: null,
    wheelchair_use: null,
    wheelchair_push: 0,
  })
  assert.doesNotMatch(JSON.stringify(day.raw), /a-secret|timeOffsetHeartRateSamples/)
  assert.deepEqual(shown(data), [
    ['heartrate', 0, 0, 60, 7200, 'watch'],
    ['heartrate', 15, 0, 61, 7200, 'watch'],
    ['heartrate', 3195, 0, 70, 7200, 'watch'],
  ])
})

test('a longer part of a day counts above a shorter one, and a whole day above both', () => {
  const modifiedAt = (durationInSeconds: number) =>
    map('dailies', { dailies: [{ ...GARMIN_DAY, durationInSeconds }] }).summaries[0]?.modifiedAt
  assert.equal(modifiedAt(36_000), MIDNIGHT + 36_000_000)
  assert.equal(modifiedAt(84_600), MIDNIGHT + 84_600_000)
  // Whole days, also those on which the clock changes: the later arrival counts.
  for (const seconds of [82_800, 86_400, 90_000]) assert.equal(modifiedAt(seconds), null)
})

test('a day without an offset, a date or sums is stored with what it has', () => {
  const { calendarDate: _date, startTimeOffsetInSeconds: _offset, ...rest } = GARMIN_DAY
  const { summaries } = map('dailies', { dailies: [{ ...rest, activeKilocalories: null }] })
  assert.equal(summaries[0]?.timezoneOffset, null)
  assert.equal(summaries[0]?.calendarDate, '2026-02-09')
  const values = summaries[0]?.values as Record<string, unknown>
  assert.equal(values.calories_total, null)
  const moved = map('dailies', { dailies: [{ ...GARMIN_DAY, calendarDate: undefined }] })
  assert.equal(moved.summaries[0]?.calendarDate, '2026-02-10')
})

test('each kind of movement in a quarter of an hour counts once, in whatever messages', () => {
  const [walk, rest] = GARMIN_EPOCHS
  const kind = (milliseconds: number, ...values: readonly number[]) =>
    ['steps', 'distance', 'calories_active'].map((series, index) => [
      series,
      36_000 + milliseconds / 1000,
      (900_000 - milliseconds) / 1000,
      values[index],
      7200,
      'watch',
    ])
  const [walked, rested] = [kind(1, 512, 380.5, 24), kind(0, 8, 6, 1)]
  assert.deepEqual(shown(example('epochs')), [...walked, ...rested])
  const earlier = { ...walk, steps: 100, distanceInMeters: 70, activeKilocalories: 4 }
  assert.deepEqual(shown(map('epochs', { epochs: [earlier, rest, walk] })), [...walked, ...rested])
  assert.deepEqual(shown(map('epochs', { epochs: [walk] })), walked)
  assert.deepEqual(shown(map('epochs', { epochs: [rest] })), rested)
  const starts = ['RUNNING', 'GENERIC', 'CYCLING', 'SNOWBOARDING', 'YOGA', 'X'].map(
    (activityType) => shown(map('epochs', { epochs: [{ ...walk, activityType }] }))[0]?.[1],
  )
  assert.equal(new Set(starts).size, starts.length)
  assert.ok(starts.every((at) => Number(at) > 36_000 && Number(at) < 36_001))
})

test('an epoch without a kind begins with its quarter; several are added up', () => {
  const [walk] = GARMIN_EPOCHS
  const { distanceInMeters: _none, activityType: _kind, ...bare } = walk ?? {}
  const valuesOf = (body: unknown) =>
    shown(map('epochs', body)).map(([series, at, , value]) => [series, at, value])
  assert.deepEqual(valuesOf([bare]), [
    ['steps', 36_000, 512],
    ['calories_active', 36_000, 24],
  ])
  assert.deepEqual(valuesOf([bare, bare, { ...bare, summaryId: 'other' }]), [
    ['steps', 36_000, 1024],
    ['calories_active', 36_000, 48],
  ])
})

test('points are placed by the seconds since the start, without those that stand for none', () => {
  assert.deepEqual(shown(example('stressDetails')), [
    ['stress_level', 0, 0, 25, 7200, 'watch'],
    ['stress_level', 540, 0, 41, 7200, 'watch'],
  ])
  assert.deepEqual(shown(example('allDayRespiration')), [
    ['respiratory_rate', 0, 0, 14.6, 7200, 'watch'],
    ['respiratory_rate', 240, 0, 15.2, 7200, 'watch'],
  ])
  assert.deepEqual(
    shown(example('pulseox')).map(([, at, , value]) => [at, value]),
    [
      [0, 97],
      [60, 96],
    ],
  )
  const variability = example('hrv')
  assert.deepEqual(
    shown(variability).map(([, at, , value]) => [at, value]),
    [
      [300, 58],
      [600, 66],
    ],
  )
  assert.equal(variability.samples[0]?.extra, '{"method":"rmssd"}')
})

test('points have other names in messages of other versions', () => {
  const record = GARMIN_PAGES.allDayRespiration?.records[0]
  const { timeOffsetEpochToBreaths: values, ...rest } = record ?? {}
  const other = { respiration: [{ ...rest, timeOffsetRespirationValues: values }] }
  assert.deepEqual(shown(map('allDayRespiration', other)), shown(example('allDayRespiration')))
  const oxygen = { pulseOx: GARMIN_PAGES.pulseox?.records }
  assert.deepEqual(shown(map('pulseox', oxygen)), shown(example('pulseox')))
})

test('a night without values has its mean in the middle', () => {
  const [record] = GARMIN_PAGES.hrv?.records ?? []
  const data = map('hrv', { hrv: [{ ...record, hrvValues: undefined }] })
  assert.deepEqual(shown(data), [['hrv', 1800, 0, 62, 7200, 'watch']])
  assert.deepEqual(shown(map('hrv', { hrv: [{ ...record, hrvValues: {}, lastNightAvg: 0 }] })), [])
})

test('a snapshot has oxygen and variability; what the day has too is not stored twice', () => {
  assert.deepEqual(shown(example('healthSnapshot')), [
    ['blood_oxygen', 0, 0, 97, 7200, 'watch'],
    ['blood_oxygen', 5, 0, 98, 7200, 'watch'],
    ['hrv', 0, 0, 54, 7200, 'watch'],
  ])
})

test('a body composition has shares of the weight; an instant has one', () => {
  const data = example('bodyComps')
  const [body] = data.summaries
  assert.deepEqual(
    [body?.recordId, body?.sourceType, body?.startedAt, body?.timezoneOffset],
    ['1770701400', 'scale', MIDNIGHT + 27_000_000, 7200],
  )
  assert.deepEqual(body?.values, {
    weight_kilogram: 71.5,
    fat_mass_percentage: 22.5,
    water_percentage: 55.1,
    muscle_mass_percentage: 50,
    visceral_fat_index: null,
    bone_mass_percentage: 4,
    body_mass_index: 23.6,
    lean_body_mass_kilogram: null,
    waist_circumference_centimeter: null,
  })
  const { weightInGrams: _weight, ...without } = GARMIN_PAGES.bodyComps?.records[0] ?? {}
  const values = map('bodyComps', { bodyComps: [without] }).summaries[0]?.values
  assert.equal((values as Record<string, unknown>).muscle_mass_percentage, null)
})

test('a pressure has a pulse, and says who entered it', () => {
  assert.deepEqual(shown(example('bloodPressures')), [
    ['blood_pressure', 27_000, 0, 121, 7200, 'cuff'],
    ['heartrate', 27_000, 0, 63, 7200, 'cuff'],
  ])
  const [record] = GARMIN_PAGES.bloodPressures?.records ?? []
  const manual = map('bloodPressures', {
    bloodPressures: [{ ...record, sourceType: 'MANUAL', pulse: null }],
  })
  assert.deepEqual(
    manual.samples.map(({ sourceType, diastolic }) => [sourceType, diastolic]),
    [['app', 79]],
  )
})

test('a night has a deviation of temperature at the wrist', () => {
  const data = example('skinTemp')
  assert.deepEqual(shown(data), [['body_temperature_delta', 0, 3600, -0.4, 7200, 'watch']])
  assert.equal(data.samples[0]?.extra, '{"sensor_location":"wrist"}')
})

test('oxygen uptake has a day only; that of running counts before that of cycling', () => {
  const uptake = (change: object) =>
    map('userMetrics', { userMetrics: [{ ...GARMIN_PAGES.userMetrics?.records[0], ...change }] })
  assert.deepEqual(shown(uptake({})), [['vo2_max', 50_400, 0, 48, null, 'watch']])
  assert.equal(uptake({ vo2Max: null }).samples[0]?.value, 45)
  assert.deepEqual(uptake({ vo2Max: 0, vo2MaxCycling: 0 }).samples, [])
})

test('a cycle has no end before it has passed; of predicted ones the latest counts', () => {
  const cycle = (change: object) => {
    const { summaries } = map('mct', { mct: [{ ...GARMIN_PAGES.mct?.records[0], ...change }] })
    const { recordId, startedAt, endedAt, modifiedAt, values } = summaries[0] ?? {}
    const { period_start, period_end, cycle_end, is_predicted } = values as Record<string, unknown>
    const dates = [startedAt, endedAt].map((at) => new Date(at ?? 0).toISOString().slice(0, 10))
    return [recordId, ...dates, modifiedAt, period_start, period_end, cycle_end, is_predicted]
  }
  const [start, changed] = ['2026-02-01', MIDNIGHT]
  assert.deepEqual(cycle({}), [
    start,
    start,
    '2026-02-05',
    changed,
    start,
    '2026-02-05',
    null,
    false,
  ])
  assert.deepEqual(cycle({ dayInCycle: 3 }), [
    start,
    start,
    start,
    changed,
    start,
    null,
    null,
    false,
  ])
  assert.deepEqual(cycle({ isPredictedCycle: true, dayInCycle: 1 }), [
    'predicted',
    start,
    '2026-02-28',
    changed,
    start,
    '2026-02-05',
    '2026-02-28',
    true,
  ])
})

test('a wrong record is quarantined with its reason, and fails no other', () => {
  for (const [name, change, reason] of [
    ['dailies', { startTimeInSeconds: 'today' }, 'invalid_start_date'],
    ['dailies', { startTimeInSeconds: 1_770_674_400_000 }, 'invalid_start_date'],
    ['dailies', { calendarDate: '2026-02-30' }, 'invalid_date'],
    ['dailies', { startTimeOffsetInSeconds: '7200' }, 'invalid_value'],
    ['dailies', { steps: -1 }, 'out_of_range'],
    ['dailies', { restingHeartRateInBeatsPerMinute: 900 }, 'out_of_range'],
    ['dailies', { timeOffsetHeartRateSamples: [60] }, 'invalid_field'],
    ['epochs', { steps: 'many' }, 'invalid_value'],
    ['stressDetails', { timeOffsetStressLevelValues: { 0: 'high' } }, 'invalid_value'],
    ['stressDetails', { timeOffsetStressLevelValues: { 0: 101 } }, 'out_of_range'],
    ['pulseox', { timeOffsetSpo2Values: { soon: 97 } }, 'invalid_start_date'],
    ['bodyComps', { bodyFatInPercent: 120 }, 'out_of_range'],
    ['bloodPressures', { diastolic: undefined }, 'invalid_value'],
    ['skinTemp', { avgDeviationCelsius: 33.5 }, 'out_of_range'],
    ['userMetrics', { calendarDate: null }, 'invalid_date'],
    ['mct', { periodStartDate: 'June' }, 'invalid_date'],
  ] as const) {
    const [good] = GARMIN_PAGES[name]?.records ?? []
    const data = map(name, GARMIN_PAGES[name]?.page([{ ...good, ...change }, good, 7]))
    assert.deepEqual(reasons(data).sort(), [reason, 'not_an_object'].sort(), JSON.stringify(change))
    assert.ok(data.samples.length + data.summaries.length > 0, name)
    assert.doesNotMatch(JSON.stringify(data.quarantined), /a-secret/)
  }
})
