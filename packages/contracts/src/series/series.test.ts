import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DOCUMENTED_SERIES } from '../../../server/test/timeseries/documented-series.ts'
import { findSeries, SERIES, SERIES_BY_UPLOAD_NAME } from './index.ts'

const SHAPES = { I: 'interval', P: 'point', BP: 'blood_pressure' } as const

test('there are the 51 documented series, in the documented order', () => {
  assert.equal(DOCUMENTED_SERIES.length, 51)
  assert.deepEqual(
    SERIES.map((series) => series.name),
    DOCUMENTED_SERIES.map((row) => row.name),
  )
})

for (const row of DOCUMENTED_SERIES) {
  test(`${row.name} has the documented shape, unit, range, types and fields`, () => {
    const series = findSeries(row.name)
    assert.ok(series)
    assert.equal(series.resource, row.resource ?? row.name)
    assert.equal(series.shape, SHAPES[row.shape])
    assert.equal(series.unit, row.unit)
    assert.equal(series.legacy, row.legacy ?? false)
    assert.deepEqual([series.least, series.most], row.range)
    assert.equal(series.valueKind, row.name === 'note' ? 'text' : 'number')
    assert.equal(series.deprecated, row.name === 'hypnogram')
    if (row.types === undefined) assert.equal(series.types, null)
    else assert.deepEqual(series.types?.allowed ?? 'any', row.types)
    assert.equal(series.types?.required ?? false, row.typeRequired ?? false)
    const fields = series.extraFields.map(({ name, allowed }) => [name, [...allowed]])
    assert.deepEqual(Object.fromEntries(fields), row.fields ?? {})
  })
}

test('an alert and a stand hour count one, and the sleep stages are the documented codes', () => {
  const constants = SERIES.filter((series) => series.constantValue !== undefined)
  assert.deepEqual(
    constants.map(({ name, constantValue }) => [name, constantValue]),
    [
      ['heart_rate_alert', 1],
      ['stand_hour', 1],
    ],
  )
  const coded = SERIES.filter((series) => series.codes !== undefined)
  assert.deepEqual(
    coded.map(({ name, codes }) => [name, codes]),
    [['hypnogram', [-1, 1, 2, 3, 4, 5]]],
  )
})

test('tags are a list, every other further field a single text', () => {
  const fields = SERIES.flatMap((series) => series.extraFields)
  const lists = fields.filter((field) => field.kind === 'list')
  assert.deepEqual(
    lists.map((field) => field.name),
    ['tags'],
  )
})

test('an upload path takes read names, resource names and the names of the mobile SDKs', () => {
  const renamed = { weight: 'body_weight', fat: 'body_fat' }
  const ofSdk = { heartrate_variability: 'hrv', temperature: 'body_temperature' }
  const others = Object.fromEntries(DOCUMENTED_SERIES.map(({ name }) => [name, name]))
  const found = [...SERIES_BY_UPLOAD_NAME].map(([name, series]) => [name, series.name])
  assert.deepEqual(Object.fromEntries(found), { ...others, ...renamed, ...ofSdk })
})

test('a name that no series has finds none, also one that every object knows', () => {
  assert.equal(findSeries('weight'), undefined)
  assert.equal(findSeries('constructor'), undefined)
})
