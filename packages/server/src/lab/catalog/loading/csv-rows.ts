/**
 * Rows of a CSV text (RFC 4180: quotes, doubled quotes, line breaks inside quotes; LF or CRLF) as
 * objects by the names of the first line. Empty lines are left out.
 */
export function readCsvRows(text: string): Record<string, string>[] {
  const [header = [], ...lines] = splitCsv(text.replace(/^\uFEFF/, ''))
  return lines
    .filter((cells) => cells.length > 1 || cells[0] !== '')
    .map((cells) => Object.fromEntries(header.map((name, index) => [name, cells[index] ?? ''])))
}

function splitCsv(text: string): string[][] {
  const rows: string[][] = []
  let row: string[] = []
  // A cell, and what ends it.
  const cell = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r?\n|$)/y
  while (cell.lastIndex < text.length) {
    const start = cell.lastIndex
    const found = cell.exec(text)
    if (found === null) throw new SyntaxError(`CSV line ${lineAt(text, start)} has a stray quote`)
    const [, quoted, plain = '', end] = found
    row.push(quoted?.replaceAll('""', '"') ?? plain)
    if (end === ',') {
      if (cell.lastIndex === text.length) row.push('')
      continue
    }
    rows.push(row)
    row = []
  }
  if (row.length > 0) rows.push(row)
  return rows
}

const lineAt = (text: string, offset: number): number => text.slice(0, offset).split('\n').length
