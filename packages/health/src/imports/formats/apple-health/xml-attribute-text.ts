import { malformedXml } from '../../files/import-file-error.ts'
import { startsWithBytes, type XmlTag } from './xml-tag.ts'

const MAX_INTERNED_VALUES = 1024
const MAX_INTERNED_LENGTH = 1024
const NAMED_ENTITIES = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
])
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what it looks for
const UNSTORABLE = /[\x00-\x08\x0b\x0c\x0e-\x1f]/g

/**
 * Decodes the value of an attribute: UTF-8, entities, and line breaks to spaces as XML requires.
 * Invalid UTF-8 and control characters, both found in real exports, become U+FFFD: one bad byte in
 * a device name must not cost years of data. An unknown entity or a `<` throws malformed_xml.
 */
export function decodeAttribute(tag: XmlTag, attribute: number): string {
  const start = tag.valueStartOf(attribute)
  const end = tag.valueEndOf(attribute)
  return tag.isPlain(attribute) ? tag.text.slice(start, end) : decodeSlowly(tag, start, end)
}

function decodeSlowly(tag: XmlTag, start: number, end: number): string {
  const raw = tag.text.slice(start, end)
  const lessThan = raw.indexOf('<')
  if (lessThan >= 0) throw malformedXml(tag.base + start + lessThan)
  let decoded = ''
  let from = 0
  for (let at = raw.indexOf('&'); at >= 0; at = raw.indexOf('&', from)) {
    const semicolon = raw.indexOf(';', at)
    const char = semicolon < 0 ? undefined : decodeEntity(raw.slice(at + 1, semicolon))
    if (char === undefined) throw malformedXml(tag.base + start + at)
    decoded += fromUtf8(raw.slice(from, at)) + char
    from = semicolon + 1
  }
  return decoded + fromUtf8(raw.slice(from))
}

/** Decodes UTF-8 bytes that are stored as one character each. */
export function fromUtf8(raw: string): string {
  const text = Buffer.from(raw, 'latin1').toString('utf8')
  return text
    .replaceAll('\r\n', ' ')
    .replace(/[\t\n\r]/g, ' ')
    .replace(UNSTORABLE, '\ufffd')
}

function decodeEntity(name: string): string | undefined {
  const named = NAMED_ENTITIES.get(name)
  if (named !== undefined) return named
  const digits = /^#(?:x([0-9a-fA-F]{1,6})|([0-9]{1,7}))$/.exec(name)
  if (!digits) return undefined
  const code = digits[1] ? Number.parseInt(digits[1], 16) : Number(digits[2])
  return isXmlChar(code) ? String.fromCodePoint(code) : undefined
}

function isXmlChar(code: number): boolean {
  if (code < 32) return code === 9 || code === 10 || code === 13
  return (
    code <= 0xd7ff || (code >= 0xe000 && code <= 0xfffd) || (code >= 0x10000 && code <= 0x10ffff)
  )
}

/**
 * Decodes the values of an attribute with few different ones (type, unit, source, device) and
 * returns the same string for the same bytes. Keys and values are copies: a slice would keep the
 * whole chunk alive.
 */
export class AttributeInterner {
  #lastRaw: Uint8Array = new Uint8Array(0)
  #lastValue = ''
  readonly #values = new Map<string, { raw: Uint8Array; value: string }>()

  read(tag: XmlTag, attribute: number): string {
    const start = tag.valueStartOf(attribute)
    const length = tag.valueEndOf(attribute) - start
    if (length === this.#lastRaw.length && startsWithBytes(tag.bytes, start, this.#lastRaw)) {
      return this.#lastValue
    }
    if (length > MAX_INTERNED_LENGTH) return decodeAttribute(tag, attribute)
    const raw = tag.text.slice(start, start + length)
    const { raw: bytes, value } = this.#values.get(raw) ?? this.#add(tag, attribute, raw)
    this.#lastRaw = bytes
    this.#lastValue = value
    return value
  }

  #add(tag: XmlTag, attribute: number, slice: string): { raw: Uint8Array; value: string } {
    const value = Buffer.from(decodeAttribute(tag, attribute), 'utf8').toString('utf8')
    const raw = Buffer.from(slice, 'latin1')
    const entry = { raw, value }
    if (this.#values.size >= MAX_INTERNED_VALUES) this.#values.clear()
    this.#values.set(raw.toString('latin1'), entry)
    return entry
  }
}
