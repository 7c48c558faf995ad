import { constants, zstdCompressSync, zstdDecompressSync } from 'node:zlib'
import type { OriginSamples, SampleOrigin } from './day-samples.ts'

/**
 * Stored form of samples. A frame is the length of its head, the head as JSON padded to eight
 * bytes, and the columns of all origins as Float64: differences of starts, lengths, values,
 * diastolic values and differences of versions. Differences of regular samples are equal, so that
 * they compress to nearly nothing.
 */

interface Head {
  /** Origins in the order of their columns, with the number of their samples. */
  origins: (SampleOrigin & { count: number; text: readonly string[] | null })[]
}

const FLOAT_BYTES = 8
const LENGTH_BYTES = 4
const COLUMNS = 5

/** Level 1 has most of the gain, since the columns are mostly equal differences. */
const ZSTD = { params: { [constants.ZSTD_c_compressionLevel]: 1 } }

const paddedHead = (bytes: number): number =>
  Math.ceil((bytes + LENGTH_BYTES) / FLOAT_BYTES) * FLOAT_BYTES

/** Writes samples as one frame. */
export function writeFrame(pieces: readonly OriginSamples[]): Buffer {
  const origins = pieces.map(({ origin, startedAt, text }) => ({
    ...origin,
    count: startedAt.length,
    text,
  }))
  const head = Buffer.from(JSON.stringify({ origins } satisfies Head))
  const first = paddedHead(head.length)
  const count = origins.reduce((sum, origin) => sum + origin.count, 0)
  const frame = Buffer.alloc(first + count * COLUMNS * FLOAT_BYTES)
  frame.writeUInt32LE(head.length)
  head.copy(frame, LENGTH_BYTES)
  const numbers = new Float64Array(count * COLUMNS)
  let position = 0
  for (const { startedAt, endedAt, value, diastolic, version } of pieces) {
    position = writeDifferences(numbers, position, startedAt)
    numbers.set(
      endedAt.map((end, index) => end - (startedAt[index] as number)),
      position,
    )
    position += endedAt.length
    numbers.set(value, position)
    position += value.length
    numbers.set(diastolic, position)
    position += diastolic.length
    position = writeDifferences(numbers, position, version)
  }
  Buffer.from(numbers.buffer).copy(frame, first)
  return frame
}

function writeDifferences(to: Float64Array, position: number, column: Float64Array): number {
  let before = 0
  for (const [index, number] of column.entries()) {
    to[position + index] = number - before
    before = number
  }
  return position + column.length
}

/** Reads a frame. */
export function readFrame(frame: Buffer): OriginSamples[] {
  const headLength = frame.readUInt32LE()
  const headEnd = LENGTH_BYTES + headLength
  const { origins }: Head = JSON.parse(frame.toString('utf8', LENGTH_BYTES, headEnd))
  const first = paddedHead(headLength)
  const numbers = new Float64Array((frame.length - first) / FLOAT_BYTES)
  new Uint8Array(numbers.buffer).set(frame.subarray(first))
  let position = 0
  return origins.map(({ count, text, ...origin }) => {
    const take = (): Float64Array => {
      position += count
      return numbers.subarray(position - count, position)
    }
    const startedAt = sumDifferences(take())
    const endedAt = take()
    for (let index = 0; index < count; index++) {
      endedAt[index] = (endedAt[index] as number) + (startedAt[index] as number)
    }
    const [value, diastolic] = [take(), take()]
    return { origin, startedAt, endedAt, value, diastolic, version: sumDifferences(take()), text }
  })
}

function sumDifferences(column: Float64Array): Float64Array {
  let sum = 0
  for (let index = 0; index < column.length; index++) {
    sum += column[index] as number
    column[index] = sum
  }
  return column
}

/** Writes the content of a day. */
export const writeDay = (pieces: readonly OriginSamples[]): Buffer =>
  zstdCompressSync(writeFrame(pieces), ZSTD)

/** Reads the content of a day. */
export const readDay = (bytes: Buffer): OriginSamples[] => readFrame(zstdDecompressSync(bytes))

/** Writes what a day gains: a frame after its length, so that many follow each other. */
export function writeAddition(pieces: readonly OriginSamples[]): Buffer {
  const frame = writeFrame(pieces)
  const length = Buffer.alloc(LENGTH_BYTES)
  length.writeUInt32LE(frame.length)
  return Buffer.concat([length, frame])
}

/** Reads additions in the order in which they were made. */
export function readAdditions(bytes: Buffer): OriginSamples[] {
  const pieces: OriginSamples[] = []
  for (let position = 0; position < bytes.length; ) {
    const first = position + LENGTH_BYTES
    position = first + bytes.readUInt32LE(position)
    pieces.push(...readFrame(bytes.subarray(first, position)))
  }
  return pieces
}
