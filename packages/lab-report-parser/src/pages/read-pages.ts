import { findFileType } from '../document/file-type.ts'
import { MAX_PDF_PAGES } from '../document/limits.ts'
import { checkPdf } from '../document/pdf-safety.ts'
import { FileProblem } from '../report.ts'
import { decodeImage, measureImage } from './image.ts'
import type { Raster, Word } from './page.ts'
import { readCharacters } from './pdf-characters.ts'
import { PdfDocument, renderPage } from './pdf-document.ts'
import { readGraphics } from './pdf-graphics.ts'
import { chooseWords } from './text-layer.ts'

/** A page as it was uploaded, upright. */
export interface SourcePage {
  /** From 1. */
  number: number
  /** Number of all pages. */
  pages: number
  /** Points of a PDF, pixels of a picture, as its viewer shows it. */
  width: number
  height: number
  /** Words of its text layer; null without one, or with an unreliable one. */
  words: Word[] | null
  /**
   * Renders the page for recognition: a PDF in about 200 dots per inch, a picture in its own
   * pixels.
   */
  render(): Promise<Raster>
}

const RENDER_DPI = 200

/**
 * Yields the pages of a PDF, or of pictures in order.
 * @throws {FileProblem} also in the middle: a page may be unreadable
 */
export async function* readSourcePages(files: readonly Uint8Array[]): AsyncGenerator<SourcePage> {
  const [first] = files
  if (first && findFileType(first) === 'pdf') {
    yield* readPdfPages(first)
    return
  }
  for (const [index, file] of files.entries()) {
    if (!findFileType(file)) throw new FileProblem('unsupported_file_type')
    const { width, height } = await measureImage(file)
    yield {
      number: index + 1,
      pages: files.length,
      width,
      height,
      words: null,
      render: () => decodeImage(file),
    }
  }
}

async function* readPdfPages(bytes: Uint8Array): AsyncGenerator<SourcePage> {
  checkPdf(bytes)
  const document = await PdfDocument.open(bytes)
  if (document.pageCount > MAX_PDF_PAGES) throw new FileProblem('too_many_pages')
  for (let number = 1; number <= document.pageCount; number++) {
    const { width, height, words } = document.withPage(number, (page) => ({
      ...page,
      words: chooseWords(page, readCharacters(page), readGraphics(page)),
    }))
    const render = async () => document.withPage(number, (page) => renderPage(page, RENDER_DPI))
    yield { number, pages: document.pageCount, width, height, words, render }
  }
}
