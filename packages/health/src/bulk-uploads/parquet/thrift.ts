import { badRequest } from '@salus/kernel/errors'

/** Creates the error of a file that cannot be read. */
export const invalidParquet = (message: string, extra?: Record<string, unknown>) =>
  badRequest('invalid_parquet', message, extra)

/** Thrown for bytes that are no Parquet, also when they only end too early. */
export const DAMAGED = invalidParquet('The body is not a whole Parquet file, or it is damaged.')

/** A value of Thrift: structures are lists by the number of their fields. */
export type Thrift = number | boolean | Buffer | readonly (Thrift | undefined)[]

const MOST_DEPTH = 16
const MOST_FIELD = 64
/** A varint of 64 bits. */
const MOST_VARINT_BYTES = 10

/** Types of the compact protocol. */
const [STOP, TRUE, FALSE, BYTE, I16, I32, I64] = [0, 1, 2, 3, 4, 5, 6]
const [DOUBLE, BINARY, LIST, STRUCT] = [7, 8, 9, 12]

/**
 * Reads the compact protocol of Thrift, in which Parquet writes its footer and page headers. The
 * bytes come from a client: time and memory are proportional to them, whatever they are.
 */
export class ThriftReader {
  readonly #bytes: Buffer
  offset = 0

  constructor(bytes: Buffer) {
    this.#bytes = bytes
  }

  /** @throws AppError 400 for anything that is no structure */
  readStruct(depth = 0): (Thrift | undefined)[] {
    if (depth > MOST_DEPTH) throw DAMAGED
    const fields: (Thrift | undefined)[] = []
    for (let id = 0; ; ) {
      const head = this.#byte()
      if ((head & 15) === STOP) return fields
      id = head >> 4 === 0 ? this.#zigzag() : id + (head >> 4)
      const value = this.#value(head & 15, depth)
      if (id >= 0 && id <= MOST_FIELD) fields[id] = value
    }
  }

  #value(type: number, depth: number): Thrift {
    if (type === TRUE || type === FALSE) return type === TRUE
    if (type === BYTE) return this.#byte()
    if (type === I16 || type === I32 || type === I64) return this.#zigzag()
    if (type === STRUCT) return this.readStruct(depth + 1)
    if (type === DOUBLE) return this.#take(8).readDoubleLE()
    if (type === BINARY) return this.#take(this.#varint())
    if (type === LIST) return this.#list(depth + 1)
    throw DAMAGED
  }

  #list(depth: number): Thrift[] {
    if (depth > MOST_DEPTH) throw DAMAGED
    const head = this.#byte()
    const count = head >> 4 === 15 ? this.#varint() : head >> 4
    const type = head & 15
    // Each entry has at least a byte.
    if (count > this.#bytes.length - this.offset) throw DAMAGED
    const isBoolean = type === TRUE || type === FALSE
    return Array.from({ length: count }, () => this.#value(isBoolean ? BYTE : type, depth))
  }

  #byte(): number {
    const byte = this.#bytes[this.offset++]
    if (byte === undefined) throw DAMAGED
    return byte
  }

  #take(length: number): Buffer {
    const taken = this.#bytes.subarray(this.offset, this.offset + length)
    if (taken.length < length) throw DAMAGED
    this.offset += length
    return taken
  }

  /** Exact up to 2^53, which no length or offset of a file exceeds. */
  #varint(): number {
    let value = 0
    for (let index = 0; index < MOST_VARINT_BYTES; index++) {
      const byte = this.#byte()
      value += (byte & 127) * 2 ** (7 * index)
      if (byte < 128) return value
    }
    throw DAMAGED
  }

  #zigzag(): number {
    const value = this.#varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}

/** Returns a whole number of a structure. */
export function numberAt(struct: Thrift | undefined, field: number): number | undefined {
  const value = Array.isArray(struct) ? (struct[field] as Thrift | undefined) : undefined
  return typeof value === 'number' ? value : undefined
}

export function structAt(struct: Thrift | undefined, field: number): Thrift[] | undefined {
  const value = Array.isArray(struct) ? (struct[field] as Thrift | undefined) : undefined
  return Array.isArray(value) ? (value as Thrift[]) : undefined
}

export function textAt(struct: Thrift | undefined, field: number): string {
  const value = Array.isArray(struct) ? (struct[field] as Thrift | undefined) : undefined
  return Buffer.isBuffer(value) ? value.toString() : ''
}
