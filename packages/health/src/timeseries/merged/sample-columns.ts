import { RowBinaryReader } from '@salus/kernel/clickhouse/row-binary'
import { type SourceSamples, sortSamples } from './source-samples.ts'

/** Samples of one source and type. */
export interface TypedSamples {
  /** Empty where the series has no types that are merged separately. */
  type: string
  samples: SourceSamples
}

/** Rows between two pauses. */
const ROWS_BETWEEN_PAUSES = 64

/**
 * Reads rows of ClickHouse's RowBinary format: provider, source type, app and type as texts, then
 * start, end, value and offset as arrays of Float64. The numbers are copied, not parsed.
 */
export function* readSampleColumns(bytes: Uint8Array): Generator<void, TypedSamples[]> {
  const reader = new RowBinaryReader(bytes)
  const rows: TypedSamples[] = []
  while (!reader.isAtEnd) {
    const source = {
      provider: reader.readText(),
      sourceType: reader.readText(),
      appId: reader.readText(),
    }
    const type = reader.readText()
    const startedAt = reader.readNumbers()
    const endedAt = reader.readNumbers()
    const value = reader.readNumbers()
    const offset = reader.readNumbers()
    rows.push({ type, samples: sortSamples({ source, startedAt, endedAt, value, offset }) })
    if (rows.length % ROWS_BETWEEN_PAUSES === 0) yield
  }
  return rows
}
