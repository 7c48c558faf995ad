import type { Sharp } from 'sharp'
import { findFileType } from '../document/file-type.ts'
import { checkPdf } from '../document/pdf-safety.ts'
import { FileProblem, type PagePicture } from '../report.ts'
import { loadSharp, openImage } from './image.ts'
import { PdfDocument, renderPage } from './pdf-document.ts'

/**
 * Print stays crisp with all of its color, in a third of the bytes that a scan takes as PNG, and of
 * the time.
 */
const JPEG = { quality: 85, chromaSubsampling: '4:4:4' } as const

/**
 * Renders one page of a file as viewers show it, as JPEG.
 * @param page from 1, within the file
 * @param width in pixels; a picture is never enlarged
 * @throws {FileProblem} `unreadable_file`, also for a missing page
 * @throws {EngineProblem}
 */
export async function renderPagePicture(
  file: Uint8Array,
  page: number,
  width: number,
): Promise<PagePicture> {
  const picture =
    findFileType(file) === 'pdf'
      ? await renderPdf(file, page, width)
      : (await openImage(file)).autoOrient().resize({ width, withoutEnlargement: true })
  try {
    const { data, info } = await picture
      .flatten({ background: '#ffffff' })
      .jpeg(JPEG)
      .toBuffer({ resolveWithObject: true })
    return { jpeg: data, width: info.width, height: info.height }
  } catch {
    // The message of libvips may contain text of the file.
    throw new FileProblem('unreadable_file')
  }
}

async function renderPdf(file: Uint8Array, number: number, wanted: number): Promise<Sharp> {
  const sharp = await loadSharp()
  checkPdf(file)
  const document = await PdfDocument.open(file)
  const { width, height, data } = document.withPage(number, (page) =>
    renderPage(page, (72 * wanted) / page.width),
  )
  return sharp(data, { raw: { width, height, channels: 3 } })
}
