import { badRequest } from '@salus/kernel/errors'
import { WorkSlice } from '@salus/kernel/time-slices'
import { LineLayouts } from './line-layouts.ts'
import { RefusedRow, type Rows } from './rows.ts'

/** Length at which a line is skipped: nothing that a sample has is so long. */
const MOST_LINE_BYTES = 1024 ** 2
/** Lines that are no JSON, of which a body with more is another kind of file. */
const MOST_INVALID_LINES = 10_000
const NEWLINE = 10

const TOO_LONG = new RefusedRow('line_too_long')
const INVALID = new RefusedRow('invalid_json')
const NOT_NDJSON = badRequest('invalid_ndjson', 'More than 10,000 lines of the body are not JSON.')

/**
 * Reads a body of newline-delimited JSON, a chunk of the stream at a time. Of a line that is too
 * long nothing is kept in memory.
 * @throws what the stream throws, after all whole lines before the fault; AppError 400 for a body
 *   of something else
 */
export async function* readNdjson(stream: AsyncIterable<Buffer>): AsyncGenerator<Rows> {
  const splitter = new LineSplitter()
  const slice = new WorkSlice()
  for await (const chunk of stream) {
    const rows = splitter.split(chunk)
    if (rows.items.length > 0) yield rows
    if (splitter.invalidLines > MOST_INVALID_LINES) throw NOT_NDJSON
    if (slice.isOver()) await slice.rest()
  }
  const rest = splitter.end()
  if (rest.items.length > 0) yield rest
}

class LineSplitter {
  /** Chunks of a line whose end has not arrived. */
  #open: Buffer[] = []
  #openBytes = 0
  /** Whether the open line is too long, and skipped to its end. */
  #isSkipping = false
  #nextLine = 1
  readonly #layouts = new LineLayouts()
  invalidLines = 0

  split(chunk: Buffer): Rows {
    const end = chunk.lastIndexOf(NEWLINE)
    if (end === -1) {
      this.#keep(chunk)
      return { firstLine: this.#nextLine, items: [], bytes: 0 }
    }
    let from = 0
    const items: unknown[] = []
    const firstLine = this.#nextLine
    if (this.#isSkipping) {
      items.push(TOO_LONG)
      from = chunk.indexOf(NEWLINE) + 1
      this.#isSkipping = false
    }
    const whole = from > end ? Buffer.alloc(0) : chunk.subarray(from, end)
    if (from <= end) this.#parse(this.#takeOpen(whole), items)
    this.#nextLine += items.length
    if (end + 1 < chunk.length) this.#keep(chunk.subarray(end + 1))
    return { firstLine, items, bytes: chunk.length }
  }

  end(): Rows {
    const items: unknown[] = []
    if (this.#isSkipping) items.push(TOO_LONG)
    else if (this.#openBytes > 0) this.#parse(this.#takeOpen(Buffer.alloc(0)), items)
    return { firstLine: this.#nextLine, items, bytes: 0 }
  }

  #keep(part: Buffer): void {
    if (this.#isSkipping) return
    this.#openBytes += part.length
    if (this.#openBytes <= MOST_LINE_BYTES) this.#open.push(part)
    else {
      this.#isSkipping = true
      this.#open = []
      this.#openBytes = 0
    }
  }

  /** Returns the bytes of whole lines, the first of which began in earlier chunks. */
  #takeOpen(part: Buffer): Buffer {
    if (this.#openBytes === 0) return part
    const bytes = Buffer.concat([...this.#open, part])
    this.#open = []
    this.#openBytes = 0
    return bytes
  }

  #parse(bytes: Buffer, items: unknown[]): void {
    const layouts = this.#layouts
    layouts.begin(bytes)
    for (let start = 0; start <= bytes.length; ) {
      const row = layouts.read(start)
      if (row !== undefined) {
        items.push(row)
        start = (bytes[layouts.end] === NEWLINE ? layouts.end : layouts.end + 1) + 1
        continue
      }
      const newline = bytes.indexOf(NEWLINE, start)
      const end = newline === -1 ? bytes.length : newline
      const item = this.#parseLine(bytes, start, end, items.length === 0)
      if (item !== undefined && !(item instanceof RefusedRow)) layouts.learn(start, end, item)
      items.push(item)
      start = end + 1
    }
  }

  #parseLine(bytes: Buffer, start: number, end: number, isFirst: boolean): unknown {
    const text = bytes.toString('utf8', start, end)
    // A byte order mark is no part of the first line.
    const startsWithBom = isFirst && this.#nextLine === 1 && text.startsWith('\ufeff')
    const item = parseLine(startsWithBom ? text.slice(1) : text)
    if (item === INVALID) this.invalidLines++
    return item
  }
}

/** Returns undefined for an empty line. */
function parseLine(line: string): unknown {
  // A parser that throws costs more than all else, and bodies of empty lines compress well.
  if (line === '') return undefined
  if (line.length > MOST_LINE_BYTES) return TOO_LONG
  try {
    // A number or a text is no sample, and is quarantined as such where it has a user.
    return JSON.parse(line) ?? INVALID
  } catch {
    return line.trim() === '' ? undefined : INVALID
  }
}
