const NEWLINE = 10
const TAB = 9
const OPENING = 91
const COMMA = Buffer.from(',')

/**
 * Builds a table from JSONCompactColumns of the engine, as `{"name":[values],...}`. The engine
 * writes one document, or one for each block of rows, and each column is one line, since texts
 * escape their newlines. Nothing is decoded.
 */
export class TableJson {
  readonly #columns: { name: string; values: Buffer[] }[]
  /** The unfinished line, and the column of the next line with values. */
  #line: Buffer[] = []
  #next = 0

  constructor(names: readonly string[]) {
    this.#columns = names.map((name) => ({ name, values: [] }))
  }

  write(chunk: Uint8Array): void {
    const bytes = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength)
    let start = 0
    for (;;) {
      const newline = bytes.indexOf(NEWLINE, start)
      if (newline === -1) break
      this.#line.push(bytes.subarray(start, newline))
      this.#endLine()
      start = newline + 1
    }
    if (start < bytes.length) this.#line.push(bytes.subarray(start))
  }

  #endLine(): void {
    const [first = Buffer.alloc(0)] = this.#line
    const line = this.#line.length === 1 ? first : Buffer.concat(this.#line)
    this.#line = []
    if (line[0] === OPENING) this.#next = 0
    if (line[0] !== TAB) return
    const values = line.subarray(2, line.lastIndexOf(']'))
    if (values.length > 0) this.#columns[this.#next]?.values.push(values)
    this.#next += 1
  }

  /** Yields the whole table, once everything was written. */
  *pieces(): Generator<Buffer> {
    for (const [at, { name, values }] of this.#columns.entries()) {
      yield Buffer.from(`${at === 0 ? '{' : ','}${JSON.stringify(name)}:[`)
      for (const [index, piece] of values.entries()) {
        if (index > 0) yield COMMA
        yield piece
      }
      yield Buffer.from(']')
    }
    yield Buffer.from('}')
  }
}
