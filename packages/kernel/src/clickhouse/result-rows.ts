/** Parses JSONEachRow: a newline only occurs between rows, since strings escape theirs. */
export function parseRows<Row>(bytes: Uint8Array): Row[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`)
}

/** Yields the rows of a stream of JSONEachRow, as many at a time as a chunk has. */
export async function* parseRowStream<Row>(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<Row[], void, undefined> {
  let rest: Uint8Array = new Uint8Array()
  for await (const chunk of chunks) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    const end = bytes.lastIndexOf(NEWLINE) + 1
    rest = bytes.subarray(end)
    if (end > 0) yield parseRows<Row>(bytes.subarray(0, end))
  }
  if (rest.length > 0) yield parseRows<Row>(rest)
}

const NEWLINE = 10

/** Refuses any name except a plain, optionally qualified one, because a name cannot be bound. */
export function checkedTable(table: string): string {
  if (/^\w+(\.\w+)?$/.test(table)) return table
  throw new TypeError('A table name is letters, digits and underscores.')
}

/** Returns columns with their types, as the definition of a table lists them. */
export function structureOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${checkedTable(name)} ${type}`)
    .join(', ')
}
