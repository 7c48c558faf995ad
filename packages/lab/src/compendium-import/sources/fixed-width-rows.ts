import type { Format } from '../mapping/mapping.schema.ts'
import { skipLines } from './decode-text.ts'
import type { SourceTable } from './source-row.ts'

/** Reads a file whose columns are positions in its lines. */
export function readFixedWidthRows(file: string, text: string, format: Format): SourceTable {
  const { positions = {}, skip_lines: skipped = 0 } = format
  const rows = skipLines(text, skipped)
    .split(/\r\n|\r|\n/)
    .map((line, index) => ({ line, number: index + 1 + skipped }))
    .filter(({ line }) => line.trim() !== '')
    .map(({ line, number }) => ({
      place: `${file}, line ${number}`,
      cell: (column: string) => {
        const [first = 1, last = 0] = positions[column] ?? []
        return line.slice(first - 1, last).trim()
      },
    }))
  return { rows, columns: new Set(Object.keys(positions)) }
}
