import { decodeImage } from '../pages/image.ts'
import { PdfDocument } from '../pages/pdf-document.ts'
import { FileProblem, type Inspection } from '../report.ts'
import { findFileType } from './file-type.ts'
import { MAX_IMAGES, MAX_PDF_PAGES } from './limits.ts'
import { checkPdf } from './pdf-safety.ts'

/**
 * Inspects the files of one report, enough to know that it can be parsed
 * (docs/contract/16-lab-report-parsing.md#post-lab_reportv1parserjob). Several pictures are
 * decoded; a single one that cannot be decoded fails when it is parsed.
 * @throws {FileProblem}
 */
export async function inspectFiles(files: readonly Uint8Array[]): Promise<Inspection> {
  const [first] = files
  if (!first || files.some((file) => file.length === 0)) throw new FileProblem('empty_file')
  const types = files.map(findFileType)
  const [type] = types
  if (!type || types.includes(undefined)) throw new FileProblem('unsupported_file_type')
  if (files.length > 1 && types.includes('pdf')) throw new FileProblem('pdf_in_multi_upload')
  if (files.length > MAX_IMAGES) throw new FileProblem('too_many_pages')
  if (type === 'pdf') return { type, pages: await countPages(first) }
  if (files.length > 1) for (const file of files) await decodeImage(file)
  return { type, pages: files.length }
}

async function countPages(bytes: Uint8Array): Promise<number> {
  checkPdf(bytes)
  const { pageCount } = await PdfDocument.open(bytes)
  if (pageCount > MAX_PDF_PAGES) throw new FileProblem('too_many_pages')
  return pageCount
}
