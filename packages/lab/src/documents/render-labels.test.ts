import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertGoodLayout } from '../../../server/test/documents/check-layout.ts'
import { readCode128 } from '../../../server/test/documents/code128.ts'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import { labels, longRequisition } from '../../../server/test/documents/sample-documents.ts'
import { type LabelsInput, renderLabels } from './index.ts'

const render = async (changes: Partial<LabelsInput> = {}) =>
  readPdf(await renderLabels({ ...labels, ...changes }), { scale: 4 })

describe('labels', () => {
  test('are 2.25 by 1.25 inches, one a page, and say whose sample it is', async () => {
    const pdf = await render()
    assertGoodLayout(pdf)
    assert.equal(pdf.pages.length, 3)
    pdf.pages.forEach(({ width, height, text }, index) => {
      assert.deepEqual([width, height], [162, 90])
      for (const part of [
        'Vance, Eleanor',
        'DOB 07/19/1985 Female',
        'STAT',
        `7718204453-${index + 1}`,
        'Acct 1234567890',
        ['Serum: 10231 7600 899 17306', 'Whole blood, EDTA: 496', 'Urine: 5463'][index] ?? '',
        `${index + 1} of 3`,
      ]) {
        assert.ok(text.includes(part), `${part} in ${text}`)
      }
    })
  })

  test('show the time of collection at its own offset', async () => {
    const timestamp = '2026-03-05T02:45:00Z'
    const textAt = async (timezone_offset: number) =>
      (await render({ collectedAt: { timestamp, timezone_offset } })).pages[0]?.text ?? ''
    assert.match(await textAt(0), /Coll 03\/05\/2026 02:45/)
    assert.match(await textAt(-25_200), /Coll 03\/04\/2026 19:45/)
    assert.match(await textAt(19_800), /Coll 03\/05\/2026 08:15/)
  })

  test('have a barcode that scans, also when name and number are long', async () => {
    for (const sampleId of ['7718204453', 'NWC-2026-0304-77182']) {
      const pdf = await render({ sampleId, patient: longRequisition.patient })
      assertGoodLayout(pdf)
      for (const { image, text } of pdf.pages) {
        assert.deepEqual(readCode128(image), [sampleId])
        assert.ok(text.includes(sampleId))
        assert.ok(text.includes('1234567890'))
      }
    }
  })

  test('cut a name that is too long, and count the tests that do not fit', async () => {
    const pdf = await render({
      patient: longRequisition.patient,
      tests: longRequisition.tests,
      numberOfLabels: 20,
    })
    assertGoodLayout(pdf)
    assert.equal(pdf.pages.length, 20)
    const text = pdf.pages[19]?.text ?? ''
    assert.match(text, /^Keihanaikukauaka.*…/)
    assert.match(text, /Serum: 90037 90074 .*\+4\d/)
    assert.match(text, /20 of 20$/)
  })

  test('name a test that has no code', async () => {
    const tests = [{ code: null, name: 'Heart health', sample_type: null }]
    assert.match((await render({ tests })).pages[0]?.text ?? '', /Heart health/)
  })

  test('say STAT only of what is urgent', async () => {
    assert.doesNotMatch((await render({ priority: false })).pages[0]?.text ?? '', /STAT/)
  })

  test('are the same bytes for the same input', async () => {
    assert.ok((await renderLabels(labels)).equals(await renderLabels(labels)))
  })
})
