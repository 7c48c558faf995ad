import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  POLAR_DAY,
  POLAR_NIGHT,
  POLAR_PAGES,
} from '../../../../server/test/connectors/pages/polar.pages.ts'
import { PageData } from '../page-data.ts'
import { mapActivities, mapHeartRates, mapProfile } from './days.mapper.ts'

const NIGHTS = { nights: [POLAR_NIGHT] }
const AVAILABLE = {
  available: [
    {
      date: '2026-02-10',
      start_time: '2026-02-09T23:41:22-03:30',
      end_time: '2026-02-10T06:12:22-03:30',
    },
    { date: '2026-02-12', start_time: 'x', end_time: null },
  ],
}

type Mapper = (answer: unknown, data: PageData, details: readonly unknown[]) => void

function map(mapper: Mapper, answer: unknown, detail: unknown = undefined): PageData {
  const data = new PageData({ userId: 'u', provider: 'polar' })
  mapper(answer, data, [detail])
  return data
}

const knownOf = (data: PageData) =>
  Object.fromEntries(
    Object.entries(data.summaries[0]?.values ?? {}).filter(([, value]) => value !== null),
  )

const reasonsOf = (data: PageData) => data.quarantined.map(({ reason }) => reason)

const heartRatesOn = (date: string, ...samples: (readonly [time: unknown, rate: unknown])[]) => ({
  date,
  heart_rate_samples: samples.map(([sample_time, heart_rate]) => ({ heart_rate, sample_time })),
})

const shown = (data: PageData) =>
  data.samples.map(({ startedAt, value, timezoneOffset }) => [
    new Date(startedAt).toISOString().slice(0, 19),
    value,
    timezoneOffset,
  ])

test('a day of activity is a local day', () => {
  const data = map(mapActivities, [POLAR_DAY], AVAILABLE)
  const [day = assert.fail()] = data.summaries
  assert.deepEqual(
    [day.recordId, day.calendarDate, day.startedAt, day.timezoneOffset, day.sourceType],
    ['2026-02-10', '2026-02-10', Date.UTC(2026, 1, 10), -12_600, 'watch'],
  )
  assert.deepEqual(knownOf(data), {
    calories_total: 2410,
    calories_active: 760,
    steps: 9120,
    distance_meter: 6420.75,
    duration_active_second: 7800,
    intensity_sedentary_second: 34_230,
    intensity_low_second: 4800,
    intensity_medium_second: 1800,
    intensity_high_second: 1200,
  })
})

test('intensities count only if they add up to the active time', () => {
  const { intensity_low_second, duration_active_second } = knownOf(
    map(mapActivities, [{ ...POLAR_DAY, active_duration: 'PT3H' }]),
  )
  assert.deepEqual([intensity_low_second, duration_active_second], [undefined, 10_800])
  for (const samples of [null, 7, {}, { activity_zones: { samples: [7, { zone: 'LIGHT' }] } }]) {
    const data = map(mapActivities, [{ ...POLAR_DAY, samples }])
    assert.deepEqual([data.summaries.length, data.quarantined], [1, []])
  }
})

test('a day has the date of its start, also without a time, and without nights no offset', () => {
  const dayOf = (start_time: unknown) => {
    const data = map(mapActivities, [{ start_time, steps: 5 }])
    return data.summaries[0]?.recordId ?? reasonsOf(data)
  }
  assert.equal(dayOf('2026-02-09'), '2026-02-09')
  assert.equal(dayOf('2026-02-09T08:15:30'), '2026-02-09')
  assert.equal(dayOf('2026-02-09T08:15:30Z'), '2026-02-09')
  assert.deepEqual(dayOf('2026-02-30T00:00'), ['invalid_date'])
  assert.deepEqual(dayOf(null), ['invalid_date'])
  assert.equal(map(mapActivities, [POLAR_DAY]).summaries[0]?.timezoneOffset, null)
  assert.deepEqual(reasonsOf(map(mapActivities, [{ ...POLAR_DAY, steps: -1 }])), ['out_of_range'])
  assert.deepEqual(map(mapActivities, undefined).summaries, [])
})

test('heart rates have the offset of the night that ended on their day, else of the nearest', () => {
  const on = (date: string) => heartRatesOn(date, ['12:00:05', 70])
  const days = [on('2026-02-10'), on('2026-02-13'), on('2026-02-03'), on('2026-02-18')]
  assert.deepEqual(shown(map(mapHeartRates, days, NIGHTS)), [
    ['2026-02-10T15:30:05', 70, -12_600],
    ['2026-02-13T15:30:05', 70, -12_600],
    ['2026-02-03T15:30:05', 70, -12_600],
    // More than a week away: the local time as if it were UTC.
    ['2026-02-18T12:00:05', 70, null],
  ])
  const minutes = heartRatesOn('2026-02-10T00:00:00', ['12:00', 70])
  assert.deepEqual(shown(map(mapHeartRates, minutes, POLAR_NIGHT)), [
    ['2026-02-10T15:30:00', 70, -12_600],
  ])
  const spring = {
    nights: [
      {
        date: '2026-03-29',
        sleep_start_time: '2026-03-28T23:50:10+01:00',
        sleep_end_time: '2026-03-29T08:00:10+02:00',
      },
    ],
  }
  const night = heartRatesOn('2026-03-29', ['01:30:00', 60], ['03:30:00', 61])
  assert.deepEqual(shown(map(mapHeartRates, [night], spring)), [
    ['2026-03-29T00:30:00', 60, 3600],
    ['2026-03-29T01:30:00', 61, 7200],
  ])
})

test('a heart rate of a night counts there', () => {
  const rates = heartRatesOn('2026-02-10', ['00:08:41', 51], ['00:08:46', 52], ['00:13:41', 51])
  const before = heartRatesOn('2026-02-09', ['23:43:10', 58], ['23:53:10', 58])
  const data = map(mapHeartRates, { heart_rates: [rates, before] }, NIGHTS)
  assert.deepEqual(shown(data), [
    ['2026-02-10T03:38:46', 52, -12_600],
    ['2026-02-10T03:43:41', 51, -12_600],
    ['2026-02-10T03:23:10', 58, -12_600],
  ])
  assert.equal(map(mapHeartRates, rates).samples.length, 3)
})

test('0 is no heart rate, and a wrong one is quarantined alone', () => {
  const data = map(mapHeartRates, [
    heartRatesOn('2026-02-10', ['12:00:00', 0], ['12:05:00', null], ['12:10:00', 60]),
    heartRatesOn('2026-02-10', ['24:00:00', 60], [null, 60], ['12:15:00', 'x'], ['12:20:00', 400]),
    heartRatesOn('2026-02-31', ['12:00:00', 60]),
    { date: '2026-02-11', heart_rate_samples: 7 },
    { date: '2026-02-11' },
    7,
  ])
  assert.equal(data.samples.length, 1)
  assert.deepEqual(reasonsOf(data).sort(), [
    'invalid_date',
    'invalid_field',
    'invalid_start_date',
    'invalid_start_date',
    'invalid_value',
    'not_an_object',
    'out_of_range',
  ])
})

test('the physical information is the profile', () => {
  const record = POLAR_PAGES.physical_info?.records[0]
  const data = map(mapProfile, record)
  assert.deepEqual(knownOf(data), {
    height_centimeter: 172,
    birth_date: '1987-05-09',
    sex: 'female',
  })
  assert.equal(data.summaries[0]?.modifiedAt, Date.UTC(2026, 0, 10, 12))
  const none = { ...record, height: 0, birthday: null, gender: 'constructor', modified: null }
  assert.deepEqual(knownOf(map(mapProfile, none)), {})
  assert.deepEqual(reasonsOf(map(mapProfile, { ...record, height: 'tall' })), ['invalid_value'])
  assert.deepEqual(map(mapProfile, undefined).summaries, [])
})

test('the basic information of a user, and a day of the former transactions, are read too', () => {
  // Constructed, in the form of the documentation.
  const user = { 'polar-user-id': 7, birthdate: '1987-05-09', gender: 'MALE', height: 181.6 }
  assert.deepEqual(knownOf(map(mapProfile, user)), {
    height_centimeter: 182,
    birth_date: '1987-05-09',
    sex: 'male',
  })
  const energy = { calories: 2300, 'active-calories': 450 }
  const day = { ...energy, date: '2026-02-10', duration: 'PT2H4M', 'active-steps': 2500 }
  const data = map(mapActivities, { ...day, id: 1, created: '2026-02-10T20:00:00.000Z' })
  assert.deepEqual(knownOf(data), {
    calories_total: 2300,
    calories_active: 450,
    steps: 2500,
    duration_active_second: 7440,
  })
  const [one] = data.summaries
  assert.deepEqual([one?.recordId, one?.modifiedAt], ['2026-02-10', Date.UTC(2026, 1, 10, 20)])
})
