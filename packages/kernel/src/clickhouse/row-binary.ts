const FLOAT_BYTES = 8

/**
 * Reads values of ClickHouse's RowBinary format one after the other; the caller knows the types.
 */
export class RowBinaryReader {
  readonly #bytes: Buffer
  /** Numbers of arrays are copied, because an array of them must begin at a multiple of eight. */
  readonly #numbers: Float64Array
  readonly #copy: Uint8Array
  #copied = 0
  #position = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
    this.#numbers = new Float64Array(Math.floor(bytes.byteLength / FLOAT_BYTES))
    this.#copy = new Uint8Array(this.#numbers.buffer)
  }

  get isAtEnd(): boolean {
    return this.#position >= this.#bytes.length
  }

  readLength(): number {
    let length = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = this.#bytes.readUInt8(this.#position++)
      length += (byte & 0x7f) * factor
      if (byte < 0x80) return length
    }
  }

  /** Reads a String. */
  readText(): string {
    const length = this.readLength()
    this.#position += length
    return this.#bytes.toString('utf8', this.#position - length, this.#position)
  }

  /** Reads a Float64. */
  readNumber(): number {
    this.#position += FLOAT_BYTES
    return this.#bytes.readDoubleLE(this.#position - FLOAT_BYTES)
  }

  /** Reads an Array(String). */
  readTexts(): string[] {
    return Array.from({ length: this.readLength() }, () => this.readText())
  }

  /** Reads an Array(Float64). */
  readNumbers(): Float64Array {
    const length = this.readLength()
    const end = this.#position + length * FLOAT_BYTES
    this.#copy.set(this.#bytes.subarray(this.#position, end), this.#copied * FLOAT_BYTES)
    this.#position = end
    this.#copied += length
    return this.#numbers.subarray(this.#copied - length, this.#copied)
  }
}
