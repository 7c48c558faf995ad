import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReportedResult, ReportedTest } from '@salus/contracts/lab-gateway'
import fc from 'fast-check'
import { campaignRuns } from '../../../../server/test/campaign-runs.ts'
import { reported, reportOf } from '../../../../server/test/results/lipid-reports.ts'
import type { ReceivedContent } from '../results.tables.ts'
import { mergeReports } from './merge-reports.ts'

/** Reports of one order, whole and in parts, in any order of arrival. */

const at = (minute: number) => ({
  timestamp: new Date(Date.UTC(2026, 2, 1, 12, minute)).toISOString(),
  timezone_offset: 0,
})

const testOf = (filler: string | null, more: Partial<ReportedTest> = {}): ReportedTest => ({
  provider_id: 'LIPID',
  name: 'Lipids',
  loinc: null,
  placer_number: null,
  filler_number: filler,
  status: 'final',
  origin: 'ordered',
  parent: null,
  specimen: null,
  reported_at: null,
  ...more,
})

const resultOf = (
  code: string,
  value: string,
  more: Partial<ReportedResult> = {},
): ReportedResult => ({ ...reported(code, value), provider_id: code, test: 't', ...more })

/** A part with one test. */
const part = (
  minute: number,
  test: ReportedTest,
  results: ReportedResult[],
  more: Partial<ReceivedContent> = {},
): ReceivedContent => {
  const {
    pdf: _,
    documents: __,
    ...report
  } = reportOf({ sample_id: 'S1' }, { reported_at: at(minute) })
  return { ...report, status: 'partial', scope: 'part', tests: { t: test }, results, ...more }
}

const RECEIVED = new Date(Date.UTC(2026, 2, 2))
const merge = (reports: readonly ReceivedContent[]) =>
  mergeReports(reports.map((message) => ({ message, at: RECEIVED }))).merged
/** What is shown: code, sub-id, value and status of each result. */
const shown = (...reports: ReceivedContent[]) =>
  merge(reports).results.map(({ provider_id: code, sub_id: subId, result, status }) =>
    [code, subId, result, status].filter((word) => word).join(' '),
  )
const bothWays = (expected: string[], ...reports: ReceivedContent[]) => {
  assert.deepEqual(shown(...reports), expected)
  assert.deepEqual(shown(...reports.toReversed()), expected)
}

describe('parts', () => {
  test('add results, and the newer value of a result counts', () => {
    const first = part(1, testOf('F1'), [resultOf('A', '1'), resultOf('B', '2')])
    bothWays(
      ['A 1', 'B 2', 'C 3'],
      first,
      part(2, testOf('F2', { provider_id: 'X' }), [resultOf('C', '3')]),
    )
    bothWays(['B 2', 'A 9'], first, part(2, testOf('F1'), [resultOf('A', '9')]))
  })

  test('are ordered by the time of the test before that of the report', () => {
    const early = part(9, testOf('F1', { reported_at: at(1) }), [resultOf('A', '1')])
    const late = part(2, testOf('F1', { reported_at: at(5) }), [resultOf('A', '2')])
    bothWays(['A 2'], early, late)
  })

  test('keep isolates and panels with one code apart', () => {
    const isolate = (id: string) =>
      testOf('F1', {
        provider_id: 'SUSC',
        origin: 'reflex',
        parent: { filler_number: 'F0', provider_id: 'CULT', loinc: null, sub_id: id, value: null },
      })
    bothWays(
      ['AMP S', 'AMP R'],
      part(1, isolate('1'), [resultOf('AMP', 'S')]),
      part(2, isolate('2'), [resultOf('AMP', 'R')]),
    )
    const both = [resultOf('AMP', 'S', { sub_id: '1' }), resultOf('AMP', 'R', { sub_id: '2' })]
    bothWays(['AMP 1 S', 'AMP 2 R'], part(1, testOf('F1'), both))
    bothWays(
      ['AMP 1 S', 'AMP 2 I'],
      part(1, testOf('F1'), both),
      part(2, testOf('F1'), [resultOf('AMP', 'I', { sub_id: '2' })]),
    )
  })

  test('without a filler number belong to the only test with the code', () => {
    const known = part(1, testOf('F1'), [resultOf('A', '1')])
    const later = part(2, testOf(null), [resultOf('A', '2')])
    bothWays(['A 2'], known, later)
    const bare = part(3, testOf(null), [resultOf('A', '3', { test: undefined })])
    bothWays(['A 3'], known, later, { ...bare, tests: undefined })
  })

  test('never replace a final value by a preliminary one', () => {
    const final = part(1, testOf('F1'), [resultOf('A', '1', { status: 'final' })])
    const again = part(5, testOf('F1'), [resultOf('A', '2', { status: 'preliminary' })])
    bothWays(['A 1 final'], final, again)
  })
})

describe('a preliminary value', () => {
  const early = part(1, testOf('F1', { status: 'preliminary' }), [
    resultOf('A', '1', { status: 'preliminary' }),
  ])
  const named = { name: 'A', provider_id: 'A', loinc: null, test: 't' }

  test('becomes final when the laboratory confirms it', () => {
    bothWays(['A 1 final'], early, part(2, testOf('F1'), [], { confirmed: [named] }))
    const other = { ...named, provider_id: 'B', name: 'B' }
    const rest = [resultOf('C', '3', { status: 'final' })]
    bothWays(
      ['A 1 preliminary', 'C 3 final'],
      early,
      part(2, testOf('F1'), rest, { confirmed: [other] }),
    )
  })

  test('becomes final when its test ends without repeating results', () => {
    bothWays(['A 1 final'], early, part(2, testOf('F1'), []))
  })

  test('keeps its test open', () => {
    const rest = part(2, testOf('F1'), [resultOf('C', '3', { status: 'final' })])
    for (const reports of [
      [early, rest],
      [rest, early],
    ]) {
      const [only] = Object.values(merge(reports).tests ?? {})
      assert.equal(only?.status, 'preliminary')
    }
  })
})

describe('a result', () => {
  const named = { name: 'A', provider_id: 'A', loinc: null, test: 't' }
  const first = part(1, testOf('F1'), [resultOf('A', '1'), resultOf('B', '2')])

  test('that is withdrawn is gone until it is reported again', () => {
    const gone = part(2, testOf('F1'), [], { withdrawn: [{ ...named, reason: 'deleted' }] })
    bothWays(['B 2'], first, gone)
    bothWays(['B 2', 'A 7'], first, gone, part(3, testOf('F1'), [resultOf('A', '7')]))
  })

  test('that is missing in a later part has no value any more', () => {
    const missing = [{ ...named, failure_type: null, note: 'QNS' }]
    const later = part(2, testOf('F1'), [], { missing_results: missing })
    bothWays(['B 2'], first, later)
    assert.deepEqual(
      merge([later, first]).missing_results.map(({ note }) => note),
      ['QNS'],
    )
  })

  test('is replaced by a later whole report, also by its absence', () => {
    const whole = part(2, testOf('F1'), [resultOf('B', '4')], { scope: 'whole' })
    bothWays(['B 4'], first, whole)
    bothWays(['B 4', 'C 3'], first, whole, part(3, testOf('F1'), [resultOf('C', '3')]))
  })
})

/** A result of a test, isolate and status at a time of its own, or its withdrawal. */
const PIECE = fc.record({
  filler: fc.constantFrom('F1', 'F2', 'F3'),
  code: fc.constantFrom('A', 'B'),
  isolate: fc.constantFrom(undefined, '1', '2'),
  status: fc.constantFrom('preliminary', 'final', 'corrected'),
  effect: fc.constantFrom('value', 'value', 'value', 'missing', 'withdrawn', 'confirmed'),
  isWhole: fc.integer({ min: 0, max: 5 }).map((number) => number === 0),
})
type Piece = typeof PIECE extends fc.Arbitrary<infer P> ? P : never

function toReport(piece: Piece, minute: number): ReceivedContent {
  const { filler, code, isolate, status, effect, isWhole } = piece
  const identity = { name: code, provider_id: code, loinc: null, test: 't' }
  const named = { ...identity, ...(isolate !== undefined && { sub_id: isolate }) }
  const value = resultOf(code, String(minute), { ...named, status: status as 'final' })
  const test = testOf(filler, { status: status as 'final', reported_at: at(minute) })
  return part(minute, test, effect === 'value' ? [value] : [], {
    ...(isWhole && { scope: 'whole' }),
    ...(effect === 'missing' && {
      missing_results: [{ ...named, failure_type: null, note: String(minute) }],
    }),
    ...(effect === 'withdrawn' && { withdrawn: [{ ...named, reason: 'deleted' }] }),
    ...(effect === 'confirmed' && { confirmed: [named] }),
  })
}

test('any order of arrival, with repetitions, ends in the same results', () => {
  const arrivals = fc.array(PIECE, { minLength: 1, maxLength: 9 }).chain((pieces) => {
    const indexes = pieces.map((_, index) => index)
    const orders = fc.tuple(
      fc.shuffledSubarray(indexes, { minLength: indexes.length }),
      fc.array(fc.constantFrom(...indexes), { maxLength: 5 }),
    )
    return fc.record({ pieces: fc.constant(pieces), order: orders })
  })
  fc.assert(
    fc.property(arrivals, ({ pieces, order: [order, repeated] }) => {
      const reports = pieces.map(toReport)
      const expected = merge(reports)
      const arrived = [...order, ...repeated].map((index) => reports[index] as ReceivedContent)
      const { results, missing_results, tests, status } = merge(arrived)
      assert.deepEqual(
        { results, missing_results, tests, status },
        {
          results: expected.results,
          missing_results: expected.missing_results,
          tests: expected.tests,
          status: expected.status,
        },
      )
    }),
    { seed: 99, numRuns: campaignRuns(300, 20_000) },
  )
})

test('every isolate that is reported last with a value is shown with that value', () => {
  const values = fc.array(
    fc.tuple(
      fc.constantFrom('F1', 'F2'),
      fc.constantFrom('1', '2', '3'),
      fc.constantFrom('A', 'B'),
    ),
    { minLength: 1, maxLength: 12 },
  )
  fc.assert(
    fc.property(values, (all) => {
      const last = new Map(all.map(([f, s, c], minute) => [[f, s, c].join(' '), String(minute)]))
      const reports = all.map(([filler, sub_id, code], minute) =>
        part(minute, testOf(filler), [resultOf(code, String(minute), { sub_id })]),
      )
      const merged = merge(reports.toReversed())
      const found = merged.results.map(({ test = '', sub_id, provider_id, result }) => [
        [merged.tests?.[test]?.filler_number, sub_id, provider_id].join(' '),
        result,
      ])
      assert.deepEqual(new Map(found as [string, string][]), last)
      assert.equal(found.length, last.size)
    }),
    { seed: 100, numRuns: campaignRuns(200, 5_000) },
  )
})
