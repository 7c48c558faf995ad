import { ImportFileError } from './import-file-error.ts'

/** A row longer than this is damage, such as a quote that is never closed. */
const MOST_ROW_BYTES = 4 << 20
const [QUOTE, RETURN, NEWLINE] = [34, 13, 10]

/** How the text of a table is written. */
export interface Dialect {
  delimiter: string
  /** A newline also stands for a return and a newline; a return alone ends lines of old Macs. */
  lineEnd: '\n' | '\r'
}

/**
 * Splits a table in UTF-8 into its cells by RFC 4180. A quote within a cell, and text behind a
 * quoted one, are text. Empty lines are no rows.
 *
 * It reads bytes, so that each row is a text of its own: a cell that is kept for long keeps its row
 * in memory, and not the whole chunk. A parser of single characters takes five times as long
 * (docs/performance.md).
 */
export class RowSplitter {
  readonly #delimiter: string
  readonly #delimiterBytes: Buffer
  readonly #lineEnd: number
  #rest: Buffer = Buffer.alloc(0)

  constructor({ delimiter, lineEnd }: Dialect) {
    this.#delimiter = delimiter
    this.#delimiterBytes = Buffer.from(delimiter)
    this.#lineEnd = lineEnd === '\n' ? NEWLINE : RETURN
  }

  /**
   * Returns the rows that end in a chunk.
   * @param most Rows that are enough; the others come with the next call.
   * @throws ImportFileError `malformed_csv`
   */
  write(chunk: Buffer, most = Number.POSITIVE_INFINITY): string[][] {
    const bytes = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk])
    return this.#split(bytes, { most, isLast: false })
  }

  /** Returns the row without an end. @throws ImportFileError `malformed_csv` for an open quote */
  end(): string[][] {
    const rows = this.#split(this.#rest, { most: Number.POSITIVE_INFINITY, isLast: true })
    if (this.#rest.length > 0) throw new ImportFileError('malformed_csv')
    return rows
  }

  #split(bytes: Buffer, { most, isLast }: { most: number; isLast: boolean }): string[][] {
    const rows: string[][] = []
    let quote = bytes.indexOf(QUOTE)
    let from = 0
    while (from < bytes.length && rows.length < most) {
      let end = bytes.indexOf(this.#lineEnd, from)
      if (quote !== -1 && quote < from) quote = bytes.indexOf(QUOTE, from)
      const isQuoted = quote !== -1 && (end === -1 || quote < end)
      if (isQuoted) end = this.#endOfRow(bytes, from, isLast)
      else if (end === -1 && isLast) end = bytes.length
      if (end === -1) break
      if (end - from > MOST_ROW_BYTES) throw new ImportFileError('malformed_csv')
      const row = this.#textOf(bytes, from, end)
      if (row !== '') rows.push(isQuoted ? this.#cellsOf(row) : row.split(this.#delimiter))
      from = end + 1
    }
    // A copy, because a reader may fill the same memory with the next chunk.
    this.#rest = Buffer.from(bytes.subarray(from))
    if (this.#rest.length > MOST_ROW_BYTES) throw new ImportFileError('malformed_csv')
    return rows
  }

  #textOf(bytes: Buffer, from: number, end: number): string {
    let to = end
    if (this.#lineEnd === NEWLINE) while (to > from && bytes[to - 1] === RETURN) to--
    return bytes.toString('utf8', from, to)
  }

  /** Returns where a row ends whose cells have quotes; -1 where it does not end yet. */
  #endOfRow(bytes: Buffer, from: number, isLast: boolean): number {
    let at = from
    for (;;) {
      if (bytes[at] === QUOTE) {
        let close = bytes.indexOf(QUOTE, at + 1)
        while (close !== -1 && bytes[close + 1] === QUOTE) close = bytes.indexOf(QUOTE, close + 2)
        if (close === -1) return -1
        at = close + 1
      }
      while (at < bytes.length && bytes[at] !== this.#lineEnd && !this.#isDelimiter(bytes, at)) at++
      if (at >= bytes.length) return isLast ? bytes.length : -1
      if (bytes[at] === this.#lineEnd) return at
      at += this.#delimiterBytes.length
    }
  }

  #isDelimiter(bytes: Buffer, at: number): boolean {
    const delimiter = this.#delimiterBytes
    if (bytes[at] !== delimiter[0]) return false
    return delimiter.length === 1 || bytes.subarray(at, at + delimiter.length).equals(delimiter)
  }

  #cellsOf(row: string): string[] {
    const cells: string[] = []
    const delimiter = this.#delimiter
    for (let at = 0; at <= row.length; ) {
      let [cell, from] = ['', at]
      if (row.charCodeAt(at) === QUOTE) {
        let close = row.indexOf('"', at + 1)
        while (row.charCodeAt(close + 1) === QUOTE) close = row.indexOf('"', close + 2)
        from = close + 1
        cell = row.slice(at + 1, close).replaceAll('""', '"')
        // Text behind the second quote makes both quotes a part of the cell.
        if (from < row.length && !row.startsWith(delimiter, from)) {
          cell = `"${cell}"`
        }
      }
      const next = row.indexOf(delimiter, from)
      const end = next === -1 ? row.length : next
      cells.push(cell + row.slice(from, end))
      at = end + delimiter.length
    }
    return cells
  }
}

/** Returns what ends the lines of a text, by the first one outside of quotes. */
export function lineEndOf(text: string): '\n' | '\r' {
  let isQuoted = false
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === QUOTE) isQuoted = !isQuoted
    else if (!isQuoted && code === NEWLINE) return '\n'
    else if (!isQuoted && code === RETURN) return text.charCodeAt(at + 1) === NEWLINE ? '\n' : '\r'
  }
  return '\n'
}
