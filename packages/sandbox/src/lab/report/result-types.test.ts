import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { INTERPRETATIONS, RESULT_TYPES } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { anyone, anyPanels, reportOf } from '../../../test/reports.ts'
import { BLOOD_COUNT, HORMONES, INFECTIONS, METABOLIC } from '../../../test/requisitions.ts'
import { RANGE_PATTERN } from './printed.ts'

describe('types of results', () => {
  test('are all of numeric, comment and range over three results or more', () => {
    fc.assert(
      fc.property(
        anyPanels,
        anyone,
        fc.constantFrom(...INTERPRETATIONS),
        (panels, person, wanted) => {
          const types = new Set(
            reportOf(panels, { ...person, interpretation: wanted }).results.map(({ type }) => type),
          )
          assert.deepEqual([...types].sort(), ['comment', 'numeric', 'range'])
        },
      ),
      { numRuns: 200, seed: 41 },
    )
  })

  test('are among those asked for, each once at least, and read as they say', () => {
    const anyTypes = fc.subarray([...RESULT_TYPES], { minLength: 1 })
    const anyWish = fc.constantFrom(...INTERPRETATIONS)
    fc.assert(
      fc.property(anyPanels, anyone, anyTypes, anyWish, (panels, person, resultTypes, wanted) => {
        const report = reportOf(panels, { ...person, resultTypes, interpretation: wanted })
        const types = new Set(report.results.map(({ type }) => type))
        assert.deepEqual([...types].sort(), resultTypes.toSorted())
        for (const { type, result, notes } of report.results) {
          if (type === 'numeric') assert.match(result, /^\d+(\.\d+)?$/)
          if (type === 'range') assert.match(result, RANGE_PATTERN)
          if (type === 'coded_value') assert.match(result, /^[A-Z][A-Z_]*$/)
          if (type === 'range' || type === 'comment') assert.equal(notes, result)
        }
      }),
      { numRuns: 200, seed: 42 },
    )
  })

  test('follow the analyte: words for infections, numbers for blood, less-than for what is little', () => {
    const [chlamydia] = reportOf([INFECTIONS.slice(0, 1)]).results
    assert.deepEqual([chlamydia?.type, chlamydia?.result], ['comment', 'Not Detected'])
    const [hemoglobin] = reportOf([BLOOD_COUNT.slice(2, 3)]).results
    assert.equal(hemoglobin?.type, 'numeric')
    const crp = Array.from(
      { length: 100 },
      (_, order) => reportOf([HORMONES.slice(4, 5)], { orderId: `${order}` }).results[0],
    )
    const little = crp.filter((result) => result?.result === '<0.2')
    assert.ok(little.length > 2 && little.length < 60, `${little.length}`)
    assert.ok(little.every((result) => result?.type === 'range' && result.flag === 'N'))
  })

  test('have no ranges and flags when nothing shall be known', () => {
    for (const result of reportOf([METABOLIC, INFECTIONS], { interpretation: 'unknown' }).results) {
      assert.deepEqual(
        [result.flag, result.reference_range, result.min_range_value],
        [null, null, null],
      )
    }
  })
})
