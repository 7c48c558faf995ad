import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import PDFDocument from 'pdfkit'
import { readPdf } from '../../../server/test/documents/read-pdf.ts'
import { AT, labels, requisition } from '../../../server/test/documents/sample-documents.ts'
import { joinPdfs, renderLabels, renderRequisition, UnreadablePdf } from './index.ts'

/** Returns a PDF as another program writes it. */
async function foreignPdf(text: string, options: PDFKit.PDFDocumentOptions = {}): Promise<Buffer> {
  const doc = new PDFDocument({ ...options, info: { CreationDate: AT } })
  doc.text(text)
  doc.end()
  const chunks: Buffer[] = []
  for await (const chunk of doc) chunks.push(chunk as Buffer)
  return Buffer.concat(chunks)
}

describe('joining PDFs', () => {
  test('keeps all pages with their sizes and text, in order', async () => {
    const [first, second] = [await renderRequisition(requisition), await renderLabels(labels)]
    const third = await foreignPdf('from another program')
    const { pages, producer } = await readPdf(await joinPdfs([first, second, third]))
    const apart = await Promise.all([first, second, third].map((pdf) => readPdf(pdf)))
    const expected = apart.flatMap((pdf) => pdf.pages)
    assert.equal(producer, 'Salus')
    assert.deepEqual(
      pages.map(({ width, height, text }) => [width, height, text]),
      expected.map(({ width, height, text }) => [width, height, text]),
    )
    pages.forEach(({ image }, index) => {
      assert.ok(Buffer.from(image.data).equals(Buffer.from(expected[index]?.image.data ?? [])))
    })
  })

  test('returns a single one as it is', async () => {
    const pdf = await foreignPdf('alone')
    assert.equal(await joinPdfs([pdf]), pdf)
  })

  test('reads documents that are only protected against changes', async () => {
    const open = await foreignPdf('open')
    const guarded = await foreignPdf('guarded', { ownerPassword: 'secret', pdfVersion: '1.7' })
    const { pages } = await readPdf(await joinPdfs([open, guarded]))
    assert.deepEqual(
      pages.map(({ text }) => text),
      ['open', 'guarded'],
    )
  })

  test('refuses what it cannot read, and says which it was', async () => {
    const good = await foreignPdf('good')
    const locked = await foreignPdf('locked', { userPassword: 'secret', pdfVersion: '1.7' })
    for (const bad of [Buffer.from('no pdf'), Buffer.alloc(0), locked, good.subarray(0, 200)]) {
      await assert.rejects(joinPdfs([good, bad]), (error) => {
        assert.ok(error instanceof UnreadablePdf)
        assert.equal(error.index, 1)
        return true
      })
    }
    await assert.rejects(joinPdfs([]), RangeError)
  })

  test('gives the same bytes for the same documents', async () => {
    const parts = [await foreignPdf('one'), await renderLabels(labels)]
    assert.ok((await joinPdfs(parts)).equals(await joinPdfs(parts)))
  })
})
