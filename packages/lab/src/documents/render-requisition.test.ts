import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { campaignRuns } from '../../../server/test/campaign-runs.ts'
import { assertGoodLayout, assertSays } from '../../../server/test/documents/check-layout.ts'
import { readCode128 } from '../../../server/test/documents/code128.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import {
  longRequisition,
  proxy,
  requisition,
  signatureImage,
} from '../../../server/test/documents/sample-documents.ts'
import { type RequisitionInput, renderRequisition } from './index.ts'

const render = async (changes: Partial<RequisitionInput> = {}) =>
  readPdf(await renderRequisition({ ...requisition, ...changes }), { scale: 1 })

const minimal: Partial<RequisitionInput> = {
  laboratory: { ...requisition.laboratory, address: null, phone_number: null, clia_number: null },
  account: { number: '1', name: null, address: null },
  patient: { first_name: 'Al', last_name: 'Bo', dob: '1990-01-01', gender: 'unknown' },
  patientAddress: null,
  fasting: false,
  tests: [{ code: null, name: 'TSH', sample_type: null }],
  answers: [],
  diagnoses: [],
  clinicalNotes: null,
  physician: null,
  consents: [],
}

describe('a requisition', () => {
  test('is on letter paper and says all that it was given', async () => {
    const pdf = await render()
    assertGoodLayout(pdf)
    for (const page of pdf.pages) assert.deepEqual([page.width, page.height], [612, 792])
    assert.equal(pdf.title, 'Laboratory requisition 7718204453')
    assertSays(pdf, [
      'Northwind Clinical Laboratories',
      '1200 Harbor Boulevard, Suite 400, Phoenix, AZ 85004',
      'Phone (602) 555-0123 · CLIA 03D1234567',
      'Juniper Health',
      '300 Market Street San Francisco, CA 94105',
      'Account number 1234567890',
      '7718204453',
      'Ordered 03/04/2026',
      'Priority Routine',
      'Fasting Required',
      'Collection Walk-in',
      'Bill to Client (account)',
      'Vance, Eleanor',
      'Date of birth 07/19/1985',
      'Sex Female',
      'Phone (602) 555-0142',
      'eleanor.vance@example.com',
      '48 Palo Verde Drive Phoenix, AZ 85016',
      'Grace Holloway',
      'NPI 1234567893',
      ...requisition.tests.flatMap(({ code, name }) => [code, name]),
      'Whole blood, EDTA',
      'Is the patient fasting? Yes',
      'Levothyroxine, Metformin',
      'E78.5 Hyperlipidemia, unspecified',
      'HIPAA authorization 1.2 03/04/2026',
      'Electronically signed by Grace Holloway',
    ])
  })

  test('says when the sample was collected, or what to do about it', async () => {
    const collectedAt = { timestamp: '2026-03-05T14:45:00Z', timezone_offset: -25_200 }
    const cases: [Partial<RequisitionInput>, string][] = [
      [{ collectedAt }, 'Collected 03/05/2026 07:45 UTC−07:00'],
      [{}, 'PSC: collect at the service center'],
      [{ method: 'at_home_phlebotomy' }, 'Collected on ____'],
    ]
    for (const [changes, words] of cases) assertSays(await render(changes), [words])
  })

  test('has the diagnosis codes beside each test, and no column without any', async () => {
    assertSays(await render(), ['Specimen ICD-10', '899 TSH Serum E78.5 E03.9'])
    const [first] = (await render({ diagnoses: [] })).pages
    assert.doesNotMatch(first?.text ?? '', /ICD-10/)
  })

  test('has its number as a barcode that scans', async () => {
    for (const sampleId of ['7718204453', 'NWC-2026-0304-77182', 'a', '12345', 'Ab 9/x_%']) {
      const bytes = await renderRequisition({ ...requisition, ...minimal, sampleId })
      const pdf = await readPdf(bytes, { scale: 3 })
      const [first] = pdf.pages
      assert.ok(first)
      assert.deepEqual(readCode128(first.image), [sampleId])
    }
  })

  test('prints a number that no barcode can hold as text', async () => {
    const sampleId = 'Größe-47'
    const pdf = await render({ sampleId })
    assertGoodLayout(pdf)
    assertSays(pdf, [sampleId])
    assert.deepEqual(readCode128(pdf.pages[0]?.image ?? assert.fail()), [])
  })

  test('shows on every page whose it is and that it is urgent', async () => {
    const { pages } = await render({ ...longRequisition, patient: requisition.patient })
    assert.ok(pages.length > 2)
    pages.forEach(({ text }, index) => {
      assert.match(text, /STAT/)
      assert.match(text, /DOB 07\/19\/1985 · Vance, Eleanor/)
      assert.match(text, /NWC-2026-0304-77182/)
      assert.ok(text.endsWith(`Page ${index + 1} of ${pages.length}`), text.slice(-40))
    })
  })

  test('holds 60 tests, long names and everything optional, with its headings repeated', async () => {
    const pdf = await render(longRequisition)
    assertGoodLayout(pdf)
    assertSays(pdf, [
      ...longRequisition.tests.map(({ code, name }) => `${code}${name}`.slice(0, 40)),
      ...longRequisition.diagnoses.map(({ code }) => code),
      ...(longRequisition.clinicalNotes ?? '').split('\n'),
      longRequisition.patient.last_name,
      longRequisition.patient.first_name,
      longRequisition.patient.email ?? null,
    ])
    const withTests = pdf.pages.filter(({ text }) => /Analyte number/.test(text))
    for (const { text } of withTests) assert.match(text, /Code Test Specimen/)
  })

  test('names who is responsible when the patient pays: the proxy of a minor, else the patient', async () => {
    const patient = { ...requisition.patient, dob: '2015-05-05', medical_proxy: proxy }
    const minor = await render({ billingType: 'patient_bill', patient })
    assertSays(minor, [
      'Medical proxy Miriam Vance 77 Saguaro Lane Apartment 3B Tempe, AZ 85281',
      'Responsible party Medical proxy Miriam Vance',
      'miriam.vance@example.com',
    ])
    const adult = await render({ billingType: 'patient_bill' })
    assertSays(adult, ['Responsible party Patient Eleanor Vance Address 48 Palo Verde Drive'])
  })

  test('leaves nothing behind of what is missing', async () => {
    const pdf = await render(minimal)
    assertGoodLayout(pdf)
    assert.equal(pdf.pages.length, 1)
    const [page] = pdf.pages
    assert.doesNotMatch(
      page?.text ?? '',
      /null|undefined|Signature|Consent|Clinical notes|Diagnos|Phone/,
    )
  })

  test('keeps the line breaks of 2,000 characters of clinical notes', async () => {
    const notes = `First line\n\nThird line\r\n${'word '.repeat(395)}`.slice(0, 2000)
    const pdf = await render({ clinicalNotes: notes })
    assertGoodLayout(pdf)
    assertSays(pdf, [notes])
    const pieces = pdf.pages.flatMap((page) => page.pieces)
    const [first, third] = ['First line', 'Third line'].map((line) =>
      pieces.find(({ text }) => text === line),
    )
    assert.ok(first && third)
    assert.ok(first.y - third.y > 20, 'an empty line lies between')
  })

  test('prints Latin, Greek and Cyrillic letters and the signs of laboratories', async () => {
    const pdf = await render({
      patient: { ...requisition.patient, first_name: 'Zoë Łukasz', last_name: 'Παππάς-Щукин' },
      clinicalNotes: '≥ 5 µmol/L, ≤ 37 °C, ± 2, m², α → β, ½, “quoted” – 3×10⁹/L, office flow',
    })
    assertGoodLayout(pdf)
    assertSays(pdf, [
      'Παππάς-Щукин, Zoë Łukasz',
      '≥ 5 µmol/L, ≤ 37 °C, ± 2, m², α → β, ½, “quoted” – 3×10⁹/L, office flow',
    ])
  })

  test('shows what no typeface holds as missing, and drops what cannot be seen', async () => {
    const pdf = await render({ clinicalNotes: 'name 日本\u0000\u200b!' })
    assertSays(pdf, ['name \uFFFD\uFFFD!'])
  })

  test('carries the physician’s signature as an image', async () => {
    const physician = requisition.physician ?? assert.fail()
    const unsigned = await renderRequisition(requisition)
    for (const type of ['image/png', 'image/jpeg'] as const) {
      const signed = { ...physician, signature_image: signatureImage(type) }
      const pdf = await render({ physician: signed })
      assertGoodLayout(pdf)
      assertSays(pdf, ['Grace Holloway NPI 1234567893 · 03/04/2026'])
      assert.doesNotMatch(pdf.pages.at(-1)?.text ?? '', /Electronically/)
      const bytes = await renderRequisition({ ...requisition, physician: signed })
      assert.ok(bytes.length > unsigned.length + 500)
    }
  })

  test('is signed in words when the image cannot be rendered', async () => {
    const physician = requisition.physician ?? assert.fail()
    const images = [
      { content: 'R0lGODlhAQABAAAAACw=', content_type: 'image/gif' },
      { content: 'bm8gaW1hZ2U=', content_type: 'image/png' },
      { content: '!', content_type: 'image/jpeg' },
    ]
    for (const signature_image of images) {
      assertSays(await render({ physician: { ...physician, signature_image } }), [
        'Electronically signed by Grace Holloway',
      ])
    }
  })

  test('is the same bytes for the same input, with the given date', async () => {
    const signed = {
      ...longRequisition,
      physician: {
        ...(requisition.physician ?? assert.fail()),
        signature_image: signatureImage('image/png'),
      },
    }
    const first = await renderRequisition(signed)
    // Rendering another document in between changes nothing.
    await renderRequisition({ ...requisition, clinicalNotes: 'ﬁ ﬂ Ω Å' })
    assert.ok(first.equals(await renderRequisition(signed)))
    assert.match((await render()).createdAt ?? '', /^D:20260304153000/)
  })

  test('stays small', async () => {
    assert.ok((await renderRequisition(requisition)).length < 60_000)
  })

  test('breaks words that are wider than their column', async () => {
    const word = 'W'.repeat(150)
    const pdf = await render({
      patient: { ...requisition.patient, first_name: word, last_name: word, email: word },
      tests: [{ code: word, name: word, sample_type: word }],
      answers: [{ question: word, answers: [word] }],
      clinicalNotes: word,
    })
    assertGoodLayout(pdf)
    assertSays(pdf, [word])
  })

  test('reads back the letters that were printed, whatever was printed before', async () => {
    // A letter without its dot, whose glyph the typeface also uses below another mark
    await renderRequisition({ ...requisition, clinicalNotes: 'i\u030a i\u0323\u0301' })
    assertSays(await render({ clinicalNotes: 'Diyarbakır' }), ['Diyarbakır'])
  })

  test('has a title that every viewer can read', async () => {
    const pdf = await render({ sampleId: '<1&2>' })
    assert.equal(pdf.title, 'Laboratory requisition  1 2 ')
    assertSays(pdf, ['<1&2>'])
  })

  test('takes any text', async () => {
    const text = fc.string({ unit: 'binary', minLength: 1, maxLength: 60 })
    const word = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 120 })
    await fc.assert(
      fc.asyncProperty(text, word, async (any, long) => {
        const pdf = await readPdf(
          await renderRequisition({
            ...requisition,
            sampleId: long.slice(0, 60),
            patient: { ...requisition.patient, first_name: any, last_name: long, email: long },
            tests: [{ code: long, name: any, sample_type: long }],
            answers: [{ question: long, answers: [any, long] }],
            clinicalNotes: `${any}\n${long}`,
          }),
          { scale: 1 },
        )
        assertGoodLayout(pdf)
      }),
      { numRuns: campaignRuns(3, 60), seed: 20260304 },
    )
  })
})
