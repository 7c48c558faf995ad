import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnknownNames, looksMisread } from '../src/console/review/report/unknown-names.ts'

test('a name in a report that no catalog knows is to be checked, until it is corrected', () => {
  const row = (key: string, status: string, change = {}) => ({
    ...{
      key,
      read: { loinc_match_status: status, test_name: 'Ferritin' },
      changes: {},
      isRemoved: false,
    },
    ...change,
  })
  const rows = [
    row('results[0]', 'no_match'),
    row('results[1]', 'auto_match'),
    row('results[2]', 'no_match', { changes: { test_name: 'HbA1c' } }),
    row('results[3]', 'no_match', { isRemoved: true }),
    row('results[4]', 'no_match', { read: null }),
  ]
  assert.deepEqual(findUnknownNames(rows), ['results[0]'])
})

test('a known name whose printed spelling was misread is to be checked, until it is corrected', () => {
  const read = { loinc_match_status: 'auto_match', test_name: 'HbAlc' }
  const row = { key: 'results[0]', read, changes: {}, isRemoved: false }
  assert.deepEqual(findUnknownNames([row]), ['results[0]'])
  assert.deepEqual(findUnknownNames([{ ...row, changes: { test_name: 'HbA1c' } }]), [])
  for (const name of ['Hemoglobin Alc', 'Vitamin Bl2', 'Vitamin BI2', 'Vitamin B l2', 'CA l25']) {
    assert.equal(looksMisread(name), true, name)
  }
  const right = ['HbA1c', 'Vitamin B12', 'Alkaline phosphatase', 'ALT', 'HDL2', 'IL-6', 'Albumin']
  for (const name of [...right, 'Apolipoprotein A-I', 'Factor VIII', 'CD4', 'pH', 'Coenzyme Q10']) {
    assert.equal(looksMisread(name), false, name)
  }
})
