import { JSON_LIMITS, overLimit } from './json-limits.ts'

/** A list outside of any other list, by the positions of its bytes. */
export interface OuterList {
  /** Position after the opening bracket, and of the closing one. */
  start: number
  end: number
  /**
   * Positions of commas between entries, where it can be cut into pieces that are parsed one by
   * one.
   */
  cuts: number[]
}

const [QUOTE, BACKSLASH, COMMA] = [34, 92, 44]
const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT, CLOSE_OBJECT] = [91, 93, 123, 125]

/**
 * Counts the parts of a JSON text without building values, so that a text that would exhaust the
 * process is refused before it is parsed. The parser decides whether it is JSON: the scanner only
 * distinguishes strings from what is outside of them.
 */
export class JsonScanner {
  /** Lists that are long enough to be cut. */
  readonly lists: OuterList[] = []
  /** A list was closed by the bracket of an object. */
  isMismatched = false
  readonly #bytes: Buffer
  readonly #pieceBytes: number
  readonly #limits: typeof JSON_LIMITS
  #at = 0
  #isInString = false
  #depth = 0
  /** By depth: whether it is a list, and the number of commas so far. */
  readonly #isList = new Uint8Array(JSON_LIMITS.depth + 2)
  readonly #commas = new Int32Array(JSON_LIMITS.depth + 2)
  #containers = 0
  #values = 0
  /** Depth of the open outer list; larger than any depth where none is open. */
  #outerDepth = Number.MAX_SAFE_INTEGER
  #outer: OuterList = { start: 0, end: 0, cuts: [] }
  #itemStart = 0
  #pieceStart = 0

  /** @param pieceBytes Bytes of a list after which it may be cut. */
  constructor(bytes: Buffer, pieceBytes: number, limits = JSON_LIMITS) {
    this.#bytes = bytes
    this.#limits = limits
    this.#pieceBytes = pieceBytes
  }

  /**
   * Scans about this many bytes; returns false at the end.
   * @throws AppError 413 or 422 for a text over a limit.
   */
  scan(count: number): boolean {
    const bytes = this.#bytes
    const end = Math.min(bytes.length, this.#at + count)
    let at = this.#at
    if (this.#isInString) at = this.#skipString(at, end)
    // Ends where a string continues in the next part to be scanned.
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) at = this.#skipString(at + 1, end) - 1
      else if (byte === COMMA) this.#addComma(at)
      else if (byte === OPEN_OBJECT || byte === OPEN_LIST) this.#open(at, byte === OPEN_LIST)
      else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) this.#close(at, byte === CLOSE_LIST)
    }
    this.#at = at
    return at < bytes.length
  }

  /** Returns the position after the quote that ends a string, or `end` when it continues there. */
  #skipString(from: number, end: number): number {
    const bytes = this.#bytes
    let at = from
    for (; at < end; at++) {
      const byte = bytes[at]
      if (byte === QUOTE) {
        this.#isInString = false
        return at + 1
      }
      if (byte === BACKSLASH) at++
    }
    this.#isInString = true
    return at
  }

  #addComma(at: number): void {
    const depth = this.#depth
    const commas = (this.#commas[depth] ?? 0) + 1
    this.#commas[depth] = commas
    if (this.#isList[depth] === 1) {
      if (commas >= this.#limits.listEntries) throw overLimit('listEntries')
    } else if (commas >= this.#limits.objectKeys) throw overLimit('objectKeys')
    if (++this.#values > this.#limits.values) throw overLimit('values')
    if (depth !== this.#outerDepth) return
    this.#endItem(at)
    if (at - this.#pieceStart < this.#pieceBytes) return
    this.#outer.cuts.push(at)
    this.#pieceStart = at + 1
  }

  #open(at: number, isList: boolean): void {
    const depth = ++this.#depth
    if (depth > this.#limits.depth) throw overLimit('depth')
    if (++this.#containers > this.#limits.containers) throw overLimit('containers')
    this.#isList[depth] = isList ? 1 : 0
    this.#commas[depth] = 0
    if (!isList || depth > this.#outerDepth) return
    this.#outerDepth = depth
    this.#outer = { start: at + 1, end: at + 1, cuts: [] }
    this.#itemStart = at + 1
    this.#pieceStart = at + 1
  }

  #close(at: number, isList: boolean): void {
    const depth = this.#depth
    if (depth === this.#outerDepth) {
      this.#endItem(at)
      this.#outerDepth = Number.MAX_SAFE_INTEGER
      this.#outer.end = at
      if (!isList) this.isMismatched = true
      if (this.#outer.cuts.length > 0) this.lists.push(this.#outer)
    }
    // The parser reports too many closing brackets.
    this.#depth = Math.max(depth - 1, 0)
  }

  #endItem(at: number): void {
    if (at - this.#itemStart > this.#limits.itemBytes) throw overLimit('itemBytes')
    this.#itemStart = at + 1
  }
}
