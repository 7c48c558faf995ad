import assert from 'node:assert/strict'
import { test } from 'node:test'
import { BloodPressurePairs, isPressure } from './blood-pressure-pairs.ts'
import type { HealthRecord } from './health-data.ts'
import { DIASTOLIC, SYSTOLIC } from './record-types.ts'

const half = (type: string, value: string, change: Partial<HealthRecord> = {}): HealthRecord => ({
  type,
  unit: 'mmHg',
  value,
  sourceName: 'Cuff',
  sourceVersion: undefined,
  device: undefined,
  creationDate: undefined,
  startDate: '2024-03-01 08:00:00 +0000',
  endDate: '2024-03-01 08:00:00 +0000',
  metadata: new Map(),
  insideCorrelation: false,
  ...change,
})

const valuesOf = (reading: { records: HealthRecord[] } | undefined) =>
  reading?.records.map(({ value }) => value).toSorted()

test('two halves of one source and second make a reading, in either order', () => {
  for (const [first, second] of [
    [half(SYSTOLIC, '120'), half(DIASTOLIC, '80')],
    [half(DIASTOLIC, '80'), half(SYSTOLIC, '120')],
  ] as const) {
    const pairs = new BloodPressurePairs()
    assert.equal(pairs.add(first), undefined)
    assert.deepEqual(valuesOf(pairs.add(second)), ['120', '80'])
    assert.deepEqual(pairs.unpairedRecords(), [])
  }
})

test('halves of another second or source stay alone', () => {
  const pairs = new BloodPressurePairs()
  pairs.add(half(SYSTOLIC, '120'))
  assert.equal(pairs.add(half(DIASTOLIC, '80', { sourceName: 'Other' })), undefined)
  const later = { startDate: '2024-03-01 08:00:01 +0000' }
  assert.equal(pairs.add(half(DIASTOLIC, '80', later)), undefined)
  assert.equal(pairs.unpairedRecords().length, 3)
})

test('two readings in one second pair in the order of the file, and none is lost', () => {
  const pairs = new BloodPressurePairs()
  pairs.add(half(SYSTOLIC, '120'))
  pairs.add(half(SYSTOLIC, '130'))
  assert.deepEqual(valuesOf(pairs.add(half(DIASTOLIC, '80'))), ['120', '80'])
  assert.deepEqual(valuesOf(pairs.add(half(DIASTOLIC, '90'))), ['130', '90'])
  pairs.add(half(DIASTOLIC, '70'))
  pairs.add(half(DIASTOLIC, '71'))
  assert.deepEqual(
    pairs.unpairedRecords().map(({ value }) => value),
    ['70', '71'],
  )
})

test('only the two pressures are halves', () => {
  assert.ok(isPressure(half(SYSTOLIC, '1')) && isPressure(half(DIASTOLIC, '1')))
  assert.ok(!isPressure(half('HKQuantityTypeIdentifierStepCount', '1')))
})
