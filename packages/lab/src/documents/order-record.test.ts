import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { assertGoodLayout } from '../../../server/test/documents/check-layout.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import {
  insurance,
  longRequisition,
  requisition,
} from '../../../server/test/documents/sample-documents.ts'
import { scanBarcodes } from '../../../server/test/documents/scan-barcodes.ts'
import { type RequisitionInput, renderRequisition } from './index.ts'
import { orderRecordTexts } from './order-record.ts'

const collectedAt = { timestamp: '2026-03-05T14:45:00+00:00', timezone_offset: -25_200 }
const insured: RequisitionInput = {
  ...requisition,
  billingType: 'commercial_insurance',
  insurance,
  collectedAt,
  hasOrderRecord: true,
}
const linesOf = (input: RequisitionInput) =>
  orderRecordTexts(input).flatMap((text) => text.split('\r').slice(0, -1))

describe('the record of an order', () => {
  test('has header, patient, physician, bill, insurance, guarantor, collection, codes and tests', () => {
    const texts = orderRecordTexts(insured)
    assert.equal(texts.length, 2)
    const [first = '', second = ''] = texts
    assert.deepEqual(first.split('\r').slice(0, 9), [
      'H|SALUS-ORDER|1|7718204453|1234567890|Northwind Clinical Laboratories|20260304|ROUTINE|1|2',
      'P|Vance|Eleanor|19850719|F|+16025550142|48 Palo Verde Drive||Phoenix|AZ|85016',
      'R|1234567893|Holloway|Grace',
      'B|commercial_insurance',
      'I|BCAZ1|Desert Mutual Health|XJH-99887766|GRP-4410|Spouse|Vance|Jonas|19801130|M',
      'G|Vance|Miriam|+16025550188|77 Saguaro Lane|Apartment 3B|Tempe|AZ|85281',
      'C|walk_in_test|2026-03-05T14:45:00+00:00|-25200',
      'O|1|ICD-10-CM|E78.5',
      'O|2|ICD-10-CM|E03.9',
    ])
    const all = linesOf(insured)
    assert.ok(all.includes('T|1|10231|Comprehensive Metabolic Panel|serum|1^2'))
    assert.ok(all.includes('A|2|Which medicines does the patient take?|Levothyroxine, Metformin'))
    for (const text of [first, second]) {
      const lines = text.split('\r').slice(0, -1)
      assert.equal(lines.at(-1), `E|${lines.length}`)
    }
  })

  test('escapes separators and cuts long fields', () => {
    const answers = [{ question: 'A|B\\C\nD', answers: ['x'.repeat(500)] }]
    const line = linesOf({ ...requisition, answers }).find((each) => each.startsWith('A|'))
    assert.equal(line, `A|1|A\\F\\B\\E\\C D|${'x'.repeat(100)}`)
  })

  test('is read from the picture of the page by a barcode reader', async () => {
    const pdf = await readPdf(await renderRequisition(insured), { scale: 3 })
    assertGoodLayout(pdf)
    const read = pdf.pages.flatMap(({ image }) => scanBarcodes(image, 'PDF417'))
    assert.deepEqual(read, orderRecordTexts(insured))
    const [first] = pdf.pages
    assert.ok(first)
    assert.deepEqual(scanBarcodes(first.image, 'Code 128'), ['7718204453'])
  })

  test('keeps letters of other languages', async () => {
    const patient = { ...requisition.patient, first_name: 'Zoë', last_name: 'Wójcik-Łęcka' }
    const input = { ...insured, patient, insurance: null, answers: [], diagnoses: [] }
    const pdf = await readPdf(await renderRequisition(input), { scale: 3 })
    const read = pdf.pages.flatMap(({ image }) => scanBarcodes(image, 'PDF417'))
    assert.deepEqual(read, orderRecordTexts(input))
    assert.match(read[0] ?? '', /P\|Wójcik-Łęcka\|Zoë\|/)
  })

  test('is printed only on demand', async () => {
    const pdf = await readPdf(await renderRequisition(requisition), { scale: 1 })
    assert.doesNotMatch(pdf.pages.map(({ text }) => text).join(), /Order record/)
  })

  test('of any order fits into symbols of at most 800 bytes, and no record is split', () => {
    const word = fc.string({ unit: 'grapheme', maxLength: 300 })
    fc.assert(
      fc.property(word, word, fc.nat({ max: 60 }), (name, answer, count) => {
        const texts = orderRecordTexts({
          ...insured,
          patient: { ...requisition.patient, first_name: name, last_name: name },
          patientAddress: { ...insurance.insured.address, first_line: name, city: name },
          tests: longRequisition.tests.slice(0, count),
          answers: [{ question: answer, answers: [answer, name] }],
        })
        const lines = texts.map((text) => text.split('\r').slice(0, -1))
        assert.ok(texts.every((text) => Buffer.byteLength(text) <= 800))
        assert.ok(lines.every((part) => part[0]?.startsWith('H|') && part.at(-1)?.startsWith('E|')))
        assert.equal(lines.flat().filter((line) => line.startsWith('T|')).length, count)
      }),
      { seed: 28, numRuns: 100 },
    )
  })

  test('is drawn also when nothing but bytes can be encoded', async () => {
    const wide = '漢ü字é'.repeat(60)
    const answers = Array.from({ length: 8 }, () => ({ question: wide, answers: [wide] }))
    const bytes = await renderRequisition({ ...insured, answers })
    assert.ok(bytes.length > 10_000)
  })
})
