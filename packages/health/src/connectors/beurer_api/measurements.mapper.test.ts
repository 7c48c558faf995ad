import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PageData } from '../page-data.ts'
import { VendorError } from '../vendor-client.ts'
import { mapGlucose, mapPressures, mapWeighings } from './measurements.mapper.ts'

const FRAME = { id: 'm', measured_at: '2026-02-03T07:45:00.000+01:00' }
const START = Date.UTC(2026, 1, 3, 6, 45)

function map(mapper: typeof mapGlucose, ...records: unknown[]): PageData {
  const data = new PageData({ userId: 'u', provider: 'beurer_api' })
  mapper({ data: records, next_cursor: null }, data)
  return data
}

const refused = ({ quarantined }: PageData) =>
  quarantined.map(({ resource, reason }) => [resource, reason])

test('blood pressures and glucose have the units of the meters', () => {
  const [pressure] = map(mapPressures, { ...FRAME, systolic: 124, diastolic: 79 }).samples
  assert.deepEqual(
    [pressure?.value, pressure?.diastolic, pressure?.startedAt, pressure?.timezoneOffset],
    [124, 79, START, 3600],
  )
  const [one, other] = map(
    mapGlucose,
    { ...FRAME, value: 5.6, unit: 'mmol/L' },
    { ...FRAME, value: 5.6 * 18.0182, unit: 'mg/dL' },
  ).samples
  assert.ok(Math.abs(Number(one?.value) - Number(other?.value)) < 0.01)
  assert.deepEqual(refused(map(mapGlucose, { ...FRAME, value: 5.6, unit: 'grains' })), [
    ['glucose', 'unknown_unit'],
  ])
})

test('a weighing has what was measured of it', () => {
  const whole = {
    ...FRAME,
    ...{ kilograms: 70, bmi: 23.4, fat_percent: 22.5, muscle_percent: 41.5 },
    ...{ water_percent: 55.1, bone_kilograms: 2.8 },
  }
  const data = map(mapWeighings, whole)
  const values = Object.entries(data.summaries[0]?.values ?? {})
  assert.deepEqual(Object.fromEntries(values.filter(([, value]) => value !== null)), {
    weight_kilogram: 70,
    fat_mass_percentage: 22.5,
    water_percentage: 55.1,
    muscle_mass_percentage: 41.5,
    bone_mass_percentage: 4,
    body_mass_index: 23.4,
  })
  assert.deepEqual(
    data.samples.map(({ series, value }) => [series, value]),
    [
      ['body_weight', 70],
      ['body_fat', 22.5],
    ],
  )
  const plain = map(mapWeighings, { ...whole, fat_percent: 0, bone_kilograms: 0 })
  assert.equal(plain.samples.length, 1)
})

test('wrong records are quarantined, and an answer that is no page is refused', () => {
  const wrong = [7, { ...FRAME, id: '' }, { ...FRAME, measured_at: 'today' }]
  assert.deepEqual(refused(map(mapWeighings, ...wrong, { ...FRAME, kilograms: 7000 })), [
    ['body', 'not_an_object'],
    ['body', 'invalid_field'],
    ['body', 'invalid_start_date'],
    ['body', 'out_of_range'],
  ])
  const data = new PageData({ userId: 'u', provider: 'beurer_api' })
  for (const odd of [null, {}, { data: 7 }]) {
    assert.throws(() => mapGlucose(odd, data), VendorError)
  }
})
