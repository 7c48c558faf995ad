import { type SourceSamples, sortSamples } from './source-samples.ts'

/** Samples of one source and type. */
export interface TypedSamples {
  /** Empty where the series has no types that are merged separately. */
  type: string
  samples: SourceSamples
}

const FLOAT_BYTES = 8

/** Rows between two pauses. */
const ROWS_BETWEEN_PAUSES = 64

/**
 * Reads rows of ClickHouse's RowBinary format: provider, source type, app and type as texts, then
 * start, end, value and offset as arrays of Float64. The numbers are copied, not parsed.
 */
export function* readSampleColumns(bytes: Uint8Array): Generator<void, TypedSamples[]> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  // A copy, because an array of numbers must begin at a multiple of eight.
  const numbers = new Float64Array(Math.floor(buffer.length / FLOAT_BYTES))
  const copy = new Uint8Array(numbers.buffer)
  let copied = 0
  let position = 0
  const readLength = (): number => {
    let length = 0
    for (let factor = 1; ; factor *= 128) {
      const byte = buffer.readUInt8(position++)
      length += (byte & 0x7f) * factor
      if (byte < 0x80) return length
    }
  }
  const readText = (): string => {
    const length = readLength()
    position += length
    return buffer.toString('utf8', position - length, position)
  }
  const readNumbers = (): Float64Array => {
    const length = readLength()
    const end = position + length * FLOAT_BYTES
    copy.set(buffer.subarray(position, end), copied * FLOAT_BYTES)
    position = end
    copied += length
    return numbers.subarray(copied - length, copied)
  }
  const rows: TypedSamples[] = []
  while (position < buffer.length) {
    const source = { provider: readText(), sourceType: readText(), appId: readText() }
    const type = readText()
    const startedAt = readNumbers()
    const endedAt = readNumbers()
    const value = readNumbers()
    const offset = readNumbers()
    rows.push({ type, samples: sortSamples({ source, startedAt, endedAt, value, offset }) })
    if (rows.length % ROWS_BETWEEN_PAUSES === 0) yield
  }
  return rows
}
