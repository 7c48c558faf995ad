import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ResultMessage } from '@salus/contracts/lab-gateway'
import { assertGoodLayout, assertSays } from '../../../server/test/documents/check-layout.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import {
  longResultReport,
  minimalResultReport,
  report,
  resultReport,
} from '../../../server/test/documents/sample-reports.ts'
import { type ResultDocumentInput, renderResultDocument } from './index.ts'

const render = async (changes: Partial<ResultDocumentInput> = {}) =>
  readPdf(await renderResultDocument({ ...resultReport, ...changes }), { scale: 1 })

const renderChanged = (changes: Partial<ResultMessage>) =>
  render({ report: { ...report, ...changes } })
const textOf = ({ pages }: Awaited<ReturnType<typeof render>>): string =>
  pages.map(({ text }) => text).join(' ')

describe('a result report', () => {
  test('says who, what, when, by whom and for whom', async () => {
    const pdf = await render()
    assertGoodLayout(pdf)
    assert.equal(pdf.title, 'Laboratory report PH-0305-88121')
    assertSays(pdf, [
      'FINAL',
      'Northwind Clinical Laboratories',
      'Phone (602) 555-0123 · CLIA 03D1234567',
      'Medical director Amara Okafor, MD',
      'Vance, Eleanor',
      'Date of birth 07/19/1985',
      'Sex Female',
      'Patient number NW-55120',
      'Specimen number PH-0305-88121',
      'Requisition 7718204453',
      'Ordered by Grace Holloway',
      'Juniper Health 1234567890',
      'Fasting Yes',
    ])
  })

  test('groups results by requested test, with unit, interval, flag and laboratory', async () => {
    const pdf = await render()
    assertSays(pdf, [
      'Comprehensive Metabolic Panel (10231) Glucose 92 mg/dL 65-99 PHX Sodium 139',
      'Potassium 7.1 Critical high mmol/L 3.5-5.3 PHX Called to and read back',
      'eGFR >90 mL/min/1.73 m² ≥ 60 PHX',
      'Lipid Panel, Standard (7600) Cholesterol, Total 212 High ▲ mg/dL <200 PHX',
      'HDL Cholesterol 41 Low ▼ mg/dL > OR = 50 PHX',
      'Triglycerides 148 mg/dL ≤ 150',
      'Vitamin D, 25-Hydroxy, Total (17306) Vitamin D, 25-OH, Total 18 Low ▼ ng/mL 30–100 SJC',
      'Other results Appearance Clear Clear PHX',
      'PHX Northwind Clinical Laboratories (602) 555-0123 1200 Harbor Boulevard Suite 400',
      'SJC Northwind Esoteric Testing',
      'Comments Specimen slightly lipemic. Results were checked by a second method.',
    ])
  })

  test('names critical results before all others', async () => {
    assertSays(await render(), [
      'Critical result Potassium 7.1 mmol/L (critical high) Results Test',
    ])
    const results = report.results.filter(({ flag }) => flag !== 'HH')
    assert.doesNotMatch(textOf(await renderChanged({ results })), /critical/i)
  })

  test('distinguishes isolates, and says which values are preliminary', async () => {
    const [first] = report.results
    assert.ok(first)
    const panel = (isolate: string, value: string) => ({
      provider_id: 'SUSC',
      name: 'Susceptibility',
      loinc: null,
      placer_number: null,
      filler_number: 'F1',
      status: 'final' as const,
      origin: 'reflex' as const,
      parent: { filler_number: null, provider_id: 'ORG', loinc: null, sub_id: isolate, value },
      specimen: null,
      reported_at: null,
    })
    const ampicillin = { ...first, name: 'Ampicillin', provider_id: 'AMP', notes: null, flag: 'R' }
    const pdf = await renderChanged({
      tests: { one: panel('1', 'Escherichia coli'), two: panel('2', 'Proteus mirabilis') },
      results: [
        { ...ampicillin, test: 'one', status: 'preliminary' },
        { ...ampicillin, test: 'two' },
      ],
    })
    assertSays(pdf, ['Ampicillin [1]', 'Preliminary result', 'Escherichia coli', 'Ampicillin [2]'])
  })

  test('gives the reason of each missing result', async () => {
    const missing = (name: string) => ({ name, provider_id: null, loinc: null })
    const pdf = await renderChanged({
      missing_results: [
        ...report.missing_results,
        { ...missing('Insulin'), failure_type: null, note: 'Hemolyzed' },
        { ...missing('Ferritin'), failure_type: 'insufficient_volume', note: null },
        { ...missing('Zinc'), failure_type: null, note: null },
      ],
    })
    assertSays(pdf, [
      'LDL Cholesterol, calculated No result Not calculated: a needed result is missing',
      'Not calculated in lipemic specimens.',
      'Insulin No result Hemolyzed',
      'Ferritin No result Quantity not sufficient',
      'Zinc No result The laboratory gave no reason.',
    ])
  })

  test('is plainly partial, final or corrected on every page', async () => {
    const plates = { partial: 'PARTIAL', final: 'FINAL', corrected: 'CORRECTED' } as const
    for (const [status, plate] of Object.entries(plates)) {
      const { pages } = await renderChanged({ status: status as ResultMessage['status'] })
      for (const { text } of pages) {
        for (const each of Object.values(plates)) assert.equal(text.includes(each), each === plate)
      }
    }
  })

  test('shows times at the offsets of the report', async () => {
    const pdf = await renderChanged({
      collected_at: { timestamp: '2026-03-05T02:45:00Z', timezone_offset: -12_600 },
      received_at: { timestamp: '2026-03-05T23:30:00Z', timezone_offset: 3600 },
      reported_at: { timestamp: '2026-03-06T08:00:00Z', timezone_offset: 0 },
    })
    assertSays(pdf, [
      'Collected 03/04/2026 23:15 UTC−03:30',
      'Received 03/06/2026 00:30 UTC+01:00',
      'Reported 03/06/2026 08:00 UTC',
    ])
  })

  test('has patient, specimen and page number at the foot of each page', async () => {
    const { pages } = await render()
    assert.equal(pages.length, 2)
    pages.forEach(({ text }, index) => {
      const foot = `Specimen PH-0305-88121 · DOB 07/19/1985 · Vance, Eleanor Page ${index + 1} of 2`
      assert.ok(text.endsWith(foot), text.slice(-90))
    })
  })

  test('lets long results and comments run over pages, and repeats what they belong to', async () => {
    const pdf = await render(longResultReport)
    assertGoodLayout(pdf)
    assertSays(pdf, [
      ...Array.from({ length: 90 }, (_, line) => `Line ${line + 1} of the pathologist’s comment`),
      ...Array.from({ length: 80 }, (_, index) => `Allergen ${index + 1}, IgE`),
      'Cytology See below',
    ])
    const inner = pdf.pages.filter(({ text }) => /Allergen \d|Line \d/.test(text)).slice(1)
    for (const { text } of inner) {
      assert.match(text, /Test Result Flag Unit Reference interval Lab/)
      assert.match(text, /\(continued\)/)
    }
  })

  test('says which requested tests it does not answer', async () => {
    const tests = [...resultReport.tests, { provider_id: '899', name: 'TSH', expected_results: [] }]
    const partial = { ...report, status: 'partial' as const }
    assertSays(await render({ tests, report: partial }), ['Pending: TSH.'])
    assertSays(await render({ tests }), ['No results in this report: TSH.'])
  })

  test('needs hardly anything', async () => {
    const pdf = await render(minimalResultReport)
    assertGoodLayout(pdf)
    assertSays(pdf, ['Name not given', 'Requisition 7718204453', 'Glucose 92'])
    assert.doesNotMatch(textOf(pdf), /null|undefined|Other results/)
    const empty = await render({
      report: { ...report, results: [], missing_results: [] },
      tests: [],
    })
    assertSays(empty, ['There are no results yet.'])
  })

  test('is the same bytes for the same input', async () => {
    const first = await renderResultDocument(longResultReport)
    assert.ok(first.equals(await renderResultDocument(longResultReport)))
  })
})
