import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findUnknownNames } from '../src/console/review/report/unknown-names.ts'

test('a name in a report that no catalog knows is to be checked, until it is corrected', () => {
  const row = (key: string, status: string, change = {}) => ({
    ...{ key, read: { loinc_match_status: status }, changes: {}, isRemoved: false },
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
