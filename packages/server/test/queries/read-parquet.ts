import { gunzipSync } from 'node:zlib'
import { parquetMetadata, parquetReadObjects } from 'hyparquet'
import { extract } from 'tar-stream'
import type { OutputColumn, OutputType } from '../../../health/src/queries/compiled-query.ts'

export type Row = Record<string, unknown>

const toArrayBuffer = (file: Uint8Array): ArrayBuffer =>
  file.buffer.slice(file.byteOffset, file.byteOffset + file.byteLength) as ArrayBuffer

/** Rows as hyparquet reads them, of some columns or of all. */
export function readObjects(file: Uint8Array, columns?: string[]): Promise<Row[]> {
  return parquetReadObjects({ file: toArrayBuffer(file), ...(columns && { columns }) })
}

/** Rows as hyparquet reads them; whole numbers and times as texts. */
export async function readWithHyparquet(
  file: Uint8Array,
  columns: readonly OutputColumn[],
): Promise<Row[]> {
  return writeRows(await readObjects(file), columns)
}

/** Rows whose whole numbers and times are texts, so that those of two readers can be compared. */
export const writeRows = (rows: readonly Row[], columns: readonly OutputColumn[]): Row[] =>
  rows.map((row) =>
    Object.fromEntries(columns.map(({ name, type }) => [name, written(row[name], type)])),
  )

function written(value: unknown, type: OutputType): unknown {
  if (typeof value === 'bigint') return String(value)
  if (!(value instanceof Date)) return value ?? null
  if (type === 'date') return value.toISOString().slice(0, 10)
  return value
    .toISOString()
    .replace('T', ' ')
    .replace(/\.?0*Z$/, '')
}

/** What the footer says of each column. */
export function readSchema(file: Uint8Array): Row[] {
  return parquetMetadata(toArrayBuffer(file)).schema.map(
    ({ name, type, repetition_type, logical_type }) => ({
      name,
      type,
      repetition: repetition_type,
      ...logical_type,
      ...(logical_type ? { logical: logical_type.type, type } : {}),
    }),
  )
}

/** Names and contents of the files of a gzipped tar. */
export async function readArchive(
  archive: AsyncIterable<Uint8Array>,
): Promise<{ names: string[]; files: Buffer[] }> {
  const chunks: Uint8Array[] = []
  for await (const chunk of archive) chunks.push(chunk)
  const names: string[] = []
  const contents: Buffer[] = []
  const reader = extract()
  reader.end(gunzipSync(Buffer.concat(chunks)))
  for await (const entry of reader) {
    names.push(entry.header.name)
    const parts: Buffer[] = []
    for await (const part of entry) parts.push(part as Buffer)
    contents.push(Buffer.concat(parts))
  }
  return { names, files: contents }
}
