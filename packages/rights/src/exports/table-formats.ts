import { ByteWriter, ParquetWriter } from 'hyparquet-writer'
import type { PersonColumn, PersonRow } from '../person-data/index.ts'

type Batches = AsyncIterable<readonly PersonRow[]>
type SchemaElement = ConstructorParameters<typeof ParquetWriter>[0]['schema'][number]

/** Writes a JSON array with one row on each line, for readers of JSON and of lines. */
export async function* writeJson(_columns: readonly PersonColumn[], batches: Batches) {
  let separator = '[\n'
  for await (const rows of batches) {
    const lines: string[] = []
    for (const row of rows) {
      lines.push(separator, JSON.stringify(row))
      separator = ',\n'
    }
    yield Buffer.from(lines.join(''))
  }
  yield Buffer.from(separator === ',\n' ? '\n]\n' : '[]\n')
}

/** Writes CSV as RFC 4180 describes it: structures are JSON texts, and unknown values are empty. */
export async function* writeCsv(columns: readonly PersonColumn[], batches: Batches) {
  const names = columns.map(({ name }) => name)
  yield Buffer.from(`${names.map(csvField).join(',')}\r\n`)
  for await (const rows of batches) {
    const lines = rows.map((row) => `${names.map((name) => csvField(row[name])).join(',')}\r\n`)
    yield Buffer.from(lines.join(''))
  }
}

function csvField(value: unknown): string {
  const text = toText(value) ?? ''
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

function toText(value: unknown): string | null {
  if (value === null || value === undefined) return null
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

/** Number of rows that are encoded at once. */
const ROW_GROUP = 50_000

const PARQUET_TYPES: Record<PersonColumn['type'], Partial<SchemaElement>> = {
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  structure: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  instant: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  },
}

/** Writes one Parquet file as the rows are read: one group of rows is in memory at a time. */
export async function* writeParquet(columns: readonly PersonColumn[], batches: Batches) {
  const bytes = new ByteWriter()
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const schema: SchemaElement[] = columns.map(({ name, type }) => ({
    name,
    repetition_type: 'OPTIONAL',
    ...PARQUET_TYPES[type],
  }))
  const writer = new ParquetWriter({ writer: bytes, schema: [root, ...schema] })
  let held: PersonRow[] = []
  const writeHeld = async (): Promise<Buffer> => {
    const columnData = columns.map(({ name, type }) => ({
      name,
      data: held.map((row) => toParquetValue(row[name], type)),
    }))
    await writer.write({ columnData, rowGroupSize: ROW_GROUP })
    held = []
    return takeBytes(bytes)
  }
  for await (const rows of batches) {
    held.push(...rows)
    if (held.length >= ROW_GROUP) yield await writeHeld()
  }
  if (held.length > 0) yield await writeHeld()
  await writer.finish()
  yield takeBytes(bytes)
}

/**
 * Returns the bytes since the last call; the writer continues to count from the beginning of the
 * file.
 */
function takeBytes(bytes: ByteWriter): Buffer {
  const taken = Buffer.from(bytes.getBytes())
  bytes.index = 0
  return taken
}

function toParquetValue(value: unknown, type: PersonColumn['type']): unknown {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'integer':
      return BigInt(Math.trunc(Number(value)))
    case 'instant':
      return BigInt(value instanceof Date ? value.getTime() : Date.parse(String(value)))
    case 'text':
    case 'structure':
      return toText(value)
    default:
      return value
  }
}
