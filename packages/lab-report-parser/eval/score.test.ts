import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Field, ReportResult } from '../src/report.ts'
import { areValuesEqual, normalizeUnit, readIntervals } from './normalize.ts'
import { rate } from './score.ts'
import { scoreDocument } from './score-document.ts'
import type { TruthRow } from './truth.ts'

const field = (text: string): Field => ({
  text,
  page: 1,
  box: { x: 0, y: 0, width: 1, height: 1 },
  confidence: 1,
})

/** The result of a parser that reads a row correctly. */
function readRight(row: TruthRow): ReportResult {
  const bounds = row.reference_range ? readIntervals(row.reference_range)[0] : undefined
  return {
    name: field(row.name),
    value: field(row.value),
    unit: row.unit === null ? null : field(row.unit),
    range: row.reference_range === null ? null : field(row.reference_range),
    flag: row.flag === null ? null : field(row.flag),
    panel: null,
    sampleType: 'unknown',
    type: 'numeric',
    ucumUnit: null,
    number: null,
    low: bounds?.low ?? null,
    high: bounds?.high ?? null,
    measurementKind: 'unknown',
    sensitivity: 'unknown',
    interpretation:
      row.interpretation === null
        ? 'unknown'
        : row.interpretation === 'normal'
          ? 'normal'
          : 'abnormal',
    isAboveHigh: row.interpretation === 'high',
    isBelowLow: row.interpretation === 'low',
    loincMatches: row.loinc
      ? [{ code: row.loinc, name: '', displayName: '', aliases: [], score: 1 }]
      : [],
    doubts: [],
    loincMatchStatus: row.loinc ? 'auto_match' : 'no_match',
  }
}

const row = (name: string, value: string, more: Partial<TruthRow> = {}): TruthRow => ({
  name,
  value,
  unit: null,
  reference_range: null,
  flag: null,
  interpretation: null,
  loinc: null,
  ...more,
})

const ROWS: TruthRow[] = [
  row('Leucocitos', '5,4', {
    unit: 'x10^3/µL',
    reference_range: '4,0 - 11,0',
    interpretation: 'normal',
    loinc: '6690-2',
  }),
  row('Glucosa', '112', {
    unit: 'mg/dL',
    reference_range: '70 - 105',
    flag: '*',
    interpretation: 'high',
  }),
  row('Glucose', '1,120', {
    unit: 'mg/dL',
    reference_range: '< 1,050',
    flag: 'H',
    interpretation: 'high',
  }),
  row('Nitrite', 'Negative', { reference_range: 'Negative' }),
  row('Nitrite', 'Positive', { reference_range: 'Negative' }),
]

const judge = (rows: TruthRow[], results: ReportResult[]) =>
  scoreDocument(
    { file: 'a.pdf', bytes: new Uint8Array(), rows, header: {} },
    {
      status: 'parsed',
      report: { language: 'en', header: HEADER, results, unread: [], pages: [] },
    },
  )

const HEADER = {
  patientFirstName: null,
  patientLastName: null,
  dateOfBirth: null,
  gender: null,
  labName: null,
  dateReported: null,
  dateCollected: null,
  specimenNumber: null,
}

test('everything read as printed scores one, whatever the order of rows with one name', () => {
  const { score, differences } = judge(ROWS, ROWS.map(readRight).reverse())
  assert.deepEqual(differences, [])
  for (const count of Object.values(score.fields)) assert.equal(rate(count).f1, 1)
  assert.equal(score.loinc.autoRight, 1)
})

test('a missing row costs recall, an invented one precision, a wrong value both', () => {
  const right = ROWS.map(readRight)
  const missing = judge(ROWS, right.slice(1)).score.fields['name+value']
  assert.deepEqual(missing, { printed: 5, read: 4, right: 4 })
  const invented = judge(ROWS, [...right, readRight(row('Page', '1'))]).score.fields['name+value']
  assert.deepEqual(invented, { printed: 5, read: 6, right: 5 })
  const wrong = judge(ROWS, [...right.slice(1), readRight(row('Leucocitos', '54'))])
  assert.deepEqual(wrong.score.fields['name+value'], { printed: 5, read: 5, right: 4 })
})

test('a row that was read twice is right once', () => {
  const right = ROWS.map(readRight)
  const twice = judge(ROWS, [...right, ...ROWS.map(readRight)]).score.fields['name+value']
  assert.deepEqual(twice, { printed: 5, read: 10, right: 5 })
})

test('a wrong code that matched by itself costs precision, one left to review does not', () => {
  const [leucocytes] = ROWS as [TruthRow]
  const wrong = {
    ...readRight(leucocytes),
    loincMatches: [{ code: '1-8', name: '', displayName: '', aliases: [], score: 1 }],
  }
  assert.equal(judge([leucocytes], [wrong]).score.loinc.autoMatched, 1)
  assert.equal(judge([leucocytes], [wrong]).score.loinc.autoRight, 0)
  const review = { ...wrong, loincMatchStatus: 'needs_review' as const }
  assert.equal(judge([leucocytes], [review]).score.loinc.autoMatched, 0)
})

test('what is sure and wrong is counted by what is wrong, and what is doubtful and right', () => {
  const [first, second, ...others] = ROWS.map(readRight) as [ReportResult, ReportResult]
  const wrongValue = { ...first, value: field('54321') }
  const wrongBounds = { ...second, low: 0.001, high: 0.002 }
  const invented = readRight(row('Page', '1'))
  const { certainty } = judge(ROWS, [wrongValue, wrongBounds, ...others, invented]).score
  assert.deepEqual(certainty, {
    read: 6,
    sure: 6,
    sureWrongValue: 2,
    sureWrongMeaning: 1,
    doubtfulRight: 0,
    reviewed: 0,
    reviewedForNothing: 0,
  })
  const doubt = (result: ReportResult) => ({ ...result, doubts: ['place' as const] })
  const doubted = judge(ROWS, [doubt(wrongValue), doubt(second), ...others]).score.certainty
  assert.deepEqual([doubted.sureWrongValue, doubted.doubtfulRight], [0, 1])
  assert.deepEqual([doubted.reviewed, doubted.reviewedForNothing], [1, 0])
  const forNothing = judge(ROWS, [doubt(first), second, ...others]).score.certainty
  assert.deepEqual([forNothing.reviewed, forNothing.reviewedForNothing], [1, 1])
})

test('values are compared as numbers in either notation, with their comparators', () => {
  for (const [one, other] of [
    ['7,500', '7500'],
    ['15,8', '15.8'],
    ['1.234,5', '1234.5'],
    ['2,40,000', '240000'],
    ['< 0.5', '<0.50'],
    ['NEGATIVE', 'Negative'],
    ['> OR = 60', '>=60'],
  ] as const) {
    assert.ok(areValuesEqual(one, other), `${one} and ${other}`)
  }
  for (const [one, other] of [
    ['5.4', '54'],
    ['<5', '5'],
    ['0.8', '8'],
    ['Positive', 'Negative'],
    ['1:80', '1:160'],
  ] as const) {
    assert.ok(!areValuesEqual(one, other), `${one} and ${other}`)
  }
})

test('units are compared by what they say', () => {
  for (const [one, other] of [
    ['x10^3/µL', '10*3/uL'],
    ['x10⁹/L', 'K/uL'],
    ['10E9/L', 'x10E3/uL'],
    ['UI/L', 'U/L'],
    ['mL/min/1.73', 'mL/min/1,73 m²'],
    ['mcg/dL', 'µg/dl'],
    ['Tsd./µl', 'G/L'],
    ['mm/hr', 'mm/h'],
    ['mil/mm³', '10^3/uL'],
    ['µUI/mL', 'uIU/mL'],
    ['mIU/L', 'uIU/mL'],
  ] as const) {
    assert.equal(normalizeUnit(one), normalizeUnit(other), `${one} and ${other}`)
  }
  for (const [one, other] of [
    ['mg/dL', 'mmol/L'],
    ['mg/dL', 'ug/dL'],
    ['10^3/uL', '10^6/uL'],
    ['%', '10^3/uL'],
    ['g/L', 'g/dL'],
    ['U/L', 'mU/L'],
  ] as const) {
    assert.notEqual(normalizeUnit(one), normalizeUnit(other), `${one} and ${other}`)
  }
})

test('reference intervals are compared by their bounds', () => {
  for (const [text, low, high] of [
    ['13,0 - 17,0', 13, 17],
    ['<200', null, 200],
    ['> OR = 50', 50, null],
    ['[4.0–11.0]', 4, 11],
    ['hasta 40', null, 40],
    ['(0.5 to 1.2)', 0.5, 1.2],
    ['150.000 - 400.000', 150_000, 400_000],
    ['>59', 59, null],
    ['bis 5,0', null, 5],
  ] as const) {
    assert.ok(
      readIntervals(text).some((bounds) => bounds.low === low && bounds.high === high),
      `${text}: ${JSON.stringify(readIntervals(text))}`,
    )
  }
  assert.deepEqual(readIntervals('Negative'), [])
})

test('another wording that the truth has is as right, and what is optional may be missing', () => {
  const printed = [
    row('Ampicillin', '16', { value_also: ['R'], unit_any: ['ug/mL'] }),
    row('Colony count', '>100,000 CFU/mL', { optional: true }),
  ]
  const [first] = printed as [TruthRow]
  const readings = [first, { ...first, unit: 'ug/mL' }, { ...first, value: 'R' }]
  for (const reading of readings) {
    const { score } = judge(printed, [readRight(reading as TruthRow)])
    assert.deepEqual(score.fields['name+value'], { printed: 1, read: 1, right: 1 })
    assert.equal(score.certainty.sureWrongValue + score.certainty.sureWrongMeaning, 0)
  }
})
