import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPrintedUnit } from './printed-unit.ts'

test('units are printed as people write them', () => {
  const printed: [string | null, string][] = [
    [null, ''],
    ['mg/dL', 'mg/dL'],
    ['10*3/uL', '10³/µL'],
    ['10*6/uL', '10⁶/µL'],
    ['mL/min/{1.73_m2}', 'mL/min/1.73 m²'],
    ['{ratio}', ''],
    ['m[IU]/L', 'mIU/L'],
    ['u[IU]/mL', 'µIU/mL'],
    ['umol/L', 'µmol/L'],
    ['ug/dL', 'µg/dL'],
    ['%', '%'],
    ['U/L', 'U/L'],
    ['1', ''],
  ]
  for (const [unit, expected] of printed) assert.equal(toPrintedUnit(unit), expected, String(unit))
})
