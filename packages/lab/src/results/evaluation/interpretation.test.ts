import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INTERPRETATIONS, type Interpretation } from '@salus/contracts/lab-gateway'
import { positionOf } from '@salus/lab-report-parser/values'
import fc from 'fast-check'
import { interpretFlag, interpretFlags, interpretResult, worstOf } from './interpretation.ts'
import { parseRange, rangeOfValue } from './reference-range.ts'

function of(flag: string | null, result: string, reference: string | null): Interpretation {
  const value = rangeOfValue('numeric', result) ?? rangeOfValue('range', result)
  const range = parseRange(reference)
  const isDecidable = value !== null && range !== null
  const nowhere = { isAboveMax: null, isBelowMin: null }
  const flags = flag === null ? [] : [flag]
  const known = interpretFlags(flags, { reference_range: reference })
  return interpretResult(known, isDecidable ? positionOf(value, range) : nowhere, range, flags)
}

describe('the interpretation of a result', () => {
  test("is that of the laboratory's flag", () => {
    const cases: [flags: string[], expected: Interpretation][] = [
      [['N', 'n', ' N '], 'normal'],
      [['H', 'L', 'A', 'high', '>', '<'], 'abnormal'],
      [['HH', 'LL', 'AA', 'critical', 'Critical  high'], 'critical'],
    ]
    for (const [flags, expected] of cases) {
      for (const flag of flags) assert.equal(of(flag, '5', null), expected, flag)
    }
    // Also against the range, because the laboratory knows age, sex and method.
    assert.equal(of('N', '50', '1-10'), 'normal')
    assert.equal(of('H', '5', '1-10'), 'abnormal')
  })

  test('without a flag follows from its position in the range', () => {
    assert.equal(of(null, '5', '1-10'), 'normal')
    assert.equal(of('', '5', '1-10'), 'normal')
    assert.equal(of(null, '0.5', '1-10'), 'abnormal')
    assert.equal(of(null, '11', '1-10'), 'abnormal')
    assert.equal(of(null, '4', '<5'), 'normal')
    assert.equal(of(null, '5', '<5'), 'abnormal')
    assert.equal(of(null, '<1', '1-10'), 'abnormal')
    assert.equal(of(null, '<5', '1-10'), 'unknown')
    assert.equal(of(null, 'Positive', '1-10'), 'unknown')
    assert.equal(of(null, '5', null), 'unknown')
    assert.equal(of(null, '5', 'see note'), 'unknown')
  })

  test('with an unknown flag is never normal', () => {
    assert.equal(interpretFlag('W'), null)
    assert.equal(interpretFlag('constructor'), null)
    assert.equal(of('W', '5', '1-10'), 'unknown')
    assert.equal(of('W', '11', '1-10'), 'abnormal')
  })

  test('of several flags is the worst one that has a meaning', () => {
    const of = (...flags: string[]) => interpretFlags(flags, { reference_range: null })
    assert.equal(of('N', 'QCF'), 'normal')
    assert.equal(of('H', 'HH', 'U'), 'critical')
    assert.equal(of('HU'), 'abnormal')
    assert.deepEqual([of('C'), of('CH')], ['critical', 'critical'])
    assert.deepEqual([of(), of('D', 'W')], [null, null])
  })

  test('does not follow from the susceptibility of an isolate', () => {
    for (const flag of ['S', 'I', 'R', 'MS', 'VS', 'SDD', 'NS']) {
      assert.equal(interpretFlags([flag], { reference_range: 'S' }), null, flag)
      assert.equal(of(flag, '4', null), 'unknown', flag)
    }
    assert.equal(interpretFlags(['R', 'A'], { reference_range: null }), 'abnormal')
  })

  test('of a finding follows from the printed range, and is unknown without one', () => {
    const of = (flag: string, reference_range: string | null) =>
      interpretFlags([flag], { reference_range })
    for (const range of ['Negative', 'NON-REACTIVE', 'Not Detected', 'None detected']) {
      for (const flag of ['POS', 'DET', 'RR', 'WR']) assert.equal(of(flag, range), 'abnormal')
      for (const flag of ['NEG', 'ND', 'NR']) assert.equal(of(flag, range), 'normal')
    }
    assert.deepEqual([of('POS', 'Immune'), of('NEG', 'Positive')], ['normal', 'abnormal'])
    for (const flag of ['POS', 'NEG', 'DET', 'ND', 'RR', 'NR', 'IND']) {
      assert.equal(of(flag, null), 'unknown', flag)
    }
    assert.equal(of('IND', 'Negative'), 'unknown')
  })
})

describe('the worst of several interpretations', () => {
  test('is critical before abnormal before normal before unknown', () => {
    assert.equal(worstOf([]), 'unknown')
    assert.equal(worstOf(['unknown', 'normal']), 'normal')
    assert.equal(worstOf(['normal', 'abnormal', 'unknown']), 'abnormal')
    assert.equal(worstOf(['abnormal', 'critical', 'normal']), 'critical')
  })

  test('does not depend on their order, and is one of them', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...INTERPRETATIONS), { minLength: 1 }), (all) => {
        assert.equal(worstOf(all), worstOf(all.toReversed()))
        assert.ok(all.includes(worstOf(all)))
      }),
      { seed: 13 },
    )
  })
})
