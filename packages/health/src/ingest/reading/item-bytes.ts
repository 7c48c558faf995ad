import { parseDate, startOfUtcDay } from '@salus/kernel/time/instants'

/** Bytes of JSON that are read without a parser, where it is sure what one would make of them. */

export const [QUOTE, COMMA, COLON] = [34, 44, 58]
export const [OPEN_LIST, CLOSE_LIST, OPEN_OBJECT] = [91, 93, 123]
const [BACKSLASH, CLOSE_OBJECT] = [92, 125]
const [PLUS, MINUS, DOT, ZERO, UPPER_T, UPPER_Z, SPACE] = [43, 45, 46, 48, 84, 90, 32]

/** Objects and lists within each other in one item; a deeper one is left to the parser. */
const MOST_DEPTH = 16

const isSpace = (byte: number | undefined): boolean =>
  byte === 32 || byte === 10 || byte === 13 || byte === 9

/** Returns the position of the first byte that is no white space. */
export function skipSpace(bytes: Uint8Array, start: number): number {
  let at = start
  while (isSpace(bytes[at])) at += 1
  return at
}

/**
 * Returns the position after a value, or -1 where it does not end before a position. The parser
 * decides whether it is JSON.
 */
export function endOfValue(bytes: Uint8Array, start: number, limit: number): number {
  let depth = 0
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) {
      at = endOfString(bytes, at + 1, limit)
      if (at === -1 || depth === 0) return at === -1 ? -1 : at + 1
    } else if (byte === OPEN_OBJECT || byte === OPEN_LIST) {
      depth += 1
      if (depth > MOST_DEPTH) return -1
    } else if (byte === CLOSE_OBJECT || byte === CLOSE_LIST) {
      if (depth <= 1) return depth === 1 ? at + 1 : at
      depth -= 1
    } else if (depth === 0 && (byte === COMMA || isSpace(byte))) return at
  }
  return -1
}

/** Returns the position of the quote that ends a string, or -1. */
export function endOfString(bytes: Uint8Array, start: number, limit: number): number {
  for (let at = start; at < limit; at++) {
    const byte = bytes[at]
    if (byte === QUOTE) return at
    if (byte === BACKSLASH) at += 1
  }
  return -1
}

/** Reads the parts of an item that vary, one after the other. */
export class ItemReader {
  readonly #bytes: Uint8Array
  readonly #view: DataView
  /** Position after what was read last. */
  at = 0
  /** The last number, or the last instant as epoch milliseconds. */
  number = 0
  /** Offset that the last instant names in seconds; NaN for none. */
  offsetSeconds = Number.NaN
  /** First and last four bytes of the last day, and its first millisecond. */
  #dayStart = 0
  #dayMiddle = 0
  #dayEnd = 0
  #dayMilliseconds = Number.NaN

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  /** Reads these bytes; returns false where there are others. */
  readLiteral(literal: Literal): boolean {
    const { words, rest, length } = literal
    let at = this.at
    if (at + length > this.#bytes.length) return false
    for (let index = 0; index < words.length; index++, at += 4) {
      if (this.#view.getInt32(at, true) !== words[index]) return false
    }
    for (let index = 0; index < rest.length; index++, at++) {
      if (this.#bytes[at] !== rest[index]) return false
    }
    this.at = at
    return true
  }

  /** Reads a number whose digits make it exactly; returns false for any other. */
  readNumber(): boolean {
    const bytes = this.#bytes
    let at = this.at
    const isNegative = bytes[at] === MINUS
    if (isNegative) at += 1
    const first = at
    let digits = 0
    let byte = bytes[at] as number
    for (; byte >= ZERO && byte <= 57; byte = bytes[++at] as number)
      digits = digits * 10 + byte - ZERO
    const whole = at - first
    if (whole === 0 || (whole > 1 && bytes[first] === ZERO)) return false
    let decimals = 0
    if (byte === DOT) {
      byte = bytes[++at] as number
      const point = at
      for (; byte >= ZERO && byte <= 57; byte = bytes[++at] as number) {
        digits = digits * 10 + byte - ZERO
      }
      decimals = at - point
      if (decimals === 0) return false
    }
    // Up to here the digits and the power of ten are exact, and so is the nearest quotient.
    if (whole + decimals > MOST_DIGITS || (isNegative && digits === 0)) return false
    const value = decimals === 0 ? digits : digits / (POWERS[decimals] as number)
    this.number = isNegative ? -value : value
    this.at = at
    return true
  }

  /** Reads a short text up to its quote; returns false where the parser would have to read it. */
  readText(): boolean {
    const bytes = this.#bytes
    const limit = Math.min(bytes.length, this.at + MOST_TEXT_BYTES)
    for (let at = this.at; at < limit; at++) {
      const byte = bytes[at] as number
      if (byte === QUOTE) {
        this.at = at
        return true
      }
      if (byte === BACKSLASH || byte < SPACE) return false
    }
    return false
  }

  /**
   * Reads an instant in one of the forms that parseInstant takes without a pattern, up to its
   * quote; returns false for any other text.
   */
  readInstant(): boolean {
    const bytes = this.#bytes
    const { at } = this
    if (at + DAY_BYTES > bytes.length || !this.#readDay(at)) return false
    if (bytes[at + 10] !== UPPER_T && bytes[at + 10] !== SPACE) return false
    if (bytes[at + 13] !== COLON || bytes[at + 16] !== COLON) return false
    const [hours, minutes, seconds] = [
      this.#pair(at + 11),
      this.#pair(at + 14),
      this.#pair(at + 17),
    ]
    // Comparisons with NaN, which stands for a missing digit, are false.
    if (!(hours < 24 && minutes < 60 && seconds < 60)) return false
    let zoneAt = at + 19
    let milliseconds = ((hours * 60 + minutes) * 60 + seconds) * 1000
    if (bytes[zoneAt] === DOT) {
      const last = (bytes[zoneAt + 3] as number) - ZERO
      const fraction = this.#pair(zoneAt + 1) * 10 + last
      if (!(fraction >= 0 && last >= 0 && last <= 9)) return false
      milliseconds += fraction
      zoneAt += 4
    }
    this.number = this.#dayMilliseconds + milliseconds
    return this.#readZone(zoneAt)
  }

  #readZone(at: number): boolean {
    const sign = this.#bytes[at]
    this.offsetSeconds = Number.NaN
    if (sign === QUOTE || sign === UPPER_Z) {
      this.at = sign === QUOTE ? at : at + 1
      return this.#bytes[this.at] === QUOTE
    }
    if (sign !== PLUS && sign !== MINUS) return false
    const [hours, minutes] = [this.#pair(at + 1), this.#pair(at + 4)]
    if (!(hours < 24 && minutes < 60) || this.#bytes[at + 3] !== COLON) return false
    const seconds = (hours * 60 + minutes) * 60
    this.number -= (sign === PLUS ? seconds : -seconds) * 1000
    if (seconds !== 0 || sign === PLUS) this.offsetSeconds = sign === PLUS ? seconds : -seconds
    this.at = at + 6
    return this.#bytes[this.at] === QUOTE
  }

  /** Instants come in runs of one day. */
  #readDay(at: number): boolean {
    const view = this.#view
    const [start, middle, end] = [view.getInt32(at), view.getInt32(at + 4), view.getInt16(at + 8)]
    const isSame = start === this.#dayStart && middle === this.#dayMiddle && end === this.#dayEnd
    if (isSame) return !Number.isNaN(this.#dayMilliseconds)
    const text = String.fromCharCode(...this.#bytes.subarray(at, at + DAY_BYTES))
    this.#dayStart = start
    this.#dayMiddle = middle
    this.#dayEnd = end
    // A date with slashes is another text than its normal form.
    this.#dayMilliseconds = parseDate(text) === text ? startOfUtcDay(text) : Number.NaN
    return !Number.isNaN(this.#dayMilliseconds)
  }

  #pair(at: number): number {
    const tens = (this.#bytes[at] as number) - ZERO
    const ones = (this.#bytes[at + 1] as number) - ZERO
    return tens >= 0 && tens <= 9 && ones >= 0 && ones <= 9 ? tens * 10 + ones : Number.NaN
  }
}

/** Digits of a whole number that is always exact. */
const MOST_DIGITS = 15
const POWERS = Array.from({ length: MOST_DIGITS + 1 }, (_, power) => 10 ** power)

/** Ids have some dozen. */
const MOST_TEXT_BYTES = 256

const DAY_BYTES = 'YYYY-MM-DD'.length

/** Bytes to compare with, four at a time. */
export interface Literal {
  words: Int32Array
  rest: Uint8Array
  length: number
}

export function toLiteral(bytes: Uint8Array): Literal {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const words = Int32Array.from({ length: bytes.length >> 2 }, (_, index) =>
    view.getInt32(index * 4, true),
  )
  return { words, rest: bytes.slice(words.length * 4), length: bytes.length }
}
