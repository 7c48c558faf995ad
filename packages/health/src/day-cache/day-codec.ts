import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { OriginSamples, SampleOrigin } from './day-samples.ts'

/**
 * Stored form of samples. A frame is the length of its head, the head as JSON padded to eight
 * bytes, and the columns of all origins as Float64: differences of starts, lengths, values,
 * diastolic values and differences of versions. Lengths and diastolic values that are all 0 are
 * left out. Differences of regular samples are equal, so that they compress to nearly nothing.
 */

interface Head {
  /** Origins in the order of their columns. */
  origins: OriginHead[]
}

interface OriginHead {
  origin: SampleOrigin
  /** Number of samples. */
  count: number
  hasLengths: boolean
  hasDiastolic: boolean
  text: readonly string[] | null
}

const FLOAT_BYTES = 8
const LENGTH_BYTES = 4

/** Most days fit into one piece of memory; several would be joined by a copy. */
const INFLATED = { chunkSize: 65_536 }

const paddedHead = (bytes: number): number =>
  Math.ceil((bytes + LENGTH_BYTES) / FLOAT_BYTES) * FLOAT_BYTES

/** Writes samples as one frame. */
export function writeFrame(pieces: readonly OriginSamples[]): Buffer {
  const origins = pieces.map(headOf)
  const head = Buffer.from(JSON.stringify({ origins } satisfies Head))
  const first = paddedHead(head.length)
  const count = origins.reduce((sum, origin) => sum + origin.count * columnsOf(origin), 0)
  const frame = Buffer.alloc(first + count * FLOAT_BYTES)
  frame.writeUInt32LE(head.length)
  head.copy(frame, LENGTH_BYTES)
  const numbers = new Float64Array(count)
  let position = 0
  const write = (column: Float64Array): void => {
    numbers.set(column, position)
    position += column.length
  }
  for (const [index, { startedAt, endedAt, value, diastolic, version }] of pieces.entries()) {
    const { hasLengths, hasDiastolic } = origins[index] as OriginHead
    write(differencesOf(startedAt))
    if (hasLengths) write(endedAt.map((end, sample) => end - (startedAt[sample] as number)))
    write(value)
    if (hasDiastolic) write(diastolic)
    write(differencesOf(version))
  }
  Buffer.from(numbers.buffer).copy(frame, first)
  return frame
}

function headOf({ origin, startedAt, endedAt, diastolic, text }: OriginSamples): OriginHead {
  return {
    ...{ origin, count: startedAt.length, text },
    hasLengths: endedAt.some((end, index) => end !== startedAt[index]),
    hasDiastolic: diastolic.some((pressure) => pressure !== 0),
  }
}

/** Starts, values and versions are always there. */
const columnsOf = ({ hasLengths, hasDiastolic }: OriginHead): number =>
  3 + Number(hasLengths) + Number(hasDiastolic)

function differencesOf(column: Float64Array): Float64Array {
  return column.map((number, index) => number - (column[index - 1] ?? 0))
}

/** Reads a frame. */
export function readFrame(frame: Buffer): OriginSamples[] {
  const headLength = frame.readUInt32LE()
  const { origins }: Head = JSON.parse(
    frame.toString('utf8', LENGTH_BYTES, LENGTH_BYTES + headLength),
  )
  const first = paddedHead(headLength)
  const numbers = new Float64Array((frame.length - first) / FLOAT_BYTES)
  new Uint8Array(numbers.buffer).set(frame.subarray(first))
  let position = 0
  return origins.map(({ origin, count, hasLengths, hasDiastolic, text }) => {
    const take = (): Float64Array => {
      position += count
      return numbers.subarray(position - count, position)
    }
    const startedAt = sumDifferences(take())
    const endedAt = hasLengths ? addStarts(take(), startedAt) : startedAt
    const value = take()
    const diastolic = hasDiastolic ? take() : new Float64Array(count)
    return { origin, startedAt, endedAt, value, diastolic, version: sumDifferences(take()), text }
  })
}

function addStarts(lengths: Float64Array, startedAt: Float64Array): Float64Array {
  for (let index = 0; index < lengths.length; index++) {
    lengths[index] = (lengths[index] as number) + (startedAt[index] as number)
  }
  return lengths
}

function sumDifferences(column: Float64Array): Float64Array {
  let sum = 0
  for (let index = 0; index < column.length; index++) {
    sum += column[index] as number
    column[index] = sum
  }
  return column
}

/** Writes the content of a day. Level 1 has most of the gain on columns of equal differences. */
export const writeDay = (pieces: readonly OriginSamples[]): Buffer =>
  deflateRawSync(writeFrame(pieces), { level: 1 })

/** Reads the content of a day. */
export const readDay = (bytes: Buffer): OriginSamples[] =>
  readFrame(inflateRawSync(bytes, INFLATED))

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
