import { ImportFileError } from './import-file-error.ts'
import type { ImportFile } from './import-files.ts'
import { type Dialect, lineEndOf, RowSplitter } from './row-splitter.ts'
import { encodingOf, toUtf8 } from './text.ts'

const MOST_LEADING_ROWS = 40
/** Of two that are equally likely the first one here counts: commas are also decimal ones. */
const DELIMITERS = [';', '\t', '|', ',']

export interface CsvOptions {
  /** Whether a row is the head row; the first row by default. At most 40 rows may precede it. */
  isHead?: (cells: readonly string[]) => boolean
  /** Whether there is a head row; without one columns are named by their position, from `1`. */
  hasHead?: boolean
  /** Detected from the first rows by default. */
  delimiter?: string
}

/** One row of a table. */
export class CsvRow {
  readonly #columns: ReadonlyMap<string, number>
  readonly cells: readonly string[]

  constructor(columns: ReadonlyMap<string, number>, cells: readonly string[]) {
    this.#columns = columns
    this.cells = cells
  }

  /** Returns the trimmed cell of a column, the first of the name; empty where there is none. */
  get(name: string): string {
    return this.at(this.#columns.get(name) ?? -1)
  }

  /** Returns the trimmed cell at a position from 0; empty where there is none. */
  at(index: number): string {
    return this.cells[index]?.trim() ?? ''
  }

  /** Returns the cells of some columns, to quarantine a row without its other words. */
  pick(names: readonly string[]): Record<string, string> {
    return Object.fromEntries(names.map((name) => [name, this.get(name)]))
  }
}

export interface CsvTable {
  /** Names of the head row as written, trimmed. */
  readonly head: readonly string[]
  readonly delimiter: string
  /** Rows before the head row. */
  readonly leading: readonly (readonly string[])[]
  /** Yields rows in batches, each time from the first. @throws ImportFileError `malformed_csv` */
  batches(): AsyncGenerator<CsvRow[]>
}

/**
 * Opens a table of text: UTF-8, UTF-16 or Windows-1252, with the delimiter that its first rows have
 * (comma, semicolon, tab or bar), quotes by RFC 4180, and any ends of lines. Rows may have fewer or
 * more cells than the head. It is read as a stream: memory does not grow with its length.
 * @throws ImportFileError `malformed_csv` where no head row is found
 */
export async function openCsv(file: ImportFile, options: CsvOptions = {}): Promise<CsvTable> {
  const opening = await file.opening()
  const encoding = encodingOf(opening)
  const text = new TextDecoder(encoding).decode(opening)
  const { delimiter = delimiterOf(text), isHead = () => true, hasHead = true } = options
  const dialect: Dialect = { delimiter, lineEnd: lineEndOf(text) }
  const first = findHead(firstRowsOf(text, dialect, MOST_LEADING_ROWS + 2), isHead)
  const found = hasHead
    ? first
    : first && { ...first, head: positionsOf(first), rowsToHead: first.rowsToHead - 1 }
  if (found === undefined) {
    throw new ImportFileError('malformed_csv', { hint: 'No head row was found.' })
  }
  const { head, leading, rowsToHead } = found
  const columns = new Map(head.map((name, index) => [name, index] as const).reverse())
  async function* batches(): AsyncGenerator<CsvRow[]> {
    let skipped = 0
    for await (const batch of readRows(toUtf8(file.chunks(), encoding), dialect)) {
      const rows = skipped < rowsToHead ? batch.slice(rowsToHead - skipped) : batch
      skipped += batch.length
      yield rows.map((cells) => new CsvRow(columns, cells))
    }
  }
  return { head, delimiter, leading, batches }
}

/**
 * Returns the first rows of a table by the first 64 kB of its file, trimmed, to recognize it; none
 * for a file that is no table. A first line that names the delimiter for Excel is left out.
 * @param most Maximum number of rows.
 */
export async function readFirstRows(
  file: ImportFile,
  most = MOST_LEADING_ROWS,
): Promise<string[][]> {
  const opening = await file.opening()
  try {
    const whole = new TextDecoder(encodingOf(opening)).decode(opening)
    const text = whole.replace(NAMED_DELIMITER, '')
    const rows = firstRowsOf(
      text,
      { delimiter: detectDelimiter(text), lineEnd: lineEndOf(text) },
      most,
    )
    return rows.map((cells) => cells.map((cell) => cell.trim()))
  } catch (error) {
    if (error instanceof ImportFileError) return []
    throw error
  }
}

/** Returns the first rows of the opening of a file, which may end within a row or a quote. */
function firstRowsOf(text: string, dialect: Dialect, most: number): string[][] {
  const splitter = new RowSplitter(dialect)
  const rows = splitter.write(Buffer.from(text), most)
  if (rows.length >= most) return rows
  try {
    return [...rows, ...splitter.end()]
  } catch (error) {
    if (error instanceof ImportFileError) return rows
    throw error
  }
}

async function* readRows(chunks: AsyncIterable<Buffer>, dialect: Dialect) {
  const splitter = new RowSplitter(dialect)
  for await (const chunk of chunks) yield splitter.write(chunk)
  yield splitter.end()
}

const positionsOf = ({ head }: { head: readonly string[] }): string[] =>
  head.map((_, index) => String(index + 1))

/** Finds the head row among the first rows of a file, which is most often no table of this kind. */
function findHead(
  rows: readonly string[][],
  isHead: (cells: readonly string[]) => boolean,
): { head: string[]; leading: string[][]; rowsToHead: number } | undefined {
  const leading: string[][] = []
  for (const [index, cells] of rows.entries()) {
    const trimmed = cells.map((cell) => cell.trim())
    if (index === 0 && /^sep=.?$/.test(cells.join(''))) continue
    if (isHead(trimmed)) return { head: trimmed, leading, rowsToHead: index + 1 }
    leading.push(cells)
    if (leading.length > MOST_LEADING_ROWS) break
  }
  return undefined
}

/** Excel names the delimiter in a first line of its own. */
const NAMED_DELIMITER = /^sep=(.)\r?\n/

const delimiterOf = (text: string): string =>
  NAMED_DELIMITER.exec(text)?.[1] ?? detectDelimiter(text)

/**
 * Returns the delimiter of the first lines, by their characters outside of quotes. One that every
 * line has equally often is it, even where decimal commas are more; otherwise the most frequent
 * one, and a comma where none occurs.
 */
export function detectDelimiter(text: string): string {
  const lines = countDelimiters(text)
  const countsOf = (delimiter: string) => lines.map((counts) => counts.get(delimiter) ?? 0)
  const regular = DELIMITERS.find((delimiter) => {
    const [first = 0, ...others] = countsOf(delimiter)
    return first > 0 && others.every((count) => count === first)
  })
  if (regular !== undefined) return regular
  const totals = DELIMITERS.map((delimiter) => {
    return [delimiter, countsOf(delimiter).reduce((sum, count) => sum + count, 0)] as const
  })
  const [delimiter, total] = totals.reduce((best, next) => (next[1] > best[1] ? next : best))
  return total === 0 ? ',' : delimiter
}

/** Counts delimiters in each of the first lines that are not empty. */
function countDelimiters(text: string): ReadonlyMap<string, number>[] {
  const lines: Map<string, number>[] = []
  let counts = new Map<string, number>()
  let [isQuoted, isEmpty] = [false, true]
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    if (isQuoted) continue
    if (character === '\n' || character === '\r') {
      if (!isEmpty) lines.push(counts)
      if (lines.length >= 5) return lines
      ;[counts, isEmpty] = [new Map(), true]
      continue
    }
    isEmpty = false
    if (DELIMITERS.includes(character)) counts.set(character, (counts.get(character) ?? 0) + 1)
  }
  if (!isEmpty) lines.push(counts)
  return lines
}
