import multipart, { type MultipartFile } from '@fastify/multipart'
import { AppError, badRequest, InputError, invalidInput } from '@salus/kernel/errors'
import type { App } from '@salus/kernel/http/app-types'
import { isUuid } from '@salus/kernel/ids'
import { findFileType } from '@salus/lab-report-parser'
import type { FastifyRequest } from 'fastify'
import type { StoredFile } from '../lab-reports.tables.ts'

// docs/contract/16-lab-report-parsing.md#limits
const MIB = 1024 ** 2
const MOST_FILE_BYTES = 10 * MIB
const MOST_BYTES = 20 * MIB
const MOST_FILES = 8

/** Limit with room for the text parts and the part headers. */
const MOST_FORM_BYTES = MOST_BYTES + MIB

/** A checked upload. */
export interface Upload {
  userId: string
  needsHumanReview: boolean
  files: { content: Buffer; contentType: StoredFile['content_type'] }[]
}

const FILE_TOO_LARGE = new AppError(
  413,
  'file_too_large',
  'A file is larger than 10 MiB, or all files together are larger than 20 MiB.',
)

/** Registers the parser for upload forms in a scope. */
export async function registerForms(app: App): Promise<void> {
  const limits = {
    // At its limit the parser truncates a file silently, so the limit is one above ours.
    fileSize: MOST_FILE_BYTES + 1,
    // Higher than our limits, which are checked before the parser reports form_too_large.
    files: MOST_FILES + 2,
    fields: 16,
    fieldSize: 1024,
    headerPairs: 32,
  }
  await app.register(multipart, { limits, throwFileSizeLimit: false })
  app.removeContentTypeParser('application/json')
}

/**
 * Reads a form with its parts in any order, and no more of it than allowed.
 * @throws AppError 400, 413, 415, 422 of
 *   docs/contract/16-lab-report-parsing.md#post-lab_reportv1parserjob
 */
export async function readUpload(request: FastifyRequest): Promise<Upload> {
  if (!request.isMultipart()) {
    throw new AppError(415, 'unsupported_media_type', 'Send the files as multipart/form-data.')
  }
  if (Number(request.headers['content-length']) > MOST_FORM_BYTES) throw FILE_TOO_LARGE
  const files: { content: Buffer; declared: string }[] = []
  const texts = new Map<string, unknown[]>()
  let bytes = 0
  const hasPlainText = watchPlainText(request)
  for await (const part of request.parts()) {
    if (part.type === 'field') {
      texts.set(part.fieldname, [...(texts.get(part.fieldname) ?? []), part.value])
      continue
    }
    // Files of other parts are read and discarded, so that the following parts arrive.
    const content = await readPart(part, MOST_BYTES - bytes)
    bytes += content.length
    if (part.fieldname !== 'file') continue
    if (files.length === MOST_FILES) {
      throw badRequest('too_many_files', 'A report has at most 8 files.')
    }
    const isUndeclared = part.mimetype === 'text/plain' && !hasPlainText()
    files.push({ content, declared: isUndeclared ? '' : part.mimetype })
  }
  const texted = readTexts(texts, files.length)
  return { ...texted, files: checkFiles(files) }
}

/** Matches the first header lines of a file part with the type text/plain. */
const PLAIN_TEXT_FILE =
  /\r\n--[^\r\n]+\r\n(?=(?:[^\r\n]+\r\n){0,4}?[^\r\n]*filename)(?:[^\r\n]+\r\n){0,4}?content-type:[ \t]*text\/plain/i
const MOST_HEAD_LENGTH = 2048

/**
 * Returns whether a file so far was declared as text. The parser reports text/plain also for files
 * without a type, which many clients send.
 */
function watchPlainText({ raw }: FastifyRequest): () => boolean {
  let hasPlainText = false
  let end = '\r\n'
  raw.on('data', (chunk: Buffer) => {
    const text = end + chunk.toString('latin1')
    hasPlainText ||= PLAIN_TEXT_FILE.test(text)
    end = text.slice(-MOST_HEAD_LENGTH)
  })
  return () => hasPlainText
}

/** Reads a part. @throws AppError 413 beyond the limit of a file, or `room` */
async function readPart({ file }: MultipartFile, room: number): Promise<Buffer> {
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of file) {
    bytes += chunk.length
    if (bytes > Math.min(MOST_FILE_BYTES, room)) throw FILE_TOO_LARGE
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Returns the text parts. @throws InputError */
function readTexts(
  texts: ReadonlyMap<string, unknown[]>,
  fileCount: number,
): Pick<Upload, 'userId' | 'needsHumanReview'> {
  const problems = []
  const refuse = (name: string, ...problem: [msg: string, type: 'missing' | 'duplicate']) =>
    problems.push(...invalidInput(['body', name], ...problem).problems)
  for (const [name, values] of texts) {
    if (isKnown(name) && values.length > 1) refuse(name, 'The part appears twice', 'duplicate')
  }
  const userId = texts.get('user_id')?.[0]
  if (userId === undefined) refuse('user_id', 'Field required', 'missing')
  else if (!isUuid(String(userId))) {
    problems.push(...invalidInput(['body', 'user_id'], 'Not a UUID', 'uuid_parsing').problems)
  }
  const review = texts.get('needs_human_review')?.[0] ?? 'false'
  if (review !== 'true' && review !== 'false') {
    const message = 'Must be true or false'
    const loc = ['body', 'needs_human_review'] as const
    problems.push(...invalidInput([...loc], message, 'enum').problems)
  }
  // A part `file` without a file name is parsed as text.
  if (fileCount === 0) refuse('file', 'A file is required', 'missing')
  if (problems.length > 0) throw new InputError(problems)
  return { userId: String(userId).toLowerCase(), needsHumanReview: review === 'true' }
}

const isKnown = (name: string): boolean => ['user_id', 'needs_human_review'].includes(name)

const MEDIA_TYPES = { pdf: 'application/pdf', jpeg: 'image/jpeg', png: 'image/png' } as const

const DECLARED: Readonly<Record<string, StoredFile['content_type']>> = {
  'application/pdf': 'application/pdf',
  'application/x-pdf': 'application/pdf',
  'image/jpeg': 'image/jpeg',
  'image/jpg': 'image/jpeg',
  'image/pjpeg': 'image/jpeg',
  'image/png': 'image/png',
  'image/x-png': 'image/png',
}
/** Content types that do not declare a type. */
const UNDECLARED = new Set(['', 'application/octet-stream', 'binary/octet-stream'])

/** Checks the types of the files. @throws AppError 400 */
function checkFiles(files: readonly { content: Buffer; declared: string }[]): Upload['files'] {
  const checked = files.map(({ content, declared }) => {
    if (content.length === 0) throw badRequest('empty_file', 'A file is empty.')
    const type = declared.toLowerCase()
    const named = DECLARED[type]
    const found = findFileType(content)
    const contentType = found && MEDIA_TYPES[found]
    if (contentType === undefined && named === undefined) {
      throw badRequest('unsupported_file_type', 'A file is not PDF, JPEG or PNG.')
    }
    if (contentType === undefined || (!UNDECLARED.has(type) && named !== contentType)) {
      throw badRequest(
        'content_type_mismatch',
        'The content of a file does not match its Content-Type.',
      )
    }
    return { content, contentType }
  })
  if (checked.length > 1 && checked.some((each) => each.contentType === 'application/pdf')) {
    throw badRequest('pdf_in_multi_upload', 'Several files must be images.')
  }
  return checked
}
