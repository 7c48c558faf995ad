import type { FastifyReply } from 'fastify'
import Type from 'typebox'
import { badRequest } from '../errors.ts'
import { startStream } from './stream-answer.ts'

/** Most rows of a file of a list. */
export const MOST_CSV_ROWS = 100_000

type Value = string | number | boolean | null

/** Columns of a file, by their names in its first line. */
export type CsvColumns<Row> = Readonly<Record<string, (row: Row) => Value>>

export const CSV_RESPONSE = {
  200: {
    description: `CSV (RFC 4180) in UTF-8 with a byte order mark; at most ${MOST_CSV_ROWS.toLocaleString('en')} rows.`,
    content: { 'text/csv': { schema: Type.Unsafe<unknown>({ type: 'string' }) } },
  },
}

/** Without it, programs for tables read UTF-8 as something else. */
const BYTE_ORDER_MARK = '\uFEFF'
/** Programs for tables execute text that begins so (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r\n\uFF0B\uFF0D\uFF1D\uFF20]/
const NEEDS_QUOTES = /[",\r\n]/

/** Returns a cell; an apostrophe before a text that would be a formula makes it plain text. */
function toCell(value: Value): string {
  if (value === null) return ''
  const text = String(value)
  const plain = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text
  return NEEDS_QUOTES.test(plain) ? `"${plain.replaceAll('"', '""')}"` : plain
}

const toLine = (values: readonly Value[]): string => `${values.map(toCell).join(',')}\r\n`

async function* writeCsv<Row>(
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): AsyncGenerator<string> {
  const readers = Object.values(columns)
  let head = BYTE_ORDER_MARK + toLine(Object.keys(columns))
  for await (const rows of pages) {
    yield head + rows.map((row) => toLine(readers.map((read) => read(row)))).join('')
    head = ''
  }
}

/**
 * Answers with a file, page by page.
 * @param name Without an ending.
 * @param pages Rows, which are read while the file is sent; when that fails, the connection breaks.
 */
export async function sendCsv<Row>(
  reply: FastifyReply,
  name: string,
  columns: CsvColumns<Row>,
  pages: AsyncIterable<readonly Row[]>,
): Promise<FastifyReply> {
  // A failure of the first page is still answered as an error.
  const content = await startStream(writeCsv(columns, pages))
  return reply
    .type('text/csv; charset=utf-8')
    .header('content-disposition', `attachment; filename="${name}.csv"`)
    .header('cache-control', 'private, no-store')
    .send(content)
}

/**
 * Refuses a file with too many rows before it begins, since a cut file looks complete.
 * @throws AppError 400 `too_many_rows`
 */
export function refuseLongCsv(rows: number): void {
  if (rows <= MOST_CSV_ROWS) return
  throw badRequest('too_many_rows', 'The list is longer than a file may be. Filter it.', {
    most_rows: MOST_CSV_ROWS,
  })
}

/** Yields the pages of a list one after the other. */
export async function* followPages<Row>(
  read: (cursor: string | null) => Promise<{ rows: Row[]; next: string | null }>,
): AsyncGenerator<Row[]> {
  let cursor: string | null = null
  do {
    const page = await read(cursor)
    yield page.rows
    cursor = page.next
  } while (cursor !== null)
}
