import { type Charset, encodeText, nameOfCharset } from './charsets.ts'
import { cutEscaped, escapeText } from './escapes.ts'
import { isHeader } from './message.ts'
import { encodingCharacters, type Separators, USUAL_SEPARATORS } from './separators.ts'
import { transliterate } from './transliterate.ts'

/** A value of text, which is escaped; undefined is empty, and null is the null of HL7, `""`. */
export type Text = string | number | null | undefined
/** A value that is written as it is, with its separators and escape sequences. */
export interface RawValue {
  raw: string
}
/**
 * A text of which at most `length` characters are written, escape sequences counted as they are.
 */
export interface CutValue {
  text: string
  length: number
}
export type SingleValue = Text | RawValue | CutValue
/** A component; a list has its subcomponents. */
export type ComponentValue = SingleValue | readonly SingleValue[]
/** A field; a list has its components. */
export type FieldValue = SingleValue | readonly ComponentValue[] | RepeatedValue
/** The repetitions of a field. */
export interface RepeatedValue {
  repetitions: readonly (SingleValue | readonly ComponentValue[])[]
}

/** A segment to be written. Positions of fields begin with 1; those without a value are empty. */
export interface NewSegment {
  name: string
  fields: Readonly<Record<number, FieldValue>>
}

export interface WritingOptions {
  /** `|^~\&` unless given. */
  separators?: Separators
  /** ASCII unless given. */
  charset?: Charset
  /** CR unless given, as the standard demands. */
  segmentEnd?: '\r' | '\n' | '\r\n'
  /**
   * Whether characters that the character set lacks are replaced by similar ones (é by e, µ by u)
   * or by `?`. Without it such a text is an error.
   */
  transliterates?: boolean
}

/** A text that cannot be written. Its message has no part of the text, which may be personal. */
export class UnencodableTextError extends Error {
  readonly charset: Charset
  constructor(charset: Charset) {
    super(`The message has a character that the character set ${charset} does not have.`)
    this.name = 'UnencodableTextError'
    this.charset = charset
  }
}

/**
 * Writes a message. MSH-1 and MSH-2 follow from the separators, and MSH-18 from the character set
 * unless a value is given; for ASCII it stays empty, since that is the default of HL7.
 * @throws UnencodableTextError
 */
export function writeMessage(
  segments: readonly NewSegment[],
  options: WritingOptions = {},
): Buffer {
  const { charset = 'us-ascii', segmentEnd = '\r' } = options
  const writer = new Writer(options)
  const text = segments.map((segment) => writer.segment(segment) + segmentEnd).join('')
  const bytes = encodeText(text, charset)
  if (bytes === undefined) throw new UnencodableTextError(charset)
  return bytes
}

class Writer {
  readonly #separators: Separators
  readonly #charset: Charset
  readonly #transliterates: boolean

  constructor(options: WritingOptions) {
    const { separators = USUAL_SEPARATORS, charset = 'us-ascii', transliterates = false } = options
    this.#separators = separators
    this.#charset = charset
    this.#transliterates = transliterates
  }

  segment({ name, fields }: NewSegment): string {
    const values = { ...fields }
    if (name === 'MSH' && values[18] === undefined && this.#charset !== 'us-ascii') {
      values[18] = nameOfCharset(this.#charset)
    }
    const first = isHeader(name) ? 3 : 1
    const last = Math.max(first - 1, ...Object.keys(values).map(Number))
    const texts = [name]
    if (isHeader(name)) texts.push(encodingCharacters(this.#separators))
    for (let position = first; position <= last; position++) {
      texts.push(this.#field(values[position]))
    }
    return join(texts, this.#separators.field)
  }

  #field(value: FieldValue): string {
    if (typeof value === 'object' && value !== null && 'repetitions' in value) {
      const texts = value.repetitions.map((repetition) => this.#field(repetition))
      return texts.join(this.#separators.repetition)
    }
    if (!isList(value)) return this.#text(value)
    const components = value.map((component) =>
      isList(component)
        ? join(
            component.map((text) => this.#text(text)),
            this.#separators.subcomponent,
          )
        : this.#text(component),
    )
    return join(components, this.#separators.component)
  }

  #text(value: SingleValue): string {
    if (value === undefined) return ''
    if (value === null) return '""'
    if (typeof value !== 'object') return this.#escape(String(value))
    if ('raw' in value) return value.raw
    return cutEscaped(this.#escape(value.text), value.length, this.#separators)
  }

  /** Replacing comes first: a character may be replaced by one that is a separator. */
  #escape(text: string): string {
    const written = this.#transliterates ? transliterate(text, this.#charset) : text
    return escapeText(written, this.#separators)
  }
}

const isList = <T, Item>(value: T | readonly Item[]): value is readonly Item[] =>
  Array.isArray(value)

/** Joins texts without the empty ones at the end. */
function join(texts: readonly string[], separator: string): string {
  const last = texts.findLastIndex((text) => text !== '')
  return texts.slice(0, last + 1).join(separator)
}
