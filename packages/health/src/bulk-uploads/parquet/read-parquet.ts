import { open } from 'node:fs/promises'
import { AppError } from '@salus/kernel/errors'
import { WorkSlice } from '@salus/kernel/time-slices'
import type { Rows } from '../rows.ts'
import { ColumnReader } from './column-reader.ts'
import { type Footer, readFooter } from './footer.ts'
import { TableRows } from './table-rows.ts'
import { DAMAGED, invalidParquet } from './thrift.ts'

/** The keys of a row, as columns; others are ignored. */
const COLUMNS = [
  'user_id',
  'client_user_id',
  'resource',
  'value',
  'diastolic',
  'unit',
  'start_date',
  'end_date',
  'timezone_offset',
  'time_zone',
  'id',
  'source_bundle',
  'product_type',
  'type',
  'metadata',
]
const NEEDED = ['resource', 'value', 'unit', 'start_date']

const TOO_LARGE = new AppError(413, 'body_too_large', 'The file has too many rows.')

/** Rows that are made at once. */
const ROWS_AT_ONCE = 2_000

/**
 * Reads the rows of a Parquet file, a page of each column at a time, so that memory depends on the
 * pages and not on the row groups of the file.
 * @param maxBytes Size of all rows: a few bytes of a file can stand for any number of equal rows.
 * @throws AppError 400 for a damaged file, and one without the columns of samples, 413 for too
 *   many rows
 */
export async function* readParquet(path: string, maxBytes: number): AsyncGenerator<Rows> {
  const file = await open(path)
  try {
    const footer = await readFooter(file)
    requireColumns(footer)
    const types = COLUMNS.flatMap((name) => footer.columns.get(name) ?? [])
    let firstLine = 1
    let bytes = 0
    for (const { rows, chunks } of footer.rowGroups) {
      const columns = types.map((type) => {
        const chunk = chunks.get(type.name)
        if (chunk === undefined) throw DAMAGED
        return new ColumnReader(file, type, chunk)
      })
      for await (const part of readGroup(columns, rows, firstLine)) {
        bytes += part.bytes
        if (bytes > maxBytes) throw TOO_LARGE
        yield part
      }
      firstLine += rows
    }
  } finally {
    await file.close()
  }
}

function requireColumns({ columns }: Footer): void {
  const missing = NEEDED.filter((name) => !columns.has(name))
  if (!columns.has('user_id') && !columns.has('client_user_id')) missing.unshift('user_id')
  if (missing.length > 0) throw invalidParquet('The file lacks columns.', { columns: missing })
}

async function* readGroup(
  columns: readonly ColumnReader[],
  count: number,
  firstLine: number,
): AsyncGenerator<Rows> {
  const slice = new WorkSlice()
  const table = new TableRows()
  for (let done = 0; done < count; ) {
    for (const column of columns) if (column.left <= 0) await column.fill()
    const ready = Math.min(ROWS_AT_ONCE, count - done, ...columns.map(({ left }) => left))
    const { items, bytes } = table.read(columns, ready)
    for (const column of columns) column.used += ready
    yield { firstLine: firstLine + done, items, bytes }
    done += ready
    if (slice.isOver()) await slice.rest()
  }
}
