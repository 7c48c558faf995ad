import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findAnalyte } from './analyte-lookup.ts'
import { FINDINGS, QUANTITIES, readNlmIntervals } from './analyte-tables.ts'
import { findInterval, parseInterval, sideOf, toQuantity } from './reference-interval.ts'

const SEXES = ['female', 'male', null] as const
const AGES = [
  0, 0.4, 0.5, 1, 2, 5, 6, 9, 10, 12, 14, 17, 18, 20, 34, 35, 49, 50, 60, 70, 75, 80, 105,
]
const PEOPLE = SEXES.flatMap((sex) => AGES.map((ageYears) => ({ sex, ageYears })))

const result = (name: string, loinc: string | null, unit: string | null) => ({
  name,
  loinc,
  unit,
  provider_id: null,
  required: true,
})

/** The last digit of a LOINC code: by Luhn's rule. */
function hasCheckDigit(code: string): boolean {
  const [digits = '', check = ''] = code.split('-')
  const sum = [...digits].reverse().reduce((total, digit, index) => {
    const weighted = index % 2 === 0 ? 2 * Number(digit) : Number(digit)
    return total + (weighted > 9 ? weighted - 9 : weighted)
  }, 0)
  return (10 - (sum % 10)) % 10 === Number(check)
}

describe('the table of reference intervals', () => {
  test('holds well over 120 analytes, each once', () => {
    assert.ok(QUANTITIES.length > 240, `${QUANTITIES.length}`)
    assert.equal(new Set(QUANTITIES.map(({ analyte }) => analyte)).size, QUANTITIES.length)
  })

  test('names real LOINC codes, each for one analyte', () => {
    const codes = [...QUANTITIES, ...FINDINGS].flatMap(({ loincs }) =>
      loincs.split(' ').filter(Boolean),
    )
    assert.deepEqual(
      codes.filter((code) => !hasCheckDigit(code)),
      [],
    )
    assert.deepEqual(
      codes.filter((code, index) => codes.indexOf(code) !== index),
      [],
    )
  })

  test('has an interval for everyone, with bounds in their order', () => {
    for (const row of QUANTITIES.filter(({ intervals }) => intervals !== '')) {
      const quantity = toQuantity(row)
      for (const person of PEOPLE) {
        const interval = findInterval(quantity, person)
        assert.ok(interval, `${row.analyte} ${person.sex} ${person.ageYears}`)
        assert.ok((interval.low ?? 0) < (interval.high ?? Number.POSITIVE_INFINITY), row.analyte)
      }
    }
  })

  test('writes bounds with the digits that are printed', () => {
    for (const { analyte, intervals, decimals } of QUANTITIES) {
      for (const [, range = ''] of intervals.matchAll(/ ([<>=\d.-]+)(?:,|$)/g)) {
        for (const bound of range.replace(/[<>=]/g, '').split('-')) {
          assert.equal(bound.split('.')[1]?.length ?? 0, decimals, `${analyte} ${range}`)
        }
      }
    }
  })

  test('has critical limits beyond every interval', () => {
    for (const row of QUANTITIES) {
      const [low = null, high = null] = row.critical ?? []
      for (const person of PEOPLE) {
        const interval = findInterval(toQuantity(row), person)
        if (interval === undefined) continue
        if (low !== null) assert.equal(sideOf(low, interval), 'low', `${row.analyte} ${low}`)
        if (high !== null) assert.equal(sideOf(high, interval), 'high', `${row.analyte} ${high}`)
      }
    }
  })

  test('distinguishes the sexes where it matters, and the old from the young', () => {
    const interval = (analyte: string, sex: 'female' | 'male', ageYears: number) => {
      const row = QUANTITIES.find((one) => one.analyte === analyte)
      return row && findInterval(toQuantity(row), { sex, ageYears })
    }
    const low = (analyte: string, sex: 'female' | 'male', age: number) =>
      interval(analyte, sex, age)?.low ?? 0
    const high = (analyte: string, sex: 'female' | 'male', age: number) =>
      interval(analyte, sex, age)?.high ?? 0
    assert.ok(low('hemoglobin', 'male', 40) > low('hemoglobin', 'female', 40))
    assert.ok(low('testosterone', 'male', 40) > high('testosterone', 'female', 40))
    assert.ok(
      high('prostate_specific_antigen', 'male', 72) > high('prostate_specific_antigen', 'male', 45),
    )
    assert.ok(high('alkaline_phosphatase', 'male', 13) > high('alkaline_phosphatase', 'male', 40))
    assert.ok(low('follitropin', 'female', 60) > high('follitropin', 'female', 30))
  })
})

describe('intervals', () => {
  test('are read as laboratories write them', () => {
    assert.deepEqual(parseInterval('3.5-5.0'), { low: 3.5, high: 5, includesBounds: true })
    assert.deepEqual(parseInterval('<5.7'), { low: null, high: 5.7, includesBounds: false })
    assert.deepEqual(parseInterval('<=2'), { low: null, high: 2, includesBounds: true })
    assert.deepEqual(parseInterval('>=60'), { low: 60, high: null, includesBounds: true })
    assert.throws(() => parseInterval('about 5'))
  })

  test('include their bounds or not', () => {
    assert.equal(sideOf(5.7, parseInterval('<5.7')), 'high')
    assert.equal(sideOf(5.7, parseInterval('<=5.7')), 'inside')
    assert.equal(sideOf(60, parseInterval('>=60')), 'inside')
    assert.equal(sideOf(60, parseInterval('>60')), 'low')
    assert.equal(sideOf(3.5, parseInterval('3.5-5.0')), 'inside')
  })
})

describe('what a result is about', () => {
  const findingOf = (name: string, loinc: string | null = null, unit: string | null = null) => {
    const analyte = findAnalyte(result(name, loinc, unit))
    return analyte.kind === 'finding' ? analyte.finding.finding : analyte.quantity.analyte
  }

  test('is known by its code, whatever its name', () => {
    assert.equal(findingOf('Hb', '718-7'), 'hemoglobin')
    assert.equal(findingOf('Something', '43304-5'), 'nucleic_acid')
  })

  test('is guessed from its name without a code', () => {
    const guesses: [string, string][] = [
      ['Chlamydia trachomatis, NAA', 'nucleic_acid'],
      ['Varicella Zoster IgG', 'immunity'],
      ['Hepatitis B Surface Antigen', 'serology'],
      ['RPR', 'reagin'],
      ['Smith Antibody', 'antibody'],
      ['ANA Titer', 'titer'],
      ['Urine Culture', 'culture'],
      ['Color', 'urine_color'],
      ['Giardia Antigen', 'antigen_or_toxin'],
      ['Factor V Leiden Mutation', 'gene_variant'],
      ['Cannabinoids', 'drug_screen'],
      ['Please Note:', 'note'],
      ['Something Odd', 'presence'],
    ]
    for (const [name, finding] of guesses) assert.equal(findingOf(name), finding, name)
  })

  test('is measured when an unknown name has a unit, and the same in every report', () => {
    const first = findAnalyte(result('Odd Substance', null, 'ng/mL'))
    assert.equal(first.kind, 'quantity')
    assert.deepEqual(findAnalyte(result('Odd Substance', null, 'ng/mL')), first)
    assert.equal(findingOf('Odd Nut IgE', null, 'kU/L'), 'unknown::Odd Nut IgE')
  })

  test('comes from the National Library of Medicine where our own table lacks it', () => {
    const nlm = readNlmIntervals()
    assert.ok(nlm.size > 60)
    assert.equal(findingOf('TBG, T4', '27975-2'), 'nlm:27975-2')
    assert.equal(findingOf('Sodium', '2951-2'), 'sodium')
    for (const quantity of nlm.values()) {
      const interval = findInterval(quantity, { sex: null, ageYears: 40 })
      assert.ok(interval && (interval.low ?? 0) < (interval.high ?? 0), quantity.analyte)
    }
  })
})
