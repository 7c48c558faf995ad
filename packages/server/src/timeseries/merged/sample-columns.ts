import { type SourceSamples, sortSamples } from './source-samples.ts'

/** Samples of one source and type. */
export interface TypedSamples {
  /** Empty where the series has no types that part it. */
  type: string
  samples: SourceSamples
}

const FLOAT_BYTES = 8

/**
 * Reads rows of ClickHouse's RowBinary format: provider, source type, app and type as texts, then start,
 * end, value and offset as arrays of Float64. The numbers are copied, not parsed.
 */
export function readSampleColumns(bytes: Uint8Array): TypedSamples[] {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
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
    const length = readLength() * FLOAT_BYTES
    position += length
    // A copy, because an array of numbers must begin at a multiple of eight.
    return new Float64Array(Uint8Array.from(buffer.subarray(position - length, position)).buffer)
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
  }
  return rows
}
