import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { plainSample } from '../../../server/test/timeseries/plain-sample.ts'
import { InsertedRows } from './inserted-rows.ts'
import type { Sample } from './sample.ts'
import { escapeTsv, timestampText } from './sample-rows.ts'

const owner = { environmentId: 'environment', userId: 'user', provider: 'manual' }

/** A row as a template of JavaScript writes it. */
function plainRow(sample: Sample, version: number): string {
  const { series, sourceType, appId, sampleType, workoutId, sport, timeZone, extra } = sample
  const origin = [
    ...[owner.environmentId, owner.userId, series, owner.provider, sourceType, appId, sampleType],
    ...[workoutId, sport, sample.timezoneOffset ?? '', timeZone, extra],
  ].join('\x1f')
  const { startedAt, endedAt, diastolic, text, value } = sample
  const times = `${timestampText(startedAt)}\t${timestampText(endedAt)}`
  return `${escapeTsv(origin)}\t${times}\t${diastolic}\t${escapeTsv(text)}\t${value}\t${version}\n`
}

const anyInstant = fc.oneof(
  fc.integer({ min: Date.UTC(2001, 8, 9), max: Date.UTC(2286, 10, 20) }),
  fc.integer({ min: Date.UTC(1900, 0, 1), max: Date.UTC(2299, 11, 31) }),
  fc.constantFrom(99_999_999_999, 100_000_000_000, 9_999_999_999_999, 10_000_000_000_000, 0, -1),
)
const anyValue = fc.oneof(
  fc.integer({ min: 0, max: 300 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(-0, 0.1, 999_999_999, 1e9, 1e21, 5e-324, -3, 2 ** 53),
)
const anyText = fc.oneof(
  fc.constant(''),
  fc.string({ unit: 'grapheme' }),
  fc.constant("it's\t\\\n"),
)

const anySample = fc
  .record({
    startedAt: anyInstant,
    length: fc.constantFrom(0, 0, 1, 60_000),
    value: anyValue,
    diastolic: fc.oneof(fc.constant(0), anyValue),
    text: anyText,
    appId: fc.constantFrom('', 'com.example', 'ä\t'),
    timezoneOffset: fc.constantFrom(null, 0, -3600),
  })
  .map(({ length, ...parts }) => plainSample({ ...parts, endedAt: parts.startedAt + length }))

test('rows are written as a template of JavaScript would write them', () => {
  const anyVersion = fc.oneof(fc.nat(), fc.integer({ min: 0, max: 9e15 }), fc.constant(1e8))
  const property = fc.property(fc.array(fc.tuple(anySample, anyVersion)), (list) => {
    const rows = new InsertedRows()
    const write = rows.createWriter(owner)
    for (const [row, [sample, version]] of list.entries()) {
      write(sample, { value: sample.value, version, row, sample, content: '' })
    }
    const expected = list.map(([sample, version]) => plainRow(sample, version)).join('')
    assert.equal(rows.toBytes().toString(), expected)
  })
  fc.assert(property, { seed: 114, numRuns: 300 })
})
