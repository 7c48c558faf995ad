import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { positionOf, type Range } from '@salus/lab-report-parser/values'
import fc from 'fast-check'
import { parseRange, rangeOfValue } from './reference-range.ts'

const range = (
  low: number | null,
  high: number | null,
  isLowInclusive = low !== null,
  isHighInclusive = high !== null,
): Range => ({ low, high, isLowInclusive, isHighInclusive })

describe('reading a reference range', () => {
  const cases: [text: string, expected: Range][] = [
    ['<5', range(null, 5, false, false)],
    ['<=10.5', range(null, 10.5)],
    ['< OR = 9.9', range(null, 9.9)],
    ['< or =9.9', range(null, 9.9)],
    ['<Or=9.9', range(null, 9.9)],
    ['\u22649.9', range(null, 9.9)],
    ['>3', range(3, null, false, false)],
    ['>=7.25', range(7.25, null)],
    ['> OR = 2', range(2, null)],
    ['\u2265 2', range(2, null)],
    ['1-10', range(1, 10)],
    ['3.5-7.8', range(3.5, 7.8)],
    [' 3.5 - 7.8 ', range(3.5, 7.8)],
    ['3.5\u20137.8', range(3.5, 7.8)],
    ['.5-1.', range(0.5, 1)],
    ['-2-3', range(-2, 3)],
    ['-3.5 - -1', range(-3.5, -1)],
    ['\u22123\u2013\u22121', range(-3, -1)],
    ['< -1', range(null, -1, false, false)],
    ['4-4', range(4, 4)],
  ]
  for (const [text, expected] of cases) {
    test(`"${text}"`, () => assert.deepEqual(parseRange(text), expected))
  }

  test('other texts are not ranges', () => {
    const others = [
      '',
      ' ',
      '-',
      '5',
      '<',
      '<>5',
      '5<',
      '=5',
      '10-1',
      '1-10-20',
      '1,000-2,000',
      '1e3-2e3',
      'Negative',
      'Not detected',
      '1-10 mg/dL',
      'M: 1-10 F: 2-8',
      '1:80',
      '< OR 5',
      'Infinity-NaN',
    ]
    for (const text of others) assert.equal(parseRange(text), null, text)
    assert.equal(parseRange(null), null)
  })

  const number = fc.integer({ min: -1_000_000, max: 1_000_000 }).map((n) => n / 100)
  const blank = fc.constantFrom('', ' ', '  ')

  test('reads any two bounds, with any spaces and dashes', () => {
    fc.assert(
      fc.property(number, number, blank, fc.constantFrom('-', '\u2013'), (a, b, space, dash) => {
        const [low, high] = a <= b ? [a, b] : [b, a]
        const text = `${space}${low}${space}${dash}${space}${high}${space}`
        // -0 is written as 0.
        assert.deepEqual(parseRange(text), range(low + 0, high + 0))
      }),
      { seed: 13 },
    )
  })

  test('reads any single bound with its sign', () => {
    const signs = fc.constantFrom('<', '<=', '< OR = ', '\u2264', '>', '>=', '>or=', '\u2265')
    fc.assert(
      fc.property(number, signs, blank, (bound, sign, space) => {
        const found = parseRange(`${sign}${space}${bound}`)
        const isInclusive = !['<', '>'].includes(sign)
        const isUpper = /[<\u2264]/.test(sign)
        const expected = isUpper
          ? range(null, bound + 0, false, isInclusive)
          : range(bound + 0, null, isInclusive, false)
        assert.deepEqual(found, expected)
      }),
      { seed: 13 },
    )
  })

  test('accepts any text, and returns numbers or null', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        const found = parseRange(text)
        if (found === null) return
        for (const bound of [found.low, found.high]) {
          assert.ok(bound === null || Number.isFinite(bound), text)
        }
      }),
      { seed: 13, numRuns: 1000 },
    )
  })
})

describe('the position of a value', () => {
  const position = (type: string, result: string, reference: string): [unknown, unknown] => {
    const value = rangeOfValue(type, result)
    const within = parseRange(reference)
    assert.ok(value !== null && within !== null)
    const { isBelowMin, isAboveMax } = positionOf(value, within)
    return [isBelowMin, isAboveMax]
  }

  test('of a number is decided by the available bounds, inclusive or not', () => {
    assert.deepEqual(position('numeric', '5', '1-10'), [false, false])
    assert.deepEqual(position('numeric', '1', '1-10'), [false, false])
    assert.deepEqual(position('numeric', '10', '1-10'), [false, false])
    assert.deepEqual(position('numeric', '0.99', '1-10'), [true, false])
    assert.deepEqual(position('numeric', '10.01', '1-10'), [false, true])
    assert.deepEqual(position('numeric', '5', '<5'), [null, true])
    assert.deepEqual(position('numeric', '5', '<=5'), [null, false])
    assert.deepEqual(position('numeric', '3', '>3'), [true, null])
    assert.deepEqual(position('numeric', '3', '>=3'), [false, null])
    assert.deepEqual(position('numeric', '-4', '-3--1'), [true, false])
  })

  test('of a text with a sign is decided only when all its possible values are on one side', () => {
    assert.deepEqual(position('range', '<5', '1-10'), [null, false])
    assert.deepEqual(position('range', '<1', '1-10'), [true, false])
    assert.deepEqual(position('range', '<=1', '1-10'), [null, false])
    assert.deepEqual(position('range', '<10', '<10'), [null, false])
    assert.deepEqual(position('range', '<=10', '<10'), [null, null])
    assert.deepEqual(position('range', '<20', '1-10'), [null, null])
    assert.deepEqual(position('range', '>10', '1-10'), [false, true])
    assert.deepEqual(position('range', '>=10', '1-10'), [false, null])
    assert.deepEqual(position('range', '>=10', '<10'), [null, true])
    assert.deepEqual(position('range', '>90', '>=60'), [false, null])
    assert.deepEqual(position('range', '2-4', '1-10'), [false, false])
    assert.deepEqual(position('range', '8-12', '1-10'), [false, null])
    assert.deepEqual(position('range', '11-12', '1-10'), [false, true])
  })

  test('of other results is undecidable', () => {
    assert.equal(rangeOfValue('comment', '5'), null)
    assert.equal(rangeOfValue('coded_value', 'DETECTED'), null)
    assert.equal(rangeOfValue('numeric', 'high'), null)
    assert.equal(rangeOfValue('numeric', '1e3'), null)
    assert.equal(rangeOfValue('numeric', ''), null)
    assert.equal(rangeOfValue('range', '<'), null)
  })

  const bound = fc.integer({ min: -20, max: 20 })
  const ranges = fc
    .record({
      low: fc.option(bound),
      high: fc.option(bound),
      isLowInclusive: fc.boolean(),
      isHighInclusive: fc.boolean(),
    })
    .filter(({ low, high }) => low === null || high === null || low < high)

  test('is right for every possible value of the result', () => {
    const contains = (r: Range, x: number) =>
      (r.low === null || x > r.low || (x === r.low && r.isLowInclusive)) &&
      (r.high === null || x < r.high || (x === r.high && r.isHighInclusive))
    const probes = Array.from({ length: 201 }, (_, index) => index / 2 - 50)
    fc.assert(
      fc.property(ranges, ranges, (value, reference) => {
        const { isAboveMax, isBelowMin } = positionOf(value, reference)
        for (const x of probes.filter((probe) => contains(value, probe))) {
          const isInside = contains(reference, x)
          if (isAboveMax || isBelowMin) assert.equal(isInside, false)
          if (isAboveMax === false && isBelowMin === false) assert.equal(isInside, true)
        }
        assert.ok(!(isAboveMax && isBelowMin))
      }),
      { seed: 13, numRuns: 2000 },
    )
  })
})
