import type { PDFDocument } from '@cantoo/pdf-lib'

/** A document that is no PDF, is broken, or may not be opened without a password. */
export class UnreadablePdf extends Error {
  /** Which of the documents, from 0. */
  readonly index: number

  constructor(index: number, options?: ErrorOptions) {
    super('A document cannot be joined with the others.', options)
    this.name = 'UnreadablePdf'
    this.index = index
  }
}

/**
 * All pages of all documents as one, in the order given. A single document is returned as it is;
 * the same documents always give the same bytes.
 * @throws UnreadablePdf
 */
export async function joinPdfs(pdfs: readonly Buffer[]): Promise<Buffer> {
  const [first] = pdfs
  if (first === undefined) throw new RangeError('There is nothing to join.')
  if (pdfs.length === 1) return first
  // Loaded when it is first needed: it takes longer than the rest of this domain, and few need it.
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
      // Laboratories protect reports against changes: they open without a password, but are
      // encrypted.
      password: '',
      updateMetadata: false,
      throwOnInvalidObject: true,
    })
    // A broken document may open and have no pages to copy.
    const pages = await joined.copyPages(source, source.getPageIndices())
    for (const page of pages) joined.addPage(page)
  } catch (error) {
    throw new UnreadablePdf(index, { cause: error })
  }
}
