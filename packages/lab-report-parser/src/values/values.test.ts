import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UcumLhcUtils } from '@lhncbc/ucum-lhc'
import type { Person } from './choose-alternative.ts'
import { readFlag } from './flag.ts'
import { findPosition, interpretResult } from './interpretation.ts'
import { readNumber, usesDecimalComma } from './number.ts'
import { looksLikeRange, type RangeOptions, readRange } from './reference-range.ts'
import { looksLikeUnit, toUcum } from './unit.ts'
import { getUnitSpellings } from './unit-spellings.ts'
import { looksLikeValue, readValue } from './value.ts'

describe('a printed number', () => {
  test('has points, commas, spaces and apostrophes where laboratories put them', () => {
    const cases: [text: string, expected: number | null, decimalComma?: boolean][] = [
      ['90', 90],
      ['1e-3', 0.001],
      ['1,234.5', 1234.5],
      ['1.234,5', 1234.5],
      ["1'234", 1234],
      ['250 000', 250000],
      ['1,50,000', 150000],
      ['5,4', 5.4],
      ['0,123', 0.123],
      ['1,234', 1234],
      ['1,234', 1.234, true],
      ['150.000', 150000, true],
      ['1.270', 1.27],
      ['.5', 0.5],
      ['-1.5', -1.5],
      ['12.03.2024', null],
      ['1,23,4', null],
      ['B12', null],
    ]
    for (const [text, expected, decimalComma] of cases) {
      assert.equal(readNumber(text, { decimalComma }), expected, text)
    }
  })

  test('is repaired where recognition took letters for digits', () => {
    for (const [text, expected] of [
      ['l2.5', 12.5],
      ['O.94', 0.94],
      ['3.S', 3.5],
    ] as const) {
      assert.equal(readNumber(text), expected, text)
    }
    assert.equal(readNumber('S'), null)
    assert.equal(readNumber('OS'), null)
  })

  test('of a whole report decide whether commas stand before decimals', () => {
    assert.equal(usesDecimalComma(['5,4', '0,94 - 1,2', '4.500']), true)
    assert.equal(usesDecimalComma(['5.4', '1,234']), false)
    assert.equal(usesDecimalComma([]), false)
  })
})

describe('a printed value', () => {
  test('has the type of the contract', () => {
    const cases = {
      numeric: ['90', '1e-3', '-0.5', '1,234'],
      range: ['<5', '>=10', '≤1e-3', '3-7', '> 2000', '< OR = 3'],
      percentage: ['5.4%', '5.4 %', '<0.1%'],
      ratio: ['97/100', '1 / 80'],
      boolean: ['true', 'negative', 'POSITIVE', 'Negativo'],
      duration: ['3h', '12 min', '10:00', '2:30'],
      comment: ['See note', '1:80', '1+', 'Non Reactive', '+++', 'A positive'],
    }
    for (const [type, texts] of Object.entries(cases)) {
      for (const text of texts) assert.equal(readValue(text)?.type, type, text)
    }
    for (const text of ['', ' ', '-', '---', '*']) assert.equal(readValue(text), null, text)
  })

  test('has the number and the comparator that are printed', () => {
    assert.deepEqual(readValue('<0,5'), {
      type: 'range',
      number: 0.5,
      comparator: '<',
      bounds: null,
    })
    assert.deepEqual(readValue('3-7')?.bounds, { low: 3, high: 7 })
    assert.equal(readValue('5,4%')?.number, 5.4)
    assert.equal(readValue('1.270', { decimalComma: true })?.number, 1270)
  })

  test('is distinguished from names and sentences', () => {
    for (const text of [
      '12.5',
      '<5',
      '1:80',
      'Negative',
      'Nicht nachweisbar',
      '2+',
      'Pale yellow',
    ]) {
      assert.equal(looksLikeValue(text), true, text)
    }
    for (const text of ['Glucose', 'mg/dL', 'Vitamin B12', '-', 'Fasting required']) {
      assert.equal(looksLikeValue(text), false, text)
    }
  })
})

describe('a printed reference interval', () => {
  const bounds = (text: string, options?: RangeOptions) => {
    const range = readRange(text, options)
    return range && [range.low, range.high]
  }

  test('is read in the notations of laboratories', () => {
    const cases: [text: string, low: number | null, high: number | null][] = [
      ['3.5-5.2', 3.5, 5.2],
      ['3.5 – 5.2', 3.5, 5.2],
      ['3,5 bis 5,2', 3.5, 5.2],
      ['(3.5 - 5.2)', 3.5, 5.2],
      ['[ 3,5 - 5,2 ]', 3.5, 5.2],
      ['[3.5;5.2]', 3.5, 5.2],
      ['3.5 ~ 5.2', 3.5, 5.2],
      ['0 to 40', 0, 40],
      ['de 3,5 à 5,2', 3.5, 5.2],
      ['-0.5 - 0.5', -0.5, 0.5],
      ['< 5', null, 5],
      ['up to 40', null, 40],
      ['hasta 40', null, 40],
      ['Menor que 5,0', null, 5],
      ['inférieur à 3', null, 3],
      ['>= 60', 60, null],
      ['> OR = 50', 50, null],
      ['60 or above', 60, null],
      ['Superior a 40', 40, null],
      ['13.0-17.0 g/dL', 13, 17],
      ['70 mg/dL - 99 mg/dL', 70, 99],
      ['4.5-11.0 x10^3/uL', 4.5, 11],
      ['> 90 mL/min/1.73 m2', 90, null],
      ['1.73 - 2.10', 1.73, 2.1],
      ['4,000 - 11,000', 4000, 11000],
      ['150 000 - 400 000', 150000, 400000],
      ['1,50,000 - 4,10,000', 150000, 410000],
      ['Adult: 3-5', 3, 5],
      ['<200 desirable 200-239 borderline >=240 high', null, 200],
      ['4.0-5.6 Prediabetes: 5.7-6.4 Diabetes: >6.4', 4, 5.6],
      ['6.5 % or higher', 6.5, null],
      ['Desirable: <200 Borderline: 200-239 High: >=240', null, 200],
      ['<200 Desirable 200-239 Borderline', null, 200],
      ['Non-diabetic: <5.7 Prediabetes: 5.7-6.4 Diabetes: >6.4', null, 5.7],
      ['11.5-14:5', 11.5, 14.5],
      ['3.5-S.2', 3.5, 5.2],
    ]
    for (const [text, low, high] of cases) assert.deepEqual(bounds(text), [low, high], text)
  })

  test('of several is that of the sex and age, and none where they are not known', () => {
    const of = (sex: Person['sex'], age?: number): RangeOptions => ({
      person: { sex, age: age === undefined ? null : { least: age, most: age + 0.9 } },
    })
    const [man, woman, child] = [of('male', 45), of('female', 45), of('male', 5)]
    const cases: [text: string, expected: readonly [unknown, unknown, unknown, unknown]][] = [
      // of a man, a woman, a boy, and an unknown person
      ['M: 13-17 F: 12-15', [[13, 17], [12, 15], [13, 17], null]],
      ['Male: 13.0 - 17.0 g/dL Female: 12.0 - 15.0 g/dL', [[13, 17], [12, 15], [13, 17], null]],
      ['Male 40-60 / Female 50-70', [[40, 60], [50, 70], [40, 60], null]],
      ['3.4-7.0 (M) 2.4-6.0 (F)', [[3.4, 7], [2.4, 6], [3.4, 7], null]],
      ['M<15 F<20', [[null, 15], [null, 20], [null, 15], null]],
      ['Hombres: 13-17 Mujeres: 12-15', [[13, 17], [12, 15], [13, 17], null]],
      // M is a woman beside H, and a man beside W.
      ['H: 0.7-1.2 M: 0.5-0.9', [[0.7, 1.2], [0.5, 0.9], [0.7, 1.2], null]],
      ['m: 0,7-1,2 w: 0,5-0,9', [[0.7, 1.2], [0.5, 0.9], [0.7, 1.2], null]],
      [
        'M: 3-5 F: 3-5',
        [
          [3, 5],
          [3, 5],
          [3, 5],
          [3, 5],
        ],
      ],
      ['Adults: 40-129, Children 1-9 y: 142-335', [[40, 129], [40, 129], [142, 335], null]],
      ['Erwachsene: 35-105 Kinder 1-9 J.: 142-335', [[35, 105], [35, 105], [142, 335], null]],
      ['41-50 years: 94-252 51-60 years: 81-225', [[94, 252], [94, 252], null, null]],
      ['18-60 years: 3.5-5.2', [[3.5, 5.2], [3.5, 5.2], null, null]],
      ['0-1 y: <15; 1-9 y: <60; Adults: <100', [[null, 100], [null, 100], [null, 60], null]],
      ['Adult male: 13-17 Adult female: 12-15 Child: 11-14', [[13, 17], [12, 15], [11, 14], null]],
      // Facts that no header of a report has
      ['Follicular 12.5-166 / Luteal 43.8-211', [null, null, null, null]],
      ['Premenopausal 10-55', [null, null, null, null]],
      ['>18 years: 0.4-4.0 1st trimester: 0.1-2.5', [[0.4, 4], null, null, null]],
      [
        '0.4-4.0 1st trimester: 0.1-2.5',
        [
          [0.4, 4],
          [0.4, 4],
          [0.4, 4],
          [0.4, 4],
        ],
      ],
      ['>= 19 y 40-129 35-104', [null, null, null, null]],
      ['1-9 y 142-335 142-335', [null, null, [142, 335], null]],
      ['Fasting: 70-99 Random: 70-140', [null, null, null, null]],
    ]
    for (const [text, expected] of cases) {
      const read = [man, woman, child, {}].map((options) => bounds(text, options))
      assert.deepEqual(read, expected, text)
    }
  })

  test('is none where there are no bounds', () => {
    for (const text of ['', 'Negative', '1:80', '< 1:80', 'See note', '10-1', '5', '18-60 years']) {
      assert.equal(readRange(text), null, text)
    }
  })

  test('keeps whether its bounds belong to it', () => {
    assert.equal(readRange('<5')?.isHighInclusive, false)
    assert.equal(readRange('<=5')?.isHighInclusive, true)
    assert.equal(readRange('up to 5')?.isHighInclusive, true)
  })

  test('is distinguished from values and names', () => {
    for (const text of [
      '3.5-5.2',
      '< 5',
      'Non Reactive',
      '(3,5 - 5,2) g/dL',
      '1:80',
      'M: 13-17 F: 12-15',
    ]) {
      assert.equal(looksLikeRange(text), true, text)
    }
    for (const text of ['5.4', 'Glucose', 'mg/dL', 'Hemoglobin A1c']) {
      assert.equal(looksLikeRange(text), false, text)
    }
  })
})

describe('a printed unit', () => {
  test('is returned in UCUM', () => {
    const cases: Record<string, string[]> = {
      '10*3/uL': [
        'x10E3/uL',
        '10*3/µL',
        'K/uL',
        'thou/mm3',
        '10³/µL',
        'x 10^3 / μL',
        'Tsd/µl',
        'mil/mm³',
        '10^3/pL',
        'x103/uL',
      ],
      '10*5/uL': ['Lakhs/cumm', 'lakh/cu.mm'],
      '10*6/uL': ['mill/mm3', 'M/uL', 'Mio/µl', 'Million/uL'],
      '10*9/L': ['10^9/L', 'x10⁹/L', 'G/l', 'Gpt/l'],
      '10*12/L': ['T/l', '10E12/L'],
      '{cells}/uL': ['cells/cu.mm', 'Zellen/µl', 'cells/cumm'],
      'g/L': ['g/L', 'g/l'],
      'g/dL': ['g%', 'gm/dl', 'G/DL', 'g/dl'],
      'mg/dL': ['mg%', 'MG/DL', 'mg/dL (calc)', 'mgldL'],
      'ug/dL': ['mcg/dL', 'ug/dL', 'µg/dl'],
      'u[IU]/mL': ['uIU/mL', 'µUI/mL', 'ulU/mL'],
      'm[IU]/L': ['mIU/L', 'mlU/L', 'mUI/L'],
      '[IU]/L': ['IU/L', 'UI/L', '[IU]/L', 'IE/l'],
      'U/L': ['U/L', 'U/l', 'E/l'],
      'meq/L': ['mEq/L', 'mEg/L'],
      'mmol/L': ['mmol/l', 'mmo1/L'],
      'ng/mL': ['ng/mL', 'ng/m1'],
      'mL/min/{1.73_m2}': ['mL/min/1.73 m²', 'mL/min/1.73m2', 'ml/min/1,73 m2', 'mL/min/1.73'],
      fL: ['fl', 'f1', 'µm³'],
      pg: ['pg', 'pg/cell'],
      s: ['sec', 'Sek.', 'segundos'],
      'mm/h': ['mm/hr', 'mm/1st hour'],
      '/[HPF]': ['/hpf', '/HPF', '/campo'],
      '{copies}/mL': ['copies/mL', 'Kopien/ml'],
      'mg/g{creat}': ['mg/g creat', 'mg/g Kreatinin'],
      '%': ['%', 'Vol%', '% of total'],
      '{ratio}': ['ratio'],
    }
    for (const [ucum, texts] of Object.entries(cases)) {
      for (const text of texts) assert.equal(toUcum(text), ucum, text)
    }
  })

  test('is none where it is a flag, a name or a sentence', () => {
    for (const text of [
      '',
      'H',
      'L',
      'A',
      'N',
      'Lab',
      'Total',
      'Glucose',
      '12.5',
      'See note',
      '3.5-5.2',
    ]) {
      assert.equal(toUcum(text), null, text)
      assert.equal(looksLikeUnit(text), false, text)
    }
  })

  test('of every spelling of the table is valid UCUM', () => {
    const ucum = UcumLhcUtils.getInstance()
    const { units, parts, powers, volumes } = getUnitSpellings()
    const counts = [...powers.values()].map((power) => `10*${power}/uL`)
    const all = new Set([...units.values(), ...parts.values(), ...volumes.values(), ...counts])
    assert.ok(all.size > 100)
    for (const unit of all) {
      // A text in braces alone is an annotation: a unit of dimension one.
      const { status } = ucum.validateUnitString(unit)
      assert.equal(status, 'valid', unit)
    }
  })
})

describe('a printed flag', () => {
  test('is read in signs and words of all languages', () => {
    const cases: [text: string, interpretation: string, direction: string | null][] = [
      ['H', 'abnormal', 'high'],
      ['(L)', 'abnormal', 'low'],
      ['*', 'abnormal', null],
      ['↑', 'abnormal', 'high'],
      ['H High', 'abnormal', 'high'],
      ['erhöht', 'abnormal', 'high'],
      ['Bajo', 'abnormal', 'low'],
      ['N', 'normal', null],
      ['HH', 'critical', 'high'],
      ['Critical Low', 'critical', 'low'],
      ['Panic', 'critical', null],
    ]
    for (const [text, interpretation, direction] of cases) {
      assert.deepEqual(readFlag(text), { interpretation, direction }, text)
    }
    for (const text of ['', '112', 'W', 'Glucose', 'constructor', 'Normal:'])
      assert.equal(readFlag(text), null, text)
  })
})

describe('the interpretation of a printed result', () => {
  const of = (value: string, range: string | null, flag: string | null = null) => {
    const reference = range === null ? null : readRange(range)
    const read = readValue(value)
    assert.ok(read)
    return interpretResult({
      flag,
      value,
      range,
      position: findPosition(read, reference),
      reference,
    })
  }

  test('is that of the printed flag', () => {
    assert.equal(of('5', '1-10', 'H'), 'abnormal')
    assert.equal(of('50', '1-10', 'N'), 'normal')
    assert.equal(of('5', null, 'HH'), 'critical')
    assert.equal(of('5', '1-10', 'W'), 'unknown')
  })

  test('is that of its place in the interval, comparators only where they are conclusive', () => {
    assert.equal(of('5', '1-10'), 'normal')
    assert.equal(of('11', '1-10'), 'abnormal')
    assert.equal(of('5', '<5'), 'abnormal')
    assert.equal(of('>2000', '0-1100'), 'abnormal')
    assert.equal(of('>500', '0-1100'), 'unknown')
    assert.equal(of('<1', '1-10'), 'abnormal')
    assert.equal(of('<5', '< 10'), 'normal')
    assert.equal(of('5', null), 'unknown')
    assert.equal(of('5', 'see note'), 'unknown')
  })

  test('of words is by the words that are expected', () => {
    assert.equal(of('Negative', 'Negative'), 'normal')
    assert.equal(of('Not Detected', 'Negative'), 'normal')
    assert.equal(of('Positive', 'Negative'), 'abnormal')
    assert.equal(of('Reactive', 'Non-Reactive'), 'abnormal')
    const cases: [value: string, range: string, expected: string][] = [
      ['3+', 'Neg', 'abnormal'],
      ['Trace', 'Negative', 'abnormal'],
      ['Trace', 'Negative - Trace', 'normal'],
      ['NEG', 'NEGATIVE', 'normal'],
      ['Large', 'Negative', 'abnormal'],
      ['Few', 'None-Few', 'normal'],
      ['Moderate', 'None - Few', 'abnormal'],
      ['Occasional', 'None seen', 'abnormal'],
      ['(+)', 'negativ', 'abnormal'],
      ['Yellow', 'Yellow', 'normal'],
      ['Cloudy', 'Clear', 'unknown'],
      ['1:80', '<1:40', 'abnormal'],
      ['<1:40', '<1:40', 'normal'],
      ['1:40', '<1:40', 'abnormal'],
      ['1:40', '≤1:40', 'normal'],
      ['1:8', 'Non-Reactive', 'abnormal'],
      ['1:80', '1:40', 'unknown'],
    ]
    for (const [value, range, expected] of cases)
      assert.equal(of(value, range), expected, `${value} against ${range}`)
    assert.equal(of('Negative', null), 'unknown')
  })
})
