import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { report } from '../../../server/test/documents/sample-reports.ts'
import { flagOf } from './result-flag.ts'

const [sample] = report.results

function flag(changes: object): [string, string] {
  const { text, severity } = flagOf({
    ...(sample ?? assert.fail()),
    flag: null,
    reference_range: null,
    ...changes,
  })
  return [text, severity]
}

describe('the flag of a result', () => {
  test('is the laboratory’s own, however it is written', () => {
    assert.deepEqual(flag({ flag: 'N' }), ['', 'none'])
    assert.deepEqual(flag({ flag: ' h ' }), ['High ▲', 'abnormal'])
    assert.deepEqual(flag({ flag: 'L' }), ['Low ▼', 'abnormal'])
    assert.deepEqual(flag({ flag: 'Critical  High' }), ['Critical high', 'critical'])
    assert.deepEqual(flag({ flag: 'LL' }), ['Critical low', 'critical'])
    assert.deepEqual(flag({ flag: 'AA' }), ['Critical', 'critical'])
    assert.deepEqual(flag({ flag: 'S' }), ['S', 'none'])
  })

  test('counts before the numbers', () => {
    assert.deepEqual(flag({ flag: 'N', result: '9', reference_range: '1-5' }), ['', 'none'])
  })

  test('else follows from the interval, whose bounds may belong to it or not', () => {
    const cases: [value: string, interval: string, text: string][] = [
      ['5', '1-10', ''],
      ['1', '1-10', ''],
      ['10.1', '1-10', 'High ▲'],
      ['0.9', '1 – 10', 'Low ▼'],
      ['5', '<5', 'High ▲'],
      ['5', '<=5', ''],
      ['5', '< OR = 5', ''],
      ['5', '≤ 5', ''],
      ['3', '>3', 'Low ▼'],
      ['3', '>=3', ''],
      ['2', '> or = 2', ''],
      ['1.9', '≥ 2', 'Low ▼'],
      ['-4', '-3--1', 'Low ▼'],
      ['5', 'Negative', ''],
      ['5', '1:80', ''],
    ]
    for (const [result, reference_range, text] of cases) {
      assert.equal(flag({ result, reference_range })[0], text, `${result} in ${reference_range}`)
    }
    assert.deepEqual(flag({ result: '5', max_range_value: 4 }), ['High ▲', 'abnormal'])
    assert.deepEqual(flag({ result: '5', min_range_value: 6 }), ['Low ▼', 'abnormal'])
  })

  test('is none of what is no number', () => {
    assert.deepEqual(flag({ result: '<5', type: 'range', reference_range: '10-20' }), ['', 'none'])
    assert.deepEqual(flag({ result: '50', type: 'comment', reference_range: '1-2' }), ['', 'none'])
  })
})
