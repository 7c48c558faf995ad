import type { PDFDocument } from '@cantoo/pdf-lib'

/** Thrown for a document that is not a PDF, is damaged, or needs a password. */
export class UnreadablePdf extends Error {
  /** Index of the document, from 0. */
  readonly index: number

  constructor(index: number, options?: ErrorOptions) {
    super('A document cannot be joined with the others.', options)
    this.name = 'UnreadablePdf'
    this.index = index
  }
}

/**
 * Joins the pages of all documents in the given order. A single document is returned unchanged, and
 * the same documents always give the same bytes.
 * @throws UnreadablePdf
 */
export async function joinPdfs(pdfs: readonly Buffer[]): Promise<Buffer> {
  const [first] = pdfs
  if (first === undefined) throw new RangeError('There is nothing to join.')
  if (pdfs.length === 1) return first
  // Loaded on first use: it takes longer to load than the rest of this domain and is rarely needed.
  const { PDFDocument: Pdf } = await import('@cantoo/pdf-lib')
  const joined = await Pdf.create({ updateMetadata: false })
  joined.setProducer('Salus')
  joined.setLanguage('en-US')
  for (const [index, pdf] of pdfs.entries()) await addPages(Pdf, joined, pdf, index)
  return Buffer.from(await joined.save({ updateFieldAppearances: false }))
}

async function addPages(
  Pdf: typeof PDFDocument,
  joined: PDFDocument,
  pdf: Buffer,
  index: number,
): Promise<void> {
  try {
    const source = await Pdf.load(pdf, {
      // Laboratories protect documents against changes: they open without a password, but are
      // encrypted.
      password: '',
      updateMetadata: false,
      throwOnInvalidObject: true,
    })
    // A damaged document may open and have no pages to copy.
    const pages = await joined.copyPages(source, source.getPageIndices())
    for (const page of pages) joined.addPage(page)
  } catch (error) {
    throw new UnreadablePdf(index, { cause: error })
  }
}
