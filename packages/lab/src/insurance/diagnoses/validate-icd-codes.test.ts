import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { createTestDatabase } from '../../../../server/test/database.ts'
import { useFixture } from '../../../../server/test/use-fixture.ts'
import {
  checkDiagnosisCodes,
  describeDiagnosisCodes,
  validateIcdCodes,
} from './diagnoses.service.ts'
import { loadStartingDiagnosisCodes } from './loading/diagnosis-loading.service.ts'

const database = useFixture(createTestDatabase)
before(() => loadStartingDiagnosisCodes(database.db, new Date()))

const validate = (...codes: string[]) => validateIcdCodes(database.db, codes)

describe('codes of an order', () => {
  test('are accepted in upper or lower case, with or without the dot', async () => {
    const codes = ['E11.9', 'e119', 'E119', 'i10', 'S72.001A', 'M1A.00X0', 'Z00.00', ' I10 ']
    assert.deepEqual(await checkDiagnosisCodes(database.db, codes), { unknown: [] })
  })

  test('are reported by position when they are unknown, headings, or no codes', async () => {
    const codes = ['I10', 'E11', 'E11.99', 'diabetes', 'S72.001', '', 'A00-B99', 'E11.9', 'Z9Z']
    assert.deepEqual(await checkDiagnosisCodes(database.db, codes), {
      unknown: [1, 2, 3, 4, 5, 6, 8],
    })
    assert.deepEqual(await checkDiagnosisCodes(database.db, []), { unknown: [] })
  })

  test('are described in their order', async () => {
    assert.deepEqual(await describeDiagnosisCodes(database.db, ['i10', 'nonsense', 'E119']), [
      { code: 'I10', description: 'Essential (primary) hypertension' },
      { code: 'nonsense', description: null },
      { code: 'E11.9', description: 'Type 2 diabetes mellitus without complications' },
    ])
  })
})

/**
 * Pairs from the printed tabular list, a code of the first with a code of the second: a note is at
 * one of them, or at the heading or block above it.
 */
const EXCLUDES1: readonly [string, string][] = [
  ['E10.9', 'E11.9'],
  ['E11.65', 'E10.65'],
  ['E08.9', 'E11.9'],
  ['E09.9', 'E10.21'],
  ['E13.9', 'E10.9'],
  ['E11.9', 'O24.419'],
  ['R73.03', 'E11.9'],
  ['R73.9', 'E10.9'],
  ['R73.09', 'E13.8'],
  ['R73.01', 'O24.410'],
  ['E03.9', 'E02'],
  ['E03.9', 'E89.0'],
  ['E05.90', 'E06.2'],
  ['E78.5', 'E75.21'],
  ['D51.0', 'E53.8'],
  ['E53.8', 'D52.0'],
  ['E55.9', 'M83.9'],
  ['D64.9', 'D46.9'],
  ['D72.829', 'D70.9'],
  ['I10', 'O10.011'],
  ['I12.9', 'I15.0'],
  ['B20', 'Z21'],
  ['R75', 'B20'],
  ['Z21', 'Z20.6'],
  ['J02.9', 'J36'],
  ['J00', 'J02.9'],
  ['J06.9', 'J22'],
  ['J20.9', 'J40'],
  ['J44.9', 'J47.9'],
  ['K72.00', 'K70.40'],
  ['N39.0', 'N30.00'],
  ['R31.9', 'N02.9'],
  ['N40.0', 'D29.1'],
  ['M81.0', 'M80.08XA'],
  ['M32.9', 'L93.0'],
  ['F32.9', 'F31.9'],
  ['F33.1', 'F31.30'],
  ['R42', 'H81.10'],
  ['N91.2', 'E28.2'],
  ['R10.9', 'N23'],
  ['M1A.00X0', 'M10.9'],
  ['R51.9', 'G43.909'],
  ['A56.01', 'A74.9'],
  ['K50.90', 'K51.90'],
  ['Z34.90', 'Z32.01'],
  ['E83.51', 'E55.9'],
  ['E66.9', 'R63.5'],
  ['B20', 'A54.9'],
  ['J30.9', 'J45.909'],
]

const EXCLUDES2: readonly [string, string][] = [
  ['I10', 'I63.9'],
  ['I12.9', 'N17.9'],
  ['I10', 'H35.031'],
  ['K70.30', 'B18.2'],
  ['K76.0', 'K70.0'],
  ['N40.1', 'C61'],
  ['F41.1', 'F43.0'],
  ['F32.9', 'F43.21'],
  ['J45.909', 'J44.9'],
  ['R51.0', 'G43.909'],
  ['J45.20', 'J44.9'],
  ['Z00.00', 'Z12.5'],
]

/** Codes that commonly occur together. */
const TOGETHER: readonly [string, string][] = [
  ['E11.9', 'I10'],
  ['E11.65', 'E11.22'],
  ['E78.5', 'I10'],
  ['E11.22', 'N18.30'],
  ['E03.9', 'E78.00'],
  ['Z00.00', 'E55.9'],
  ['D50.9', 'N18.6'],
  ['F41.1', 'F32.9'],
  ['N39.0', 'B96.20'],
  ['J45.40', 'J30.9'],
  ['E08.9', 'K86.1'],
  ['R73.03', 'E66.9'],
]

describe('pairs of codes', () => {
  test('that exclude each other are violations, in either order', async () => {
    for (const [one, other] of EXCLUDES1) {
      for (const [code, conflicts_with] of [
        [one, other],
        [other, one],
      ] as const) {
        assert.deepEqual(
          await validate(code, conflicts_with),
          {
            valid: false,
            errors: [],
            violations: [{ code, conflicts_with, type: 'excludes1' }],
            warnings: [],
          },
          `${code} ${conflicts_with}`,
        )
      }
    }
  })

  test('that overlap are warnings, and stay valid', async () => {
    for (const [code, overlaps_with] of EXCLUDES2) {
      const warnings = [{ code, overlaps_with, type: 'excludes2' }]
      const expected = { valid: true, errors: [], violations: [], warnings }
      assert.deepEqual(await validate(code, overlaps_with), expected, `${code} ${overlaps_with}`)
    }
  })

  test('that commonly occur together are not reported', async () => {
    for (const pair of TOGETHER) {
      const expected = { valid: true, errors: [], violations: [], warnings: [] }
      assert.deepEqual(await validate(...pair), expected, pair.join())
    }
  })

  test('are reported once each, by codes with their dots', async () => {
    const { valid, violations, warnings } = await validate('e119', 'i10', 'E109', 'E11.9', 'I639')
    assert.equal(valid, false)
    assert.deepEqual(violations, [{ code: 'E11.9', conflicts_with: 'E10.9', type: 'excludes1' }])
    assert.deepEqual(warnings, [{ code: 'I10', overlaps_with: 'I63.9', type: 'excludes2' }])
  })
})

describe('codes that are not valid for claims', () => {
  test('are errors, each with a message', async () => {
    const { valid, errors } = await validate('I10', 'E11', 'e1199', 'diabetes', 'diabetes')
    assert.equal(valid, false)
    assert.deepEqual(errors, [
      'E11 is a heading. Claims need one of the codes below it.',
      'E11.99 is not a code of ICD-10-CM.',
      'diabetes does not have the form of an ICD-10-CM code.',
    ])
  })

  test('do not prevent the validation of the others', async () => {
    const { errors, violations } = await validate('nonsense', 'E10.9', 'E11.9')
    assert.deepEqual([errors.length, violations.length], [1, 1])
  })
})
