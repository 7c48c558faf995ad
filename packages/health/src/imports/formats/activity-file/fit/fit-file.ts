import FitParser from 'fit-file-parser'
import { isFields } from '../../../../summaries/index.ts'
import { ImportFileError } from '../../../files/import-file-error.ts'
import { isFit, LEAST_HEADER } from '../recording-kind.ts'

type Fields = Record<string, unknown>

/** Messages of one FIT file by the names of the parser, each in the order of the file. */
export interface FitFile {
  all(name: string): readonly Fields[]
}

const CRC_BYTES = 2
/** The parser works in memory. A file of a day with a record each second has about 5 MB. */
export const MOST_FIT_BYTES = 32 << 20
/** Eleven days with a record each second. */
const MOST_MESSAGES = 1_000_000
const FILE_ID = 0

const damaged = (hint: string, cause?: unknown): ImportFileError =>
  new ImportFileError('malformed_file', { hint, cause })

/**
 * Reads a FIT file, or several that follow one another in one file.
 * @throws ImportFileError `malformed_file` for a wrong checksum, a truncated file or one with more
 *   than a million messages
 */
export function readFit(content: Buffer): FitFile[] {
  const files: FitFile[] = []
  for (let at = 0; at < content.length; ) {
    const rest = content.subarray(at)
    // Some writers fill the last block with zeros.
    if (files.length > 0 && rest.every((byte) => byte === 0)) break
    const length = lengthOf(rest)
    files.push(parse(rest.subarray(0, length)))
    at += length
  }
  return files
}

function lengthOf(content: Buffer): number {
  if (content.length < LEAST_HEADER || !isFit(content)) throw damaged('It is no FIT file.')
  const length = (content[0] ?? 0) + content.readUInt32LE(4) + CRC_BYTES
  if (length > content.length) throw damaged('The FIT file is truncated.')
  return length
}

function parse(content: Buffer): FitFile {
  let count = 0
  for (const _message of listMessages(content)) {
    if (++count > MOST_MESSAGES) throw damaged('The FIT file has more than a million messages.')
  }
  let [parsed, problem] = [undefined as unknown, undefined as unknown]
  try {
    // The parser wants a buffer of its own memory, and calls back before it returns.
    const parser = new FitParser({ force: false, mode: 'list' })
    parser.parse(Buffer.from(content), (error, data) => {
      problem = error
      parsed = data
    })
  } catch (error) {
    throw damaged('A message of the FIT file cannot be read.', error)
  }
  if (!isFields(parsed)) {
    const isChecksum = String(problem).includes('CRC')
    throw damaged(
      isChecksum
        ? 'The checksum of the FIT file does not match.'
        : 'The header of the FIT file is wrong.',
    )
  }
  const messages = isFields(parsed.messages) ? parsed.messages : {}
  return {
    all(name) {
      const list = messages[name]
      return Array.isArray(list) ? list.filter(isFields) : []
    },
  }
}

/** A data message: its global number, and the numbers and bytes of its fields. */
interface RawMessage {
  number: number
  isBigEndian: boolean
  fields: readonly { number: number; bytes: Buffer }[]
}

interface Definition {
  number: number
  isBigEndian: boolean
  fields: readonly { number: number; size: number }[]
  size: number
}

/** Yields data messages without interpreting them; it ends where the structure does. */
function* listMessages(content: Buffer): Generator<RawMessage> {
  const definitions = new Map<number, Definition>()
  const end = Math.min(content.length, (content[0] ?? 0) + content.readUInt32LE(4))
  let at = content[0] ?? 0
  while (at < end) {
    const header = content[at] ?? 0
    const isCompressed = (header & 0x80) !== 0
    if (!isCompressed && (header & 0x40) !== 0) {
      const definition = readDefinition(content, at, (header & 0x20) !== 0)
      if (definition === undefined) return
      definitions.set(header & 0x0f, definition.of)
      at = definition.end
      continue
    }
    const definition = definitions.get(isCompressed ? (header >> 5) & 3 : header & 0x0f)
    if (definition === undefined) return
    const { number, isBigEndian } = definition
    let from = at + 1
    const fields = definition.fields.map((field) => {
      const bytes = content.subarray(from, from + field.size)
      from += field.size
      return { number: field.number, bytes }
    })
    yield { number, isBigEndian, fields }
    at += 1 + definition.size
  }
}

function readDefinition(
  content: Buffer,
  at: number,
  hasDeveloperFields: boolean,
): { of: Definition; end: number } | undefined {
  const count = content[at + 5]
  if (count === undefined) return undefined
  const isBigEndian = content[at + 2] === 1
  if (at + 6 > content.length) return undefined
  const number = isBigEndian ? content.readUInt16BE(at + 3) : content.readUInt16LE(at + 3)
  let from = at + 6
  const fields = readSizes(content, from, count)
  from += 3 * count
  let size = fields.reduce((sum, field) => sum + field.size, 0)
  if (hasDeveloperFields) {
    const own = readSizes(content, from + 1, content[from] ?? 0)
    size += own.reduce((sum, field) => sum + field.size, 0)
    from += 1 + 3 * own.length
  }
  return { of: { number, isBigEndian, fields, size }, end: from }
}

const readSizes = (content: Buffer, from: number, count: number) =>
  Array.from({ length: count }, (_, index) => ({
    number: content[from + 3 * index] ?? 0,
    size: content[from + 3 * index + 1] ?? 0,
  }))

/** Returns the number of the manufacturer by the opening of a file; undefined where it has none. */
export function manufacturerOf(opening: Buffer): number | undefined {
  if (!isFit(opening)) return undefined
  for (const { number, isBigEndian, fields } of listMessages(opening)) {
    if (number !== FILE_ID) continue
    const bytes = fields.find((field) => field.number === 1)?.bytes
    if (bytes?.length !== 2) return undefined
    return isBigEndian ? bytes.readUInt16BE() : bytes.readUInt16LE()
  }
  return undefined
}
