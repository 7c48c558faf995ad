import type { FileHandle } from 'node:fs/promises'
import {
  DAMAGED,
  invalidParquet,
  numberAt,
  structAt,
  type Thrift,
  ThriftReader,
  textAt,
} from './thrift.ts'

/** About 100 bytes for each column of each row group. */
const MOST_FOOTER_BYTES = 16 * 1024 ** 2
const MAGIC = 'PAR1'
const TAIL_BYTES = 8

/** How the values of a column are stored, and what they become. */
export interface ColumnType {
  name: string
  /** Physical type, by its number in the format. */
  physical: number
  /** Bytes of a value of fixed length. */
  length: number
  isOptional: boolean
  /** Units of a time in a millisecond; 0 where the column has no times. */
  unitsOfMillisecond: number
  isUuid: boolean
  /** Digits after the point of a decimal. */
  scale: number
}

/** One column of a row group. */
export interface ColumnChunk {
  codec: number
  /** Bytes of the file, the end not included. */
  start: number
  end: number
}

export interface RowGroup {
  rows: number
  chunks: ReadonlyMap<string, ColumnChunk>
}

export interface Footer {
  /** Columns without a structure of their own, by name. */
  columns: ReadonlyMap<string, ColumnType>
  rowGroups: readonly RowGroup[]
}

export async function readBytes(
  file: FileHandle,
  position: number,
  length: number,
): Promise<Buffer> {
  const buffer = Buffer.allocUnsafeSlow(length)
  for (let filled = 0; filled < length; ) {
    const { bytesRead } = await file.read(buffer, filled, length - filled, position + filled)
    if (bytesRead === 0) throw DAMAGED
    filled += bytesRead
  }
  return buffer
}

/** Reads what describes a file. @throws AppError 400 for anything else */
export async function readFooter(file: FileHandle): Promise<Footer> {
  const { size } = await file.stat()
  if (size < MAGIC.length + TAIL_BYTES) throw DAMAGED
  const tail = await readBytes(file, size - TAIL_BYTES, TAIL_BYTES)
  const length = tail.readUInt32LE(0)
  if (tail.toString('latin1', 4) !== MAGIC || length > size - TAIL_BYTES) throw DAMAGED
  if (length > MOST_FOOTER_BYTES) throw invalidParquet('The footer of the file is too large.')
  const bytes = await readBytes(file, size - TAIL_BYTES - length, length)
  const metadata = new ThriftReader(bytes).readStruct()
  const schema = structAt(metadata, 2) ?? []
  const rowGroups = (structAt(metadata, 4) ?? []).map((group) => readRowGroup(group, size))
  return { columns: readColumns(schema), rowGroups }
}

const REPEATED = 2
const OPTIONAL = 1

/** Reads the columns below the root; what is in a structure, a list or a map is left out. */
function readColumns(schema: readonly Thrift[]): Map<string, ColumnType> {
  const columns = new Map<string, ColumnType>()
  const inside: number[] = []
  for (const element of schema.slice(1)) {
    const children = numberAt(element, 5) ?? 0
    if (inside.length === 0 && children === 0 && numberAt(element, 3) !== REPEATED) {
      columns.set(textAt(element, 4), columnType(element))
    }
    // Elements are written depth first.
    if (inside.length > 0) inside.push((inside.pop() ?? 0) - 1)
    if (children > 0) inside.push(children)
    while (inside.length > 0 && (inside.at(-1) ?? 0) <= 0) inside.pop()
  }
  return columns
}

/** Units of a millisecond by the field of the unit; nanoseconds are divided. */
const UNITS: Record<number, number> = { 1: 1, 2: 1_000, 3: 1_000_000 }
const CONVERTED_UNITS: Record<number, number> = { 9: 1, 10: 1_000 }
const DECIMAL = 5

function columnType(element: Thrift): ColumnType {
  const logical = structAt(element, 10)
  const converted = numberAt(element, 6) ?? -1
  const unit = structAt(structAt(logical, 8), 2)
  const named = Object.entries(UNITS).find(([field]) => unit?.[Number(field)] !== undefined)
  const isDecimal = converted === DECIMAL || structAt(logical, 5) !== undefined
  const scale = numberAt(structAt(logical, 5), 1) ?? numberAt(element, 7) ?? 0
  return {
    name: textAt(element, 4),
    physical: numberAt(element, 1) ?? -1,
    length: numberAt(element, 2) ?? 0,
    isOptional: numberAt(element, 3) === OPTIONAL,
    unitsOfMillisecond: named?.[1] ?? CONVERTED_UNITS[converted] ?? 0,
    isUuid: structAt(logical, 14) !== undefined,
    scale: isDecimal ? scale : 0,
  }
}

function readRowGroup(group: Thrift, size: number): RowGroup {
  const chunks = new Map<string, ColumnChunk>()
  for (const column of structAt(group, 1) ?? []) {
    const data = structAt(column, 3)
    const path = (structAt(data, 3) ?? []).map(String).join('.')
    const dictionary = numberAt(data, 11) ?? 0
    const pages = numberAt(data, 9) ?? 0
    const start = dictionary > 0 ? Math.min(dictionary, pages) : pages
    const end = start + (numberAt(data, 7) ?? 0)
    if (!(start > 0 && end >= start && end <= size)) throw DAMAGED
    chunks.set(path, { codec: numberAt(data, 4) ?? -1, start, end })
  }
  const rows = numberAt(group, 3) ?? 0
  if (!(rows >= 0 && Number.isSafeInteger(rows))) throw DAMAGED
  return { rows, chunks }
}
