const ZERO = 48
/** Numbers below this are written digit by digit when they are whole. */
const DIGITS_TO = 1e9
const MOST_DIGITS = 10

/**
 * UTF-8 text that is written piece by piece. Texts of JavaScript that are put together from many
 * short ones cost many times as much.
 */
export class ByteText {
  protected bytes: Buffer
  protected end = 0

  constructor(capacity = 4_096) {
    this.bytes = Buffer.allocUnsafe(capacity)
  }

  get length(): number {
    return this.end
  }

  /** Returns the bytes, which stay in the same memory. */
  finish(): Buffer {
    return this.bytes.subarray(0, this.end)
  }

  addByte(byte: number): void {
    this.reserve(1)
    this.bytes[this.end++] = byte
  }

  addBytes(bytes: Uint8Array): void {
    this.reserve(bytes.length)
    this.bytes.set(bytes, this.end)
    this.end += bytes.length
  }

  addText(text: string): void {
    this.reserve(text.length * 3)
    this.end += this.bytes.write(text, this.end)
  }

  /** Adds a number as JavaScript writes it in a template. */
  addNumber(value: number): void {
    if (!(Number.isInteger(value) && value >= 0 && value < DIGITS_TO)) {
      this.addText(String(value))
      return
    }
    let digits = 1
    for (let least = 10; value >= least; least *= 10) digits += 1
    this.addDigits(value, digits)
  }

  /** Adds a whole number below a billion with so many digits, the first of which may be 0. */
  addDigits(value: number, digits: number): void {
    this.reserve(MOST_DIGITS)
    let rest = value | 0
    for (let at = this.end + digits - 1; at >= this.end; at--) {
      const next = (rest / 10) | 0
      this.bytes[at] = ZERO + rest - next * 10
      rest = next
    }
    this.end += digits
  }

  /** Adds a length as binary formats of ClickHouse have it: seven bits a byte, the lowest first. */
  addLength(length: number): void {
    let rest = length
    for (; rest >= 128; rest = Math.floor(rest / 128)) this.addByte((rest % 128) + 128)
    this.addByte(rest)
  }

  /** Adds a copy of the bytes between two positions. */
  addCopy(from: number, to: number): void {
    this.reserve(to - from)
    this.bytes.copyWithin(this.end, from, to)
    this.end += to - from
  }

  /** Makes room for so many bytes. */
  protected reserve(count: number): void {
    if (this.end + count <= this.bytes.length) return
    const larger = Buffer.allocUnsafe(2 * (this.end + count))
    this.bytes.copy(larger, 0, 0, this.end)
    this.bytes = larger
  }
}
