/** Parses JSONEachRow: a newline only ever stands between rows, since strings escape theirs. */
export function parseRows<Row>(bytes: Uint8Array): Row[] {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
  return JSON.parse(`[${text.trimEnd().replaceAll('\n', ',')}]`)
}

/** Refuses anything but a plain, optionally qualified name, because a name cannot be bound. */
export function checkedTable(table: string): string {
  if (/^\w+(\.\w+)?$/.test(table)) return table
  throw new TypeError('A table name is letters, digits and underscores.')
}

/** Columns with their types, as a table is made with. */
export function structureOf(columns: Readonly<Record<string, string>>): string {
  return Object.entries(columns)
    .map(([name, type]) => `${checkedTable(name)} ${type}`)
    .join(', ')
}
