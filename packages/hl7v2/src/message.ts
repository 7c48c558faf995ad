import type { Charset } from './charsets.ts'
import { freeTextOf, unescapeText } from './escapes.ts'
import { segmentNameOf } from './segment-names.ts'
import {
  encodingCharacters,
  firstPart,
  readSeparators,
  type Separators,
  splitAt,
} from './separators.ts'

/** One message of a file or a frame: its exact bytes, and their text. */
export interface RawMessage {
  /** The bytes as received, from `MSH` to the end of the last segment. */
  content: Buffer
  /** The position of the first byte in the decoded file or frame. */
  offset: number
  text: string
  /** The character set in which `content` was decoded. */
  charset: Charset
  /** MSH-18 as sent; '' when it is empty. */
  namedCharset: string
  /** True when the bytes are not valid in the named character set, or when it is unknown. */
  isCharsetFallback: boolean
}

/** What the separators and the character set of a message decide about its values. */
interface Encoding {
  separators: Separators
  charset: Charset
}

/** One repetition of a field. */
export class Repetition {
  /** The value as sent, with its separators and escape sequences. */
  readonly raw: string
  readonly #encoding: Encoding
  #components: string[] | undefined

  constructor(raw: string, encoding: Encoding) {
    this.raw = raw
    this.#encoding = encoding
  }

  /** Components as sent. */
  get components(): readonly string[] {
    this.#components ??= splitAt(this.raw, this.#encoding.separators.component)
    return this.#components
  }

  /**
   * Returns a component, or a subcomponent of it, without escapes; '' when it is absent or deleted
   * (`""`). Positions begin with 1. A component with subcomponents, of which none is named, is
   * returned with their separators.
   */
  component(position: number, subcomponent?: number): string {
    const component = this.components[position - 1] ?? ''
    if (subcomponent === undefined) return this.#textOf(component)
    const parts = splitAt(component, this.#encoding.separators.subcomponent)
    return this.#textOf(parts[subcomponent - 1] ?? '')
  }

  /** The whole repetition as one text: separators of components inside it are part of it. */
  get text(): string {
    return this.#textOf(this.raw)
  }

  #textOf(raw: string): string {
    if (raw === '' || raw === '""') return ''
    return unescapeText(raw, this.#encoding.separators, this.#encoding.charset)
  }
}

/** One field of a segment. A field that the segment does not have is empty. */
export class Field {
  /** The value as sent, with its separators and escape sequences. */
  readonly raw: string
  readonly #encoding: Encoding
  #repetitions: Repetition[] | undefined

  constructor(raw: string, encoding: Encoding) {
    this.raw = raw
    this.#encoding = encoding
  }

  /** True when nothing was sent: what the receiver has, stays. */
  get isEmpty(): boolean {
    return this.raw === ''
  }

  /** True for the null of HL7, `""`: what the receiver has, is to be deleted. */
  get isNull(): boolean {
    return this.raw === '""'
  }

  /** None for an empty field. */
  get repetitions(): readonly Repetition[] {
    this.#repetitions ??= this.isEmpty
      ? []
      : splitAt(this.raw, this.#encoding.separators.repetition).map(
          (raw) => new Repetition(raw, this.#encoding),
        )
    return this.#repetitions
  }

  /** Returns a component of the first repetition, as `Repetition.component` does. */
  component(position: number, subcomponent?: number): string {
    return this.repetitions[0]?.component(position, subcomponent) ?? ''
  }

  /** The field as text of a type such as FT, TX or ST: repetitions are lines. */
  get freeText(): string {
    return freeTextOf(this.raw, this.#encoding.separators, this.#encoding.charset)
  }
}

/** One segment: its fields are read when they are needed. */
export class Segment {
  /** Such as `OBX`. */
  readonly name: string
  /** The segment as sent, without the line end behind it. */
  readonly raw: string
  /** The line end behind it as sent, with empty lines; '' at the end of some messages. */
  readonly end: string
  readonly encoding: Encoding
  #fields: string[] | undefined

  constructor(name: string, raw: string, end: string, encoding: Encoding) {
    this.name = name
    this.raw = raw
    this.end = end
    this.encoding = encoding
  }

  get #sent(): readonly string[] {
    if (this.#fields === undefined) {
      const { separators } = this.encoding
      const fields = this.raw.split(separators.field)
      // The first field of a header is its separator, and its second one has the other separators.
      if (isHeader(this.name)) {
        fields.splice(1, 1, separators.field, fields[1] ?? encodingCharacters(separators))
      }
      this.#fields = fields
    }
    return this.#fields
  }

  /** The position of the last field that was sent. */
  get length(): number {
    return this.#sent.length - 1
  }

  /** Returns a field; positions begin with 1. */
  field(position: number): Field {
    return new Field(this.#sent[position] ?? '', this.encoding)
  }

  /**
   * Returns a component of the first repetition of a field, without escapes. Without `component`
   * the first one is returned, so a status `F^Final^HL70085` is `F`.
   */
  text(field: number, component = 1, subcomponent?: number): string {
    const raw = this.#sent[field] ?? ''
    const { separators, charset } = this.encoding
    // Most reads are of a first component, for which nothing needs to be split.
    if (component === 1 && subcomponent === undefined) {
      const first = firstPart(firstPart(raw, separators.repetition), separators.component)
      return first === '""' ? '' : unescapeText(first, separators, charset)
    }
    return raw === '' ? '' : this.field(field).component(component, subcomponent)
  }
}

const HEADERS = ['MSH', 'FHS', 'BHS']
/** Returns true for segments that declare separators. */
export const isHeader = (name: string): boolean => HEADERS.includes(name)

/** A message with its segments, in the order of the bytes. */
export class Message {
  readonly raw: RawMessage
  readonly separators: Separators
  readonly segments: readonly Segment[]
  /** How many lines began with no segment name and so belong to the field before them. */
  readonly continuedLines: number

  constructor(raw: RawMessage) {
    this.raw = raw
    this.separators = readSeparators(raw.text)
    const encoding = { separators: this.separators, charset: raw.charset }
    const { segments, continuedLines } = splitSegments(raw.text, encoding)
    this.segments = segments
    this.continuedLines = continuedLines
  }

  /** Returns the first segment of a name. */
  first(name: string): Segment | undefined {
    return this.segments.find((segment) => segment.name === name)
  }

  /** Returns all segments of a name, in their order. */
  all(name: string): Segment[] {
    return this.segments.filter((segment) => segment.name === name)
  }

  /** The header, MSH. */
  get header(): Segment {
    return this.segments[0] as Segment
  }

  /** MSH-9. `ORU^R01^ORU_R01`, `ORU^R01` and `ORU` are all usual; what was not sent is ''. */
  get type(): { code: string; trigger: string; structure: string } {
    const [code, trigger, structure] = [1, 2, 3].map((at) => this.header.text(9, at))
    return { code: code ?? '', trigger: trigger ?? '', structure: structure ?? '' }
  }

  /** MSH-10; '' when it is missing. */
  get controlId(): string {
    return this.header.text(10)
  }

  /** MSH-11: P (production), T (training) or D (debugging). */
  get processingId(): string {
    return this.header.text(11)
  }

  /** MSH-12, such as `2.5.1`. */
  get version(): string {
    return this.header.text(12)
  }
}

/** Reads a message. It parses lines only; fields are parsed when they are read. */
export function readMessage(raw: RawMessage): Message {
  return new Message(raw)
}

/** Returns the text of segments as they were sent, which is the text of their message. */
export function joinSegments(segments: readonly Segment[]): string {
  return segments.map(({ raw, end }) => raw + end).join('')
}

/**
 * Splits a text into segments. They end with CR, LF or both; a line that begins with no segment
 * name belongs to the field before, with the line end between them.
 */
export function splitSegments(
  text: string,
  encoding: Encoding,
): { segments: Segment[]; continuedLines: number } {
  const { field } = encoding.separators
  const segments: Segment[] = []
  let continuedLines = 0
  // Where the open segment begins, and where its last line ends.
  let [start, end] = [0, 0]
  const open = { name: '', raw: () => text.slice(start, end) }
  const close = (until: number) => {
    if (open.name === '') return
    segments.push(new Segment(open.name, open.raw(), text.slice(end, until), encoding))
  }
  let [nextCr, nextLf] = [text.indexOf('\r'), text.indexOf('\n')]
  for (let line = 0; line < text.length; ) {
    if (nextCr >= 0 && nextCr < line) nextCr = text.indexOf('\r', line)
    if (nextLf >= 0 && nextLf < line) nextLf = text.indexOf('\n', line)
    const ends = nextCr < 0 || (nextLf >= 0 && nextLf < nextCr) ? nextLf : nextCr
    const lineEnd = ends < 0 ? text.length : ends
    if (lineEnd > line) {
      const found = segmentNameOf(text.slice(line, lineEnd), field, open)
      // The first line has a header's name, which may have nothing behind it.
      const name = found === '' && open.name === '' ? text.slice(line, line + 3) : found
      if (name !== '') {
        close(line)
        open.name = name
        start = line
      } else continuedLines++
      end = lineEnd
    }
    line = lineEnd + 1
  }
  close(text.length)
  return { segments, continuedLines }
}
