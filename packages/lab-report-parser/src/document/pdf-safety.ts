import { inflateSync } from 'node:zlib'
import { FileProblem } from '../report.ts'

// Checks the bytes of a PDF for problems that engines forgive or do not report.

/** Object streams contain dictionaries, of which a report has a few hundred kilobytes. */
const MAX_UNPACKED_BYTES = 32 * 1024 * 1024
const END = '%%EOF'
/** Actions that run something. They would not run here, but a report does not need them. */
const ACTIVE = /\/(?:JavaScript|Launch)(?![A-Za-z0-9])/

/**
 * Rejects a PDF that is cut off, of which engines show the rest, and one that contains scripts or
 * starts programs. Embedded files are never opened, and need no check.
 * @throws {FileProblem} `unreadable_file`
 */
export function checkPdf(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')
  if (isCutOff(text) || hasActiveContent(text)) throw new FileProblem('unreadable_file')
}

function isCutOff(text: string): boolean {
  const end = text.lastIndexOf(END)
  // Viewers ignore everything after the end except a further revision.
  if (end < 0 || /\d{1,10} \d{1,10} obj\b/.test(text.slice(end))) return true
  const linearized = /\/Linearized\b[^>]*?\/L (\d+)/.exec(text.slice(0, 2048))
  return linearized !== null && Number(linearized[1]) > text.length
}

function hasActiveContent(text: string): boolean {
  let unpacked = 0
  let outside = ''
  let position = 0
  for (const [start, end] of findStreams(text)) {
    outside += text.slice(position, start)
    position = end
    const dictionary = text.slice(Math.max(0, start - 400), start)
    if (!/\/ObjStm\b/.test(dictionary.slice(dictionary.lastIndexOf(' obj') + 1))) continue
    const content = text.slice(start, end).replace(/^\r?\n/, '')
    const objects = unpackStream(content, MAX_UNPACKED_BYTES - unpacked)
    unpacked += objects.length
    if (ACTIVE.test(readNames(objects))) return true
  }
  return ACTIVE.test(readNames(outside + text.slice(position)))
}

/** Yields the start and end of the contents of streams in one pass, whatever they contain. */
function* findStreams(text: string): Generator<[start: number, end: number]> {
  const begin = /(?<!end)stream(?=\r?\n)/g
  while (begin.test(text)) {
    const start = begin.lastIndex
    const end = text.indexOf('endstream', start)
    if (end < 0) return
    yield [start, end]
    begin.lastIndex = end + 'endstream'.length
  }
}

/** Decodes letters that are written as numbers, `/J#61vaScript`. */
function readNames(text: string): string {
  return text.replace(/#([0-9a-f]{2})/gi, (_, digits: string) =>
    String.fromCharCode(Number.parseInt(digits, 16)),
  )
}

/** @throws {FileProblem} for a decompression bomb; other problems are left to the engine */
function unpackStream(content: string, maxBytes: number): string {
  try {
    return inflateSync(Buffer.from(content, 'latin1'), {
      maxOutputLength: Math.max(1, maxBytes),
    }).toString('latin1')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE')
      throw new FileProblem('unreadable_file')
    return ''
  }
}
