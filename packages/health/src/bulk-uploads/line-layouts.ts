import { type Fields, ItemLayout, ItemReader, newReadItem } from '../ingest/index.ts'
import { ReadRow, type RowTemplate, type RowValues, userKeyOf } from './rows.ts'

/** Length of lines of which a layout is made. */
const MOST_LINE_BYTES = 32 * 1024
/** Layouts that are tried for a line, and that are kept from one part of the body to the next. */
const MOST_LAYOUTS = 32
const MOST_KEPT = 16
/** Of lines that all differ, layouts are tried again after so many parts of the body. */
const RESTING_PARTS = 16
/** Share of lines that must have a layout, as their number for each one that has. */
const FEW = 8
const [NEWLINE, RETURN, OPEN_OBJECT] = [10, 13, 123]

interface LineTemplate extends RowTemplate {
  readonly layout: ItemLayout
  /** Number of the last part of the body with a line of it. */
  usedIn: number
}

class LineRow extends ReadRow {
  readonly #bytes: Buffer
  readonly #start: number
  readonly #end: number

  constructor(template: RowTemplate, values: RowValues, bytes: Buffer, start: number, end: number) {
    super(template, values)
    this.#bytes = bytes
    this.#start = start
    this.#end = end
  }

  override toItem(): unknown {
    return JSON.parse(this.#bytes.toString('utf8', this.#start, this.#end))
  }
}

/**
 * Reads lines in one pass over their bytes, as the items of uploads are read: lines of a dump have
 * the same text except for user, times, value and id. That text is learned from lines that the
 * parser has read. Any other line is left to the parser.
 */
export class LineLayouts {
  #templates: LineTemplate[] = []
  #last = 0
  #bytes: Buffer = Buffer.alloc(0)
  #reader = new ItemReader(this.#bytes)
  #part = 0
  #restsUntil = 0
  #lines = 0
  #read = 0
  /** The last name and the position of its bytes in this part. */
  #name = ''
  #nameAt = -1
  readonly #item = newReadItem()

  /** Begins with a part of the body, which has whole lines. */
  begin(bytes: Buffer): void {
    if (this.#lines > FEW * (this.#read + 1)) this.#restsUntil = this.#part + RESTING_PARTS
    if (this.#templates.length > MOST_KEPT) {
      this.#templates = this.#templates.filter(({ usedIn }) => usedIn === this.#part)
    }
    this.#part += 1
    this.#lines = 0
    this.#read = 0
    this.#last = 0
    this.#nameAt = -1
    this.#bytes = bytes
    this.#reader = new ItemReader(bytes)
  }

  /** Position of the end of the line that was read last. */
  get end(): number {
    return this.#reader.at
  }

  /** Reads the line at a position; returns undefined for one that the parser has to read. */
  read(start: number): ReadRow | undefined {
    if (this.#part <= this.#restsUntil) return undefined
    if (this.#bytes[start] !== OPEN_OBJECT) return undefined
    this.#lines += 1
    const template = this.#find(start)
    if (template === undefined) return undefined
    this.#read += 1
    template.usedIn = this.#part
    const { startedAt, offsetSeconds: offset, endedAt, value } = this.#item
    const offsetSeconds = Number.isNaN(offset) ? null : offset
    const values = { name: this.#readName(), startedAt, offsetSeconds, endedAt, value }
    return new LineRow(template, values, this.#bytes, start, this.#reader.at)
  }

  /** Learns the layout of a line that the parser has read. */
  learn(start: number, end: number, item: unknown): void {
    if (this.#part <= this.#restsUntil || this.#templates.length >= MOST_LAYOUTS) return
    if (end - start > MOST_LINE_BYTES || this.#bytes[start] !== OPEN_OBJECT) return
    const fields = item as Fields
    const userKey = userKeyOf(fields)
    if (userKey === undefined) return
    const layout = ItemLayout.of(this.#bytes, start, end, fields, userKey)
    if (layout === undefined) return
    this.#last = this.#templates.push({ item: fields, userKey, layout, usedIn: this.#part }) - 1
  }

  #find(start: number): LineTemplate | undefined {
    const templates = this.#templates
    if (this.#isOf(templates[this.#last], start)) return templates[this.#last]
    for (let index = 0; index < templates.length; index++) {
      if (index === this.#last || !this.#isOf(templates[index], start)) continue
      this.#last = index
      return templates[index]
    }
    return undefined
  }

  #isOf(template: LineTemplate | undefined, start: number): boolean {
    if (template === undefined) return false
    const reader = this.#reader
    reader.at = start
    if (!template.layout.read(reader, this.#item)) return false
    const next = this.#bytes[reader.at]
    return (
      next === NEWLINE ||
      next === undefined ||
      (next === RETURN && this.#bytes[reader.at + 1] === NEWLINE)
    )
  }

  /** Consecutive lines mostly share a user. */
  #readName(): string {
    const { nameAt, nameEnd } = this.#item
    if (!this.#isLastName(nameAt, nameEnd))
      this.#name = this.#bytes.toString('utf8', nameAt, nameEnd)
    this.#nameAt = nameAt
    return this.#name
  }

  #isLastName(nameAt: number, nameEnd: number): boolean {
    const bytes = this.#bytes
    const last = this.#nameAt
    if (last === -1) return false
    for (let index = 0; index <= nameEnd - nameAt; index++) {
      // The quote at the end is compared too.
      if (bytes[last + index] !== bytes[nameAt + index]) return false
    }
    return true
  }
}
