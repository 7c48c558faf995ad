import { malformedXml } from '../../files/import-file-error.ts'

const DOUBLE_QUOTE = 34
const SINGLE_QUOTE = 39
const SLASH = 47
const EQUALS = 61
const GREATER_THAN = 62
const SPAN_LENGTH = 5

const ENDS_NAME = new Uint8Array(256)
for (let byte = 0; byte <= 32; byte++) ENDS_NAME[byte] = 1
for (const char of '"&\'/<=>') ENDS_NAME[char.charCodeAt(0)] = 1

/** Bytes that need decoding: entities, UTF-8 and control characters. */
const NEEDS_DECODING = new Uint8Array(256).fill(1)
NEEDS_DECODING.fill(0, 32, 127)
for (const char of '&<') NEEDS_DECODING[char.charCodeAt(0)] = 1

/**
 * One start tag as positions in the bytes, so that nothing is allocated for attributes that are not
 * read. `text` is the same bytes as a string of one character each: a loop over bytes is several
 * times faster than one over characters, but slicing a string costs next to nothing. One instance
 * serves a whole document.
 */
export class XmlTag {
  bytes: Buffer = Buffer.alloc(0)
  text = ''
  /** Offset of the first byte in the document. */
  base = 0
  nameStart = 0
  nameEnd = 0
  selfClosing = false
  attributeCount = 0
  /** Number of leading attributes that equal those of the remembered head byte for byte. */
  headAttributes = 0
  /** Positions relative to the tag's `<`, which keeps those of a remembered head valid. */
  #spans = new Int32Array(SPAN_LENGTH * 32)
  #open = 0
  #head: Buffer = Buffer.alloc(0)
  #headSpans = new Int32Array(0)
  #headNameEnd = 0

  nameStartOf(attribute: number): number {
    return this.#open + (this.#spans[attribute * SPAN_LENGTH] as number)
  }

  nameEndOf(attribute: number): number {
    return this.#open + (this.#spans[attribute * SPAN_LENGTH + 1] as number)
  }

  valueStartOf(attribute: number): number {
    return this.#open + (this.#spans[attribute * SPAN_LENGTH + 2] as number)
  }

  valueEndOf(attribute: number): number {
    return this.#open + (this.#spans[attribute * SPAN_LENGTH + 3] as number)
  }

  /** Whether the value is plain ASCII without entities, so that its bytes are its text. */
  isPlain(attribute: number): boolean {
    return this.#spans[attribute * SPAN_LENGTH + 4] === 0
  }

  /**
   * Remembers the bytes of this tag up to the end of its first attributes. Consecutive records
   * differ only in times and value; one memcmp then replaces reading the 60 % that is the same.
   */
  rememberHead(attributes: number): void {
    const end = this.valueEndOf(attributes - 1) + 1
    this.#head = Buffer.from(this.bytes.subarray(this.#open, end))
    this.#headSpans = this.#spans.slice(0, attributes * SPAN_LENGTH)
    this.#headNameEnd = this.nameEnd - this.#open
  }

  /**
   * Reads the tag whose `<` is at `open`; returns the index after it, or -1 when the bytes end
   * first.
   */
  read(open: number): number {
    const bytes = this.bytes
    this.#open = open
    this.nameStart = open + 1
    let at = this.#readHead(open)
    if (at < 0) {
      at = skipName(bytes, open + 1)
      this.nameEnd = at
    }
    if (at >= bytes.length) return -1
    if (at === open + 1) throw malformedXml(this.base + at)
    for (;;) {
      const end = at
      at = skipSpace(bytes, at)
      if (at >= bytes.length) return -1
      const byte = bytes[at] as number
      if (byte === GREATER_THAN || byte === SLASH) return this.#close(at, byte)
      if (at === end) throw malformedXml(this.base + at)
      at = this.#readAttribute(at)
      if (at < 0) return -1
    }
  }

  /** Returns the index after the remembered head, or -1 when the tag does not begin with it. */
  #readHead(open: number): number {
    const head = this.#head
    const end = open + head.length
    this.attributeCount = 0
    this.headAttributes = 0
    if (head[1] !== this.bytes[open + 1] || end > this.bytes.length) return -1
    if (this.bytes.compare(head, 0, head.length, open, end) !== 0) return -1
    const spans = this.#headSpans
    for (let index = 0; index < spans.length; index++) this.#spans[index] = spans[index] as number
    this.attributeCount = spans.length / SPAN_LENGTH
    this.headAttributes = this.attributeCount
    this.nameEnd = open + this.#headNameEnd
    return end
  }

  #close(at: number, byte: number): number {
    this.selfClosing = byte === SLASH
    if (!this.selfClosing) return at + 1
    if (at + 1 >= this.bytes.length) return -1
    if (this.bytes[at + 1] !== GREATER_THAN) throw malformedXml(this.base + at + 1)
    return at + 2
  }

  #readAttribute(start: number): number {
    const bytes = this.bytes
    const nameEnd = skipName(bytes, start)
    let at = skipSpace(bytes, nameEnd)
    if (at >= bytes.length) return -1
    if (nameEnd === start || bytes[at] !== EQUALS) throw malformedXml(this.base + at)
    at = skipSpace(bytes, at + 1)
    if (at >= bytes.length) return -1
    const quote = bytes[at] as number
    if (quote !== DOUBLE_QUOTE && quote !== SINGLE_QUOTE) throw malformedXml(this.base + at)
    const valueStart = at + 1
    let needsDecoding = 0
    for (at = valueStart; at < bytes.length; at++) {
      const byte = bytes[at] as number
      if (byte === quote) {
        this.#push(start, nameEnd, valueStart, at, needsDecoding)
        return at + 1
      }
      needsDecoding |= NEEDS_DECODING[byte] as number
    }
    return -1
  }

  #push(nameStart: number, nameEnd: number, start: number, end: number, decode: number): void {
    const index = this.attributeCount++ * SPAN_LENGTH
    if (index >= this.#spans.length) {
      const wider = new Int32Array(this.#spans.length * 2)
      wider.set(this.#spans)
      this.#spans = wider
    }
    const spans = this.#spans
    const open = this.#open
    spans[index] = nameStart - open
    spans[index + 1] = nameEnd - open
    spans[index + 2] = start - open
    spans[index + 3] = end - open
    spans[index + 4] = decode
  }
}

function skipName(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && ENDS_NAME[bytes[at] as number] === 0) at++
  return at
}

export function isXmlSpace(byte: number | undefined): boolean {
  return byte === 32 || byte === 10 || byte === 9 || byte === 13
}

function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (at < bytes.length && isXmlSpace(bytes[at])) at++
  return at
}

/** Whether `bytes` has `expected` at `start`. */
export function startsWithBytes(bytes: Uint8Array, start: number, expected: Uint8Array): boolean {
  for (let index = 0; index < expected.length; index++) {
    if (bytes[start + index] !== expected[index]) return false
  }
  return true
}
