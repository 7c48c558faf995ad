import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { scaleBetween, toPrintedUnit } from './unit-scale.ts'

describe('units', () => {
  test('of one kind are converted, however laboratories spell them', () => {
    const scales: [from: string, to: string, scale: number][] = [
      ['10*3/uL', 'x10E3/uL', 1],
      ['10*3/uL', 'Thousand/uL', 1],
      ['10*3/uL', 'K/uL', 1],
      ['10*3/uL', '10*9/L', 1],
      ['10*3/uL', 'cells/uL', 1000],
      ['10*6/uL', 'Million/uL', 1],
      ['m[IU]/L', 'uIU/mL', 1],
      ['U/L', 'IU/L', 1],
      ['mg/L', 'mg/dL', 0.1],
      ['ng/dL', 'pg/mL', 10],
      ['ng/mL', 'µg/L', 1],
      ['umol/L', 'nmol/L', 1000],
      ['ug/mL', 'ng/mL{FEU}', 1000],
      ['mg/g', 'mcg/mg creat', 1],
      ['mL/min/{1.73_m2}', 'mL/min/1.73', 1],
      ['mg/(24.h)', 'mg/24 hr', 1],
      ['mmol/L', 'mEq/L', 1],
      ['s', 'sec', 1],
      ['{ratio}', 'ratio', 1],
    ]
    for (const [from, to, scale] of scales)
      assert.equal(scaleBetween(from, to), scale, `${from} ${to}`)
  })

  test('of different kinds are not', () => {
    assert.equal(scaleBetween('mg/dL', 'mmol/L'), null)
    assert.equal(scaleBetween('%', 'mg/dL'), null)
    assert.equal(scaleBetween('g/dL', 'something else'), null)
  })

  test('are printed for people', () => {
    assert.equal(toPrintedUnit('m[IU]/L'), 'mIU/L')
    assert.equal(toPrintedUnit('mL/min/{1.73_m2}'), 'mL/min/1.73m2')
    assert.equal(toPrintedUnit('{ratio}'), null)
    assert.equal(toPrintedUnit('1'), null)
  })
})
