import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { MissingResult, ReportedResult, ResultMessage } from '@salus/contracts/lab-gateway'
import { expectationsOf, expectedOriginOf, isSameResult, slugOf } from './expected-results.ts'
import { findMissing, isNotPerformed } from './missing-results.ts'

const loinc = (code: string, slug: string) => ({ id: 1, code, slug, name: slug, unit: null })
const expected = (
  name: string,
  providerId: string | null,
  code: string | null,
  required = true,
) => ({
  id: 1,
  name,
  slug: `lab-${slugOf(name)}`,
  provider_id: providerId,
  required,
  unit: null,
  loinc: code === null ? null : loinc(code, `loinc-${slugOf(name)}`),
})
const LIPIDS = {
  id: 7,
  name: 'Lipid Panel',
  slug: 'lipid-panel',
  provider_id: '7600',
  expected_results: [
    expected('Cholesterol, Total', '25000000', '2093-3'),
    expected('HDL Cholesterol', '25015900', '2085-9'),
    expected('Triglycerides', '25003000', '2571-8'),
    expected('Direct LDL', '25020100', '18262-6', false),
  ],
}
const METABOLIC = {
  id: 9,
  name: 'Comprehensive Metabolic Panel',
  slug: 'comprehensive-metabolic-panel',
  provider_id: '10231',
  expected_results: [
    expected('Glucose', '25000000-G', '2345-7'),
    expected('Triglycerides', '25099999', '2571-8'),
  ],
}
const URINE = {
  id: 11,
  name: 'Urinalysis',
  slug: 'urinalysis',
  provider_id: '5463',
  expected_results: [expected('Glucose', '30005400', '5792-7')],
}
const REFLEX = {
  id: 12,
  name: 'LDL Subfractions',
  slug: 'ldl-subfractions',
  provider_id: '9999',
  reflex_of: 7,
  expected_results: [expected('Small LDL', '777', null)],
}

const result = (name: string, providerId: string | null, text = '5'): ReportedResult => ({
  name,
  provider_id: providerId,
  loinc: null,
  type: /^[\d.]+$/.test(text) ? 'numeric' : 'comment',
  result: text,
  unit: null,
  reference_range: null,
  min_range_value: null,
  max_range_value: null,
  flag: null,
  notes: null,
  timestamp: null,
  performing_laboratory: null,
})
const report = (results: ReportedResult[], more: Partial<Omit<ResultMessage, 'documents'>> = {}) =>
  ({ status: 'final', results, missing_results: [], notes: null, ...more }) as Omit<
    ResultMessage,
    'documents'
  >
const missing = (name: string, providerId: string | null, note: string | null): MissingResult => ({
  name,
  provider_id: providerId,
  loinc: null,
  failure_type: null,
  note,
})
const CHOLESTEROL = result('CHOLESTEROL', '25000000')
const HDL = result('HDL', '25015900')
const TRIGLYCERIDES = result('TRIGLYCERIDES', '25003000')

describe('a result without a value', () => {
  test('is recognized by its text', () => {
    for (const text of ['TNP', 'tnp', 'QNS.', ' Test  Not Performed ', 'Canceled']) {
      assert.equal(isNotPerformed(result('X', null, text)), true, text)
    }
    for (const text of ['Negative', 'NR', 'Not detected', 'None seen', '5']) {
      assert.equal(isNotPerformed(result('X', null, text)), false, text)
    }
  })
})

describe('two results are the same', () => {
  const key = (name: string, provider_id: string | null, code: string | null) => ({
    name,
    provider_id,
    loinc: code,
  })
  test("by the laboratory's code, else by LOINC, else by name", () => {
    assert.ok(isSameResult(key('A', '1', 'x'), key('B', '1', 'y')))
    assert.ok(isSameResult(key('A', '1', 'x'), key('B', '2', 'x')))
    assert.ok(isSameResult(key('HDL Cholesterol', null, 'x'), key('hdl-cholesterol', '2', null)))
    assert.ok(!isSameResult(key('Glucose', '1', 'x'), key('Glucose', '2', 'y')))
    assert.ok(!isSameResult(key('Glucose', '1', null), key('Glucose', '2', null)))
    assert.ok(!isSameResult(key('A', null, null), key('B', null, null)))
  })
})

describe('missing results', () => {
  test('are none when every required result is present', () => {
    const complete = report([CHOLESTEROL, HDL, TRIGLYCERIDES])
    assert.deepEqual(findMissing(complete, expectationsOf([LIPIDS])), [])
  })

  test('are required results that a final message leaves out', () => {
    assert.deepEqual(findMissing(report([CHOLESTEROL, HDL]), expectationsOf([LIPIDS])), [
      {
        name: 'Triglycerides',
        slug: 'lab-triglycerides',
        inferred_failure_type: 'unknown_failure',
        note: null,
        loinc: '2571-8',
        loinc_slug: 'loinc-triglycerides',
        provider_id: '25003000',
        source_markers: [
          { marker_id: 7, name: 'Lipid Panel', slug: 'lipid-panel', provider_id: '7600' },
        ],
      },
    ])
  })

  test('are only those that a partial message lists', () => {
    const partial = report([CHOLESTEROL], {
      status: 'partial',
      missing_results: [missing('Triglycerides', '25003000', 'QNS')],
    })
    const found = findMissing(partial, expectationsOf([LIPIDS]))
    assert.deepEqual(
      found.map(({ name, inferred_failure_type: type, note }) => [name, type, note]),
      [['Triglycerides', 'quantity_not_sufficient_failure', 'QNS']],
    )
  })

  test('have the comment of the laboratory, or its reason', () => {
    const listed = [
      missing('Triglycerides', '25003000', 'Specimen hemolyzed'),
      { ...missing('HDL', '25015900', 'QNS'), failure_type: 'internal_lab_failure' as const },
      missing('Something else', '1', null),
    ]
    const found = findMissing(
      report([CHOLESTEROL], { missing_results: listed }),
      expectationsOf([LIPIDS]),
    )
    assert.deepEqual(
      found.map((each) => [each.slug, each.inferred_failure_type, each.source_markers?.length]),
      [
        ['lab-triglycerides', 'collection_process_failure', 1],
        ['lab-hdl-cholesterol', 'internal_lab_failure', 1],
        ['something-else', 'unknown_failure', undefined],
      ],
    )
  })

  test('are also results with TNP as value', () => {
    const withoutValue = { ...result('Trig', '25003000', 'TNP'), notes: 'Specimen clotted' }
    const found = findMissing(report([CHOLESTEROL, HDL, withoutValue]), expectationsOf([LIPIDS]))
    assert.deepEqual(
      found.map((each) => [each.name, each.inferred_failure_type, each.note]),
      [['Trig', 'collection_process_failure', 'TNP\nSpecimen clotted']],
    )
  })

  test('that two panels share are listed once, with both markers', () => {
    const found = findMissing(
      report([CHOLESTEROL, HDL, result('GLUCOSE', '25000000-G')]),
      expectationsOf([LIPIDS, METABOLIC]),
    )
    assert.deepEqual(
      found.map(({ name, source_markers }) => [name, source_markers?.map((m) => m.marker_id)]),
      [['Triglycerides', [7, 9]]],
    )
  })

  test('are not hidden by a result of the same name in another specimen', () => {
    const found = findMissing(
      report([result('Glucose', '25000000-G'), result('Triglycerides', '25099999')]),
      expectationsOf([METABOLIC, URINE]),
    )
    assert.deepEqual(
      found.map(({ provider_id: code }) => code),
      ['30005400'],
    )
  })
})

describe('the origin of a result', () => {
  const all = expectationsOf([LIPIDS, METABOLIC], [REFLEX])
  test('names the ordered markers and the slugs of the catalog', () => {
    const { slug, loincSlug, loinc: code, markers } = expectedOriginOf(TRIGLYCERIDES, all)
    assert.deepEqual(
      [slug, code, loincSlug],
      ['lab-triglycerides', '2571-8', 'loinc-triglycerides'],
    )
    assert.deepEqual(
      markers?.map(({ marker_id: id }) => id),
      [7],
    )
  })

  test('of a reflex result is the marker that triggers it, and it is not required', () => {
    assert.deepEqual(
      expectedOriginOf(result('Small LDL', '777'), all).markers?.map(({ slug }) => slug),
      ['lipid-panel'],
    )
    assert.ok(!all.some(({ key, isRequired }) => key.provider_id === '777' && isRequired))
  })

  test('is null for a result that was not ordered', () => {
    const { slug, markers } = expectedOriginOf(result('Vitamin D, 25-OH', '17306'), all)
    assert.deepEqual([slug, markers], ['vitamin-d-25-oh', null])
  })
})
