import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGoodLayout, assertSays } from '../../../server/test/documents/check-layout.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import { abn, longAbn } from '../../../server/test/documents/sample-documents.ts'
import { renderAbn } from './index.ts'

describe('an advance beneficiary notice', () => {
  test('names both sides, the tests with reason and cost, three options and where to sign', async () => {
    const pdf = await readPdf(await renderAbn(abn))
    assertGoodLayout(pdf)
    assert.equal(pdf.pages.length, 1)
    assertSays(pdf, [
      'Advance beneficiary notice',
      'Notifier Northwind Clinical Laboratories 1200 Harbor Boulevard',
      '(602) 555-0123',
      'Patient Eleanor Vance',
      'Identification number 7718204453',
      'Desert Mutual Health',
      'Vitamin D, 25-Hydroxy, Total (17306) Paid at most once a year $89.50',
      'TSH (899) May not be covered for your diagnosis $1,120.00',
      'Total $1,209.50',
      'Option 1.',
      'Option 2.',
      'Option 3.',
      'Signature of the patient or representative',
      'Date',
    ])
  })

  test('has a box to check beside each option', async () => {
    const [page] = (await readPdf(await renderAbn(abn), { scale: 2 })).pages
    assert.ok(page)
    const options = page.pieces.filter(({ text }) => /^Option \d/.test(text))
    assert.equal(options.length, 3)
    for (const { y, size } of options) {
      const row = Math.round((page.height - y - size * 0.3) * 2)
      const dark = [...Array(40).keys()].filter((dx) => {
        const at = (row * page.image.width + 95 + dx) * 4
        return (page.image.data[at] ?? 255) < 128
      })
      assert.ok(dark.length >= 2 && dark.length < 12, `edges of a box, ${dark.length}`)
    }
  })

  test('keeps the choice and the signature on one page, after any number of tests', async () => {
    const pdf = await readPdf(await renderAbn(longAbn))
    assertGoodLayout(pdf)
    assertSays(
      pdf,
      longAbn.tests.map(({ name }) => name),
    )
    assertSays(pdf, ['your insurer may refuse', 'Not known', 'Identification number –'])
    assert.doesNotMatch(pdf.pages.map(({ text }) => text).join(), /Total/)
    const last = pdf.pages.at(-1)?.text ?? ''
    for (const part of ['Your choice', 'Option 1', 'Option 3', 'Signature of']) {
      assert.ok(last.includes(part), part)
    }
  })

  test('is the same bytes for the same input', async () => {
    assert.ok((await renderAbn(abn)).equals(await renderAbn(abn)))
  })
})
