import { brotliCompressSync, gzipSync, zstdCompressSync } from 'node:zlib'
import { type ParquetWriteOptions, parquetWriteBuffer } from 'hyparquet-writer'

/** A row as a body has it. */
export type Row = Record<string, unknown>

type Type = NonNullable<ParquetWriteOptions['columnData'][number]['type']>

const TYPES: Record<string, Type> = {
  value: 'DOUBLE',
  diastolic: 'DOUBLE',
  start_date: 'TIMESTAMP',
  end_date: 'TIMESTAMP',
  timezone_offset: 'INT32',
}

const COMPRESSORS = {
  GZIP: (bytes: Uint8Array) => gzipSync(bytes),
  BROTLI: (bytes: Uint8Array) => brotliCompressSync(bytes),
  ZSTD: (bytes: Uint8Array) => zstdCompressSync(bytes),
}

/** Writes rows as a Parquet file, in the types that a table of samples has. */
export function writeParquet(
  rows: readonly Row[],
  options: Omit<ParquetWriteOptions, 'writer' | 'columnData'> = {},
): Buffer {
  const names = [...new Set(rows.flatMap((row) => Object.keys(row)))]
  const columnData = names.map((name) => {
    const type = TYPES[name] ?? 'STRING'
    return { name, type, nullable: true, data: rows.map((row) => toCell(row[name], type)) }
  })
  return Buffer.from(parquetWriteBuffer({ columnData, compressors: COMPRESSORS, ...options }))
}

function toCell(value: unknown, type: Type): unknown {
  if (value === undefined || value === null) return null
  if (type === 'TIMESTAMP') return new Date(String(value))
  return type === 'STRING' && typeof value === 'object' ? JSON.stringify(value) : value
}
