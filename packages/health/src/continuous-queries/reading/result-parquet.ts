import { parquetWriteBuffer } from 'hyparquet-writer'
import type { ResultColumn } from '../continuous-queries.tables.ts'

type ParquetSchema = NonNullable<Parameters<typeof parquetWriteBuffer>[0]['schema']>
type SchemaElement = ParquetSchema[number]

/** Types of docs/contract/09-aggregate.md#query-api; a time is a local time without a zone. */
const TYPES: Record<string, Partial<SchemaElement>> = {
  integer: { type: 'INT64' },
  number: { type: 'DOUBLE' },
  boolean: { type: 'BOOLEAN' },
  text: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
  date: { type: 'INT32', converted_type: 'DATE' },
  datetime: {
    type: 'INT64',
    logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: false, unit: 'MILLIS' },
  },
}

/** Writes stored rows as one Parquet file. */
export function writeResultParquet(
  columns: readonly ResultColumn[],
  rows: readonly (readonly unknown[])[],
): Buffer {
  const root: SchemaElement = { name: 'root', num_children: columns.length }
  const schema = [
    root,
    ...columns.map(({ name, type }) => ({
      name,
      repetition_type: 'OPTIONAL' as const,
      ...(TYPES[type] ?? TYPES.text),
    })),
  ]
  const columnData = columns.map(({ name, type }, position) => ({
    name,
    data: rows.map((row) => toParquetValue(row[position], type)),
  }))
  return Buffer.from(parquetWriteBuffer({ columnData, schema, rowGroupSize: 100_000 }))
}

function toParquetValue(value: unknown, type: string): unknown {
  if (value === null || value === undefined) return null
  switch (type) {
    case 'integer':
      return BigInt(Math.trunc(Number(value)))
    case 'date':
      return new Date(`${value}T00:00:00Z`)
    case 'datetime':
      return BigInt(Date.parse(`${value}Z`))
    default:
      return Array.isArray(value) ? JSON.stringify(value) : value
  }
}
