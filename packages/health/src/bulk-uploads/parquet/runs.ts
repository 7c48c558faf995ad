import { DAMAGED } from './thrift.ts'

const MOST_WIDTH = 30

/**
 * Reads the hybrid of runs and bit-packed numbers, in which Parquet writes levels and positions in
 * dictionaries. It makes `count` numbers, however long the runs say they are.
 */
export function readRuns(bytes: Buffer, width: number, count: number): Int32Array {
  if (width > MOST_WIDTH) throw DAMAGED
  const numbers = new Int32Array(count)
  const cursor = { bytes, at: 0 }
  for (let seen = 0; seen < count; ) {
    const header = readVarint(cursor)
    const length = Math.floor(header / 2)
    if (header % 2 === 1) seen = readPacked(cursor, width, numbers, seen, length * 8)
    else seen = readRun(cursor, width, numbers, seen, length)
  }
  return numbers
}

interface Cursor {
  bytes: Buffer
  at: number
}

function nextByte(cursor: Cursor): number {
  const byte = cursor.bytes[cursor.at++]
  if (byte === undefined) throw DAMAGED
  return byte
}

function readVarint(cursor: Cursor): number {
  let value = 0
  for (let index = 0; index < 5; index++) {
    const byte = nextByte(cursor)
    value += (byte & 127) * 2 ** (7 * index)
    if (byte < 128) return value
  }
  throw DAMAGED
}

function readRun(
  cursor: Cursor,
  width: number,
  numbers: Int32Array,
  from: number,
  length: number,
): number {
  let value = 0
  for (let bits = 0; bits < width; bits += 8) value += nextByte(cursor) * 2 ** bits
  const to = Math.min(from + length, numbers.length)
  numbers.fill(value, from, to)
  return to
}

/** The last group may be cut short; its missing bits are not needed. */
function readPacked(
  cursor: Cursor,
  width: number,
  numbers: Int32Array,
  from: number,
  length: number,
): number {
  const { bytes, at } = cursor
  const to = Math.min(from + length, numbers.length)
  const needed = Math.ceil(((to - from) * width) / 8)
  if (at + needed > bytes.length) throw DAMAGED
  for (let index = from, bit = 0; index < to; index++, bit += width) {
    numbers[index] = readBits(bytes, at * 8 + bit, width)
  }
  cursor.at = at + (length * width) / 8
  return to
}

/** Reads up to 30 bits, the lowest first. */
function readBits(bytes: Buffer, bit: number, width: number): number {
  let value = 0
  for (let read = 0; read < width; ) {
    const offset = (bit + read) % 8
    const taken = Math.min(8 - offset, width - read)
    const part = ((bytes[Math.floor((bit + read) / 8)] ?? 0) >> offset) & ((1 << taken) - 1)
    value += part * 2 ** read
    read += taken
  }
  return value
}
