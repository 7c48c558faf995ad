import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_CONTEXT } from '../../../../server/test/connectors/no-context.ts'
import type { Collection } from '../connector.ts'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { FITBIT } from './fitbit.connector.ts'

/** Payloads are constructed in the form of the vendor's documentation, with invented values. */

const PROFILE = { user: { encodedId: 'A', timezone: 'Asia/Kolkata' } }
const REQUEST = {
  range: { from: Date.UTC(2026, 1, 10), to: Date.UTC(2026, 1, 11) },
  cursor: null,
  context: NO_CONTEXT,
}

function map(name: string, answer: unknown, details: readonly unknown[] = [PROFILE]) {
  const data = new PageData({ userId: 'u', provider: 'fitbit' })
  const collection = FITBIT.collections.find((one) => one.name === name) as Collection
  collection.map(answer, data, details, REQUEST)
  const samples = data.samples.map((one) => [
    one.series,
    new Date(one.startedAt).toISOString(),
    one.timezoneOffset,
    one.value,
    one.sourceType,
  ])
  return { data, samples, reasons: data.quarantined.map(({ reason }) => reason) }
}

const known = (values: object = {}) =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ''))

test('a profile is metric, and has the birth date', () => {
  const user = {
    ...PROFILE.user,
    dateOfBirth: '1985-04-12',
    gender: 'FEMALE',
    height: 170.18,
    heightUnit: 'en_US',
  }
  const values = (change: object) =>
    known(map('profile', { user: { ...user, ...change } }).data.summaries[0]?.values)
  assert.deepEqual(values({}), {
    height_centimeter: 170,
    birth_date: '1985-04-12',
    gender: 'female',
  })
  assert.deepEqual(values({ dateOfBirth: '', gender: 'NA', height: 0 }), { gender: 'unknown' })
  assert.deepEqual(map('profile', { user: { ...user, height: 'tall' } }).reasons, ['invalid_value'])
  assert.throws(() => map('profile', {}), VendorError)
})

test('trackers and scales are devices', () => {
  const devices = [
    {
      id: '1',
      deviceVersion: 'Charge 6',
      type: 'TRACKER',
      lastSyncTime: '2026-02-10T08:00:00.000',
    },
    { id: 2, deviceVersion: 'Aria Air', type: 'SCALE' },
    { id: '3', deviceVersion: 'MobileTrack', type: 'TRACKER' },
  ]
  const found = map('devices', devices).data.toArrivedData().devices ?? []
  assert.deepEqual(
    found.map((one) => [one.device_id, one.device_model, one.source_type]),
    [
      ['1', 'Charge 6', 'watch'],
      ['2', 'Aria Air', 'scale'],
      ['3', 'MobileTrack', 'phone'],
    ],
  )
})

const WEIGHT = {
  logId: 1,
  date: '2026-02-10',
  time: '07:30:15',
  weight: 72.4,
  bmi: 23.1,
  source: 'Aria',
}

test('a weight and the body fat of its moment are one summary', () => {
  const fats = [
    { logId: 1, date: '2026-02-10', time: '07:30:15', fat: 21.5, source: 'Aria' },
    { logId: 2, date: '2026-02-10', time: '20:00:00', fat: 22, source: 'API' },
  ]
  const { data, samples } = map('body', { weight: [WEIGHT] }, [PROFILE, { fat: fats }])
  const at = '2026-02-10T02:00:15.000Z'
  assert.deepEqual(
    samples.toSorted(),
    [
      ['body_fat', '2026-02-10T14:30:00.000Z', 19_800, 22, 'app'],
      ['body_fat', at, 19_800, 21.5, 'scale'],
      ['body_weight', at, 19_800, 72.4, 'scale'],
    ].toSorted(),
  )
  assert.deepEqual(
    data.summaries.map(({ recordId, calendarDate, values }) => [
      recordId,
      calendarDate,
      known(values),
    ]),
    [
      [
        '1',
        '2026-02-10',
        { weight_kilogram: 72.4, fat_mass_percentage: 21.5, body_mass_index: 23.1 },
      ],
      ['2', '2026-02-10', { fat_mass_percentage: 22 }],
    ],
  )
})

test('a wrong weight is quarantined, and 0 is no weight', () => {
  for (const [change, reason] of [
    [{ weight: 0 }, 'invalid_value'],
    [{ weight: '72' }, 'invalid_value'],
    [{ weight: 900 }, 'out_of_range'],
    [{ time: '25:00:00' }, 'invalid_start_date'],
    [{ date: null }, 'invalid_start_date'],
  ] as const) {
    const { samples, reasons } = map('body', {
      weight: [{ ...WEIGHT, logId: 9, ...change }, WEIGHT],
    })
    assert.deepEqual([samples.length, reasons], [1, [reason]])
  }
})

const food = (logId: number, mealTypeId: unknown, name: string, calories: unknown) => ({
  logId,
  logDate: '2026-02-10',
  loggedFood: { name, mealTypeId, amount: 1, calories },
  nutritionalValues: { calories, carbs: 30.1, fat: 2, fiber: 4, protein: 6.2, sodium: 120 },
})

test('foods of one kind of meal are one meal, and the water of a day is one amount', () => {
  const foods = [food(1, 1, 'Oats', 150), food(2, 1, 'Milk', 90), food(3, 5, 'Soup', 200)]
  const summary = { calories: 440, water: 1250 }
  const { data, samples, reasons } = map('foods', { foods, goals: { calories: 2000 }, summary })
  assert.deepEqual(reasons, [])
  assert.deepEqual(samples, [['water', '2026-02-10T12:00:00.000Z', null, 1250, 'app']])
  const [breakfast, dinner] = data.summaries
  assert.ok(breakfast && dinner)
  const { foods: listed, ...values } = breakfast.values as { foods: string }
  assert.deepEqual([breakfast.recordId, breakfast.calendarDate], ['2026-02-10-1', '2026-02-10'])
  assert.deepEqual(known(values), {
    name: 'breakfast',
    calories: 240,
    carbohydrate_gram: 60.2,
    total_fat_gram: 4,
    fibre_gram: 8,
    protein_gram: 12.4,
    sodium_milligram: 240,
  })
  const { Oats: oats } = JSON.parse(listed)
  assert.deepEqual(oats.energy, { unit: 'kcal', value: 150 })
  assert.equal(oats.macros.fats.total, 2)
  assert.deepEqual(oats.micros.minerals, { sodium: 120 })
  assert.equal((dinner.values as { name: string }).name, 'dinner')
  // Meals without food were deleted.
  const removed = data.toArrivedData().removals?.flatMap(({ ids }) => ids)
  assert.equal(removed?.length, 4)
})

test('the answer for water alone, a day without water, and a wrong food', () => {
  assert.deepEqual(map('foods', { summary: { water: 500 }, water: [] }).samples[0]?.[3], 500)
  assert.deepEqual(map('foods', { foods: [], summary: { water: 0 } }).samples, [])
  const foods = [
    food(1, 9, 'x', 1),
    food(2, null, 'x', 1),
    food(3, 1, 'x', 'y'),
    food(4, 3, 'Rice', 10),
  ]
  const { data, reasons } = map('foods', { foods: [...foods, 7], summary: {} })
  assert.deepEqual(
    data.summaries.map(({ recordId }) => recordId),
    ['2026-02-10-3'],
  )
  assert.deepEqual(reasons.sort(), [
    'invalid_value',
    'not_an_object',
    'unknown_type',
    'unknown_type',
  ])
  assert.throws(() => map('foods', { summary: {} }), VendorError)
})

test('nightly values have the minute and the zone of the profile', () => {
  const minute = '2026-02-10T03:15:00.000'
  const hrv = {
    hrv: [
      {
        dateTime: '2026-02-10',
        minutes: [{ minute, value: { rmssd: 31.2, coverage: 0.9, hf: 1, lf: 2 } }],
      },
    ],
  }
  const at = '2026-02-09T21:45:00.000Z'
  const found = map('hrv', hrv)
  assert.deepEqual(found.samples, [['hrv', at, 19_800, 31.2, 'watch']])
  assert.equal(found.data.samples[0]?.extra, '{"method":"rmssd"}')
  const day = { dateTime: '2026-02-10', minutes: [{ minute: '2026-02-10T03:15:00', value: 95.3 }] }
  assert.deepEqual(map('spo2', [day]).samples, [['blood_oxygen', at, 19_800, 95.3, 'watch']])
  assert.deepEqual(map('spo2', day).samples.length, 1)
  assert.deepEqual(map('spo2', []).samples, [])
  assert.deepEqual(map('hrv', { hrv: [{ dateTime: '2026-02-10', value: 30 }] }).reasons, [
    'invalid_field',
  ])
  const temperature = { tempCore: [{ dateTime: '2026-02-10T03:15:00', value: 37.4 }] }
  assert.deepEqual(map('temp_core', temperature).samples, [
    ['body_temperature', at, 19_800, 37.4, 'app'],
  ])
  const alert = { alertTime: '2026-02-10T05:00:00.000', detectedTime: minute, bpm: [] }
  assert.deepEqual(map('irn_alerts', { alerts: [alert] }).samples, [
    ['heart_rate_alert', at, 19_800, 1, 'watch'],
  ])
})

test('answers without minutes have the mean of a night, which is placed at noon', () => {
  const [dateTime, noon] = ['2026-02-10', '2026-02-10T12:00:00.000Z']
  const hrv = { hrv: [{ dateTime, value: { dailyRmssd: 34.9, deepRmssd: 31.5 } }] }
  assert.deepEqual(map('hrv', hrv).samples, [['hrv', noon, null, 34.9, 'watch']])
  const day = { dateTime, value: { avg: 97.5, min: 94, max: 100 } }
  for (const answer of [day, [day]]) {
    assert.deepEqual(map('spo2', answer).samples, [['blood_oxygen', noon, null, 97.5, 'watch']])
  }
  assert.deepEqual(map('spo2', [{ dateTime, value: {} }]).reasons, ['invalid_value'])
  assert.deepEqual(map('spo2', [{ dateTime: 'x', value: { avg: 97 } }]).reasons, ['invalid_date'])
})

test('a food that is entered by its energy alone has it', () => {
  const { nutritionalValues: _values, ...quick } = food(1, 3, 'Quick calories', 250)
  const { values } = map('foods', { foods: [quick] }).data.summaries[0] ?? {}
  assert.equal((values as { calories?: number }).calories, 250)
})

test('of a range of oxygen uptake the middle is stored', () => {
  const value = (vo2Max: unknown) => {
    const { samples, reasons } = map('cardioscore', {
      cardioScore: [{ dateTime: '2026-02-10', value: { vo2Max } }],
    })
    return samples[0]?.[3] ?? reasons[0]
  }
  assert.equal(value('44-48'), 46)
  assert.equal(value('45'), 45)
  assert.equal(value(45.5), 45.5)
  for (const odd of ['', '44-', 'good', null, undefined, {}])
    assert.equal(value(odd), 'invalid_value')
})
