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
      'Vitamin D, 25-Hydroxy, Total (17306) May not be covered this often $89.50',
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

describe('the notice of Medicare', () => {
  const medicare = { ...abn, isMedicare: true, insurerName: 'Medicare' }

  test('has the blanks A to J of form CMS-R-131 on one page', async () => {
    const pdf = await readPdf(await renderAbn(medicare))
    assertGoodLayout(pdf)
    assert.equal(pdf.pages.length, 1)
    assertSays(pdf, [
      'A. Notifier: Northwind Clinical Laboratories, 1200 Harbor Boulevard',
      'B. Patient Name: Eleanor Vance',
      'C. Identification Number: 7718204453',
      'Advance Beneficiary Notice of Non-coverage (ABN)',
      'D. laboratory tests E. Reason Medicare May Not Pay: F. Estimated Cost',
      'Vitamin D, 25-Hydroxy, Total (17306) Medicare does not pay for this test as often as this. $89.50',
      'TSH (899) Medicare does not pay for this test for your condition. $1,120.00',
      'G. OPTIONS: Check only one box.',
      'OPTION 1. I want the laboratory tests listed above.',
      'OPTION 2. I want the laboratory tests listed above, but do not bill Medicare.',
      'OPTION 3. I don’t want the laboratory tests listed above.',
      'H. Additional Information:',
      'I. Signature:',
      'J. Date:',
      'Form CMS-R-131 (Exp. 01/31/2026)',
      'Form Approved OMB No. 0938-0566',
    ])
  })

  test('keeps the form on one page, and attaches a page for more tests than fit', async () => {
    const isLong = ({ name }: { name: string }) => name.startsWith('Allergen')
    const short = longAbn.tests.filter((each) => !isLong(each))
    const long = longAbn.tests.filter(isLong)
    const cases = [
      [short.slice(0, 5), 1],
      [short.slice(0, 6), 2],
      [long.slice(0, 2), 1],
      [long.slice(0, 3), 2],
    ] as const
    for (const [tests, pages] of cases) {
      const input = { ...medicare, patient: longAbn.patient, tests: [...tests] }
      const pdf = await readPdf(await renderAbn(input))
      assertGoodLayout(pdf)
      assert.equal(pdf.pages.length, pages)
      assert.match(pdf.pages[0]?.text ?? '', /Form Approved OMB No\. 0938-0566$/)
      assertSays(
        pdf,
        tests.map(({ name }) => name),
      )
      assert.equal(pdf.pages[0]?.text.includes('See attached page'), pages === 2)
    }
  })
})
