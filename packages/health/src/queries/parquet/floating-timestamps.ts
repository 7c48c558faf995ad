/** Types of values in Thrift's compact protocol, the format of the footer of a Parquet file. */
const TRUE = 1
const FALSE = 2
const BYTE = 3
const I64 = 6
const DOUBLE = 7
const BINARY = 8
const SET = 10
const STRUCT = 12

/** Field ids on the way to the flag (parquet.thrift): FileMetaData, SchemaElement, LogicalType. */
const SCHEMA_FIELD = 2
const LOGICAL_TYPE_FIELD = 10
const TIMESTAMP_FIELD = 8
const IS_ADJUSTED_FIELD = 1

/** A footer is followed by its length, 4 bytes, and by PAR1. */
const TAIL_BYTES = 8
const MAGIC = 'PAR1'

/**
 * Marks the timestamps of a Parquet file as local times without a zone (`isAdjustedToUTC = false`),
 * which the engine cannot write. The flag is the type of its field, in one byte, so nothing moves;
 * the older mark TIMESTAMP_MILLIS beside it is valid for both.
 * @param file A whole file; changed in place.
 */
export function setTimestampsFloating(file: Uint8Array): void {
  const footer = readFooter(file)
  for (const field of footer.fields()) {
    if (field.id !== SCHEMA_FIELD) footer.skip(field.kind)
    else for (const _element of footer.items()) setElementFloating(footer)
    if (field.id >= SCHEMA_FIELD) return
  }
}

function setElementFloating(footer: CompactReader): void {
  for (const field of footer.fields()) {
    if (field.id !== LOGICAL_TYPE_FIELD) footer.skip(field.kind)
    else for (const type of footer.fields()) setTypeFloating(footer, type)
  }
}

function setTypeFloating(footer: CompactReader, type: CompactField): void {
  if (type.id !== TIMESTAMP_FIELD) {
    footer.skip(type.kind)
    return
  }
  for (const field of footer.fields()) {
    if (field.id === IS_ADJUSTED_FIELD && field.kind === TRUE) footer.setKind(field, FALSE)
    footer.skip(field.kind)
  }
}

function readFooter(file: Uint8Array): CompactReader {
  const tail = Buffer.from(file.buffer, file.byteOffset + file.byteLength - TAIL_BYTES, TAIL_BYTES)
  if (tail.toString('latin1', 4) !== MAGIC) throw new Error('The file is not a Parquet file.')
  return new CompactReader(file, file.byteLength - TAIL_BYTES - tail.readUInt32LE(0))
}

interface CompactField {
  id: number
  kind: number
  /** Index of the byte with the type. */
  index: number
}

/** Iterates over Thrift's compact protocol; every field and item must be read or skipped. */
class CompactReader {
  readonly #bytes: Uint8Array
  #index: number

  constructor(bytes: Uint8Array, start: number) {
    this.#bytes = bytes
    this.#index = start
  }

  /** Yields the fields of a struct that begins here. */
  *fields(): Generator<CompactField> {
    let id = 0
    for (;;) {
      const index = this.#index
      const head = this.#byte()
      if (head === 0) return
      id = head >> 4 === 0 ? this.#zigZag() : id + (head >> 4)
      yield { id, kind: head & 0x0f, index }
    }
  }

  /** Yields the type of each item of a list that begins here. */
  *items(): Generator<number> {
    const head = this.#byte()
    const size = head >> 4 === 15 ? this.#varInt() : head >> 4
    for (let left = size; left > 0; left--) yield head & 0x0f
  }

  setKind(field: CompactField, kind: number): void {
    this.#bytes[field.index] = ((this.#bytes[field.index] as number) & 0xf0) | kind
  }

  /** Skips the value of a field; a boolean has its value in its type. */
  skip(kind: number): void {
    if (kind !== TRUE && kind !== FALSE) this.#skipItem(kind)
  }

  /** Skips an item of a list, where a boolean has a byte. */
  #skipItem(kind: number): void {
    if (kind <= BYTE) this.#skipBytes(1)
    else if (kind <= I64) this.#varInt()
    else if (kind === DOUBLE) this.#skipBytes(8)
    else if (kind === BINARY) this.#skipBytes(this.#varInt())
    else if (kind <= SET) for (const item of this.items()) this.#skipItem(item)
    else if (kind === STRUCT) for (const field of this.fields()) this.skip(field.kind)
    else throw new Error('Unknown type in the footer of the Parquet file.')
  }

  #skipBytes(count: number): void {
    this.#index += count
  }

  #byte(): number {
    const byte = this.#bytes[this.#index++]
    if (byte === undefined) throw new Error('The footer of the Parquet file ends too early.')
    return byte
  }

  /** Exact to 2^53; the values used here are far smaller, and the rest is only skipped. */
  #varInt(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.#byte()
      value += (byte & 0x7f) * scale
      if (byte < 0x80) return value
    }
  }

  #zigZag(): number {
    const value = this.#varInt()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}
