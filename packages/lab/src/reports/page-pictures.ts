import { AppError, badRequest, notFoundCode } from '@salus/kernel/errors'
import { FileMissingError } from '@salus/kernel/files/file-store'
import type { Scope } from '@salus/kernel/scope'
import { EngineProblem, FileProblem } from '@salus/lab-report-parser'
import Type from 'typebox'
import type { LabReportParts } from './lab-reports.parts.ts'
import type { JobRow } from './lab-reports.repository.ts'
import { readReportFile } from './report-files.ts'

/** Number of a page in the path. */
export const PAGE_NUMBER = Type.Integer({
  minimum: 1,
  maximum: 20,
  description: 'Number of the page, from 1.',
})

/** Query and response of both routes for page images. */
export const PAGE_PICTURE_SCHEMA = {
  querystring: Type.Object({
    width: Type.Integer({
      minimum: 100,
      maximum: 3000,
      default: 1200,
      description: 'Width of the image in pixels; a photo is never enlarged.',
    }),
  }),
  response: {
    200: {
      description: 'Page as viewers show it.',
      content: {
        'image/jpeg': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) },
      },
    },
  },
}

export type PictureParts = Pick<LabReportParts, 'files' | 'secrets' | 'labReportParser'>

/** Returns the index of the file with a page, and the page's number in that file. */
function locatePage({ files, pages_total: pages }: JobRow, number: number) {
  if (number > (pages ?? files.length)) throw notFoundCode('page_not_found')
  return files[0]?.content_type === 'application/pdf'
    ? { index: 0, page: number }
    : { index: number - 1, page: 1 }
}

/**
 * Renders a page on each request: that takes up to 0.2 seconds, and a stored image would be another
 * file of the person to protect and delete.
 * @throws AppError 404 `page_not_found`, `file_not_found`; 400 `unreadable_file`; 503
 *   `parser_unavailable`
 */
export async function renderReportPage(
  { log }: Scope,
  { files, secrets, labReportParser }: PictureParts,
  job: JobRow,
  number: number,
  width: number,
): Promise<Buffer> {
  const { index, page } = locatePage(job, number)
  try {
    const file = await readReportFile(files, secrets, job, index)
    const { jpeg } = await labReportParser.renderPage(file, page, width)
    return Buffer.from(jpeg.buffer, jpeg.byteOffset, jpeg.length)
  } catch (error) {
    if (error instanceof FileMissingError) throw notFoundCode('file_not_found')
    if (error instanceof FileProblem) {
      throw badRequest('unreadable_file', 'The page cannot be rendered.')
    }
    if (!(error instanceof EngineProblem)) throw error
    log.error({ part: error.part }, 'pages of lab reports cannot be rendered')
    const message = 'The server cannot examine files at the moment. Try again.'
    throw new AppError(503, 'parser_unavailable', message)
  }
}
