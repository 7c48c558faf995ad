import { malformedXml } from '../../files/import-file-error.ts'
import { isXmlSpace, startsWithBytes, XmlTag } from './xml-tag.ts'

/** Apple's longest tags have a few hundred bytes, its document type about 10 kB. */
const MAX_TOKEN_BYTES = 1 << 20
const MAX_DEPTH = 64
/** Small enough for the processor's cache, and for slices not to retain much of the file. */
const MAX_TEXT_BYTES = 1 << 16
const MARKERS = ['<!--', '<![CDATA[', '<!DOCTYPE']
/** Optional byte order mark at the start of the document. */
const MARK = [0xef, 0xbb, 0xbf]
const EXCLAMATION_MARK = 33
const SLASH = 47
const LESS_THAN = 60
const QUESTION_MARK = 63
const EMPTY = Buffer.alloc(0)

interface XmlTagHandler {
  /**
   * `depth` counts the open ancestors; `name` has its UTF-8 bytes as one character each. The tag
   * may only be read during the call.
   */
  onOpenTag(tag: XmlTag, name: string, depth: number): void
  /** Also called for self-closing tags. `depth` is that of the closed tag. */
  onCloseTag(depth: number): void
}

/**
 * Finds the tags of an XML document that arrives in arbitrary chunks. Text, comments, CDATA and
 * processing instructions are skipped; entities declared in the document type are never expanded.
 * The bytes are scanned as one character each (all markup is ASCII, whatever UTF-8 is between): a
 * chunk border then never splits a character, offsets are exact, and V8's one-byte strings make the
 * search for a quote a memchr. Values are decoded on demand. Throws ImportFileError malformed_xml
 * after all tags before the fault were delivered.
 */
export class XmlTokenizer {
  readonly #handler: XmlTagHandler
  readonly #tag = new XmlTag()
  readonly #elementNames: { name: string; bytes: Uint8Array }[][] = []
  readonly #open: string[] = []
  #rest: Buffer = EMPTY
  #skipUntil: string | undefined
  #rootClosed = false

  /** `elementNames` are the frequent names; others cost an allocation each. */
  constructor(handler: XmlTagHandler, elementNames: string[]) {
    this.#handler = handler
    for (const name of elementNames) {
      const bytes = new Uint8Array(Buffer.from(name))
      this.#elementNames[name.length] ??= []
      this.#elementNames[name.length]?.push({ name, bytes })
    }
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    for (let from = 0; from < bytes.length; from += MAX_TEXT_BYTES) {
      this.#scan(bytes.subarray(from, from + MAX_TEXT_BYTES))
    }
  }

  /** Ends the document; throws when it is incomplete. */
  end(): void {
    const complete = this.#rootClosed && this.#rest.length === 0 && this.#skipUntil === undefined
    if (!complete) throw malformedXml(this.#tag.base + this.#rest.length)
  }

  #scan(bytes: Buffer): void {
    const tag = this.#tag
    const joined = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes])
    tag.bytes = joined
    tag.text = joined.toString('latin1')
    let at = 0
    while (at < joined.length) {
      const next = this.#step(at)
      if (next === at) break
      at = next
    }
    tag.base += at
    tag.text = ''
    // A copy, because the chunk belongs to the caller and may be large.
    this.#rest = at === joined.length ? EMPTY : Buffer.from(joined.subarray(at))
    if (this.#rest.length > MAX_TOKEN_BYTES) throw malformedXml(tag.base)
  }

  /** Returns the index after the token at `at`, or `at` itself when the token is incomplete. */
  #step(at: number): number {
    const { bytes } = this.#tag
    if (this.#skipUntil !== undefined) return this.#skip(at, this.#skipUntil)
    if (bytes[at] !== LESS_THAN) return this.#skipText(at)
    if (at + 1 === bytes.length) return at
    switch (bytes[at + 1]) {
      case SLASH:
        return this.#closeTag(at)
      case EXCLAMATION_MARK:
        return this.#declaration(at)
      case QUESTION_MARK:
        this.#skipUntil = '?>'
        return at + 2
      default:
        return this.#openTag(at)
    }
  }

  #skip(at: number, terminator: string): number {
    const text = this.#tag.text
    const found = text.indexOf(terminator, at)
    if (found < 0) return Math.max(at, text.length - terminator.length + 1)
    this.#skipUntil = undefined
    return found + terminator.length
  }

  #skipText(at: number): number {
    const { bytes, base } = this.#tag
    const insideRoot = this.#open.length > 0
    let end = at
    for (; end < bytes.length && bytes[end] !== LESS_THAN; end++) {
      const allowed = insideRoot || isXmlSpace(bytes[end]) || bytes[end] === MARK[base + end]
      if (!allowed) throw malformedXml(base + end)
    }
    return end
  }

  #declaration(at: number): number {
    const text = this.#tag.text
    if (text.startsWith('<!--', at)) {
      this.#skipUntil = '-->'
      return at + '<!--'.length
    }
    if (this.#open.length > 0 && text.startsWith('<![CDATA[', at)) {
      this.#skipUntil = ']]>'
      return at + '<![CDATA['.length
    }
    const beforeRoot = this.#open.length === 0 && !this.#rootClosed
    if (beforeRoot && text.startsWith('<!DOCTYPE', at)) return skipDocumentType(text, at)
    const start = text.slice(at, at + '<!DOCTYPE'.length)
    const undecided = MARKERS.some((marker) => marker !== start && marker.startsWith(start))
    if (undecided && at + start.length === text.length) return at
    throw malformedXml(this.#tag.base + at)
  }

  #openTag(at: number): number {
    const tag = this.#tag
    const depth = this.#open.length
    if (this.#rootClosed || depth >= MAX_DEPTH) throw malformedXml(tag.base + at)
    const end = tag.read(at)
    if (end < 0) return at
    const name = this.#nameOf(tag)
    this.#handler.onOpenTag(tag, name, depth)
    if (!tag.selfClosing) this.#open.push(name)
    else this.#closed(depth)
    return end
  }

  #closeTag(at: number): number {
    const { text, bytes } = this.#tag
    const end = text.indexOf('>', at)
    if (end < 0) return at
    const name = this.#open.pop()
    let nameEnd = end
    while (isXmlSpace(bytes[nameEnd - 1])) nameEnd--
    const matches = name?.length === nameEnd - at - 2 && text.startsWith(name, at + 2)
    if (!matches) throw malformedXml(this.#tag.base + at)
    this.#closed(this.#open.length)
    return end + 1
  }

  #closed(depth: number): void {
    this.#rootClosed = depth === 0
    this.#handler.onCloseTag(depth)
  }

  #nameOf(tag: XmlTag): string {
    const known = this.#elementNames[tag.nameEnd - tag.nameStart]
    if (known !== undefined) {
      for (const { name, bytes } of known) {
        if (startsWithBytes(tag.bytes, tag.nameStart, bytes)) return name
      }
    }
    return Buffer.from(tag.text.slice(tag.nameStart, tag.nameEnd), 'latin1').toString('latin1')
  }
}

/** Apple's internal subset has `>` and apostrophes in comments, so it is parsed in parts. */
function skipDocumentType(text: string, start: number): number {
  let inSubset = false
  for (let at = start + '<!DOCTYPE'.length; at < text.length; at++) {
    const char = text[at] as string
    let close = at
    if (char === '"' || char === "'") close = text.indexOf(char, at + 1)
    else if (text.startsWith('<!--', at)) close = text.indexOf('-->', at + 4)
    else if (text.startsWith('<?', at)) close = text.indexOf('?>', at + 2)
    else if (char === '[') inSubset = true
    else if (char === ']') inSubset = false
    else if (char === '>' && !inSubset) return at + 1
    if (close < 0) return start
    at = close
  }
  return start
}
