import { CsvError, parse } from 'csv-parse/sync'
import type { CatalogProblems } from './catalog-problems.ts'

/** A line of a CSV list by column names, with trimmed cells. */
export interface CsvLine {
  record: Record<string, string>
  /** Number of the line in the file; the last line of a quoted cell with several lines. */
  line: number
}

/** Names of columns. */
export interface CsvColumns {
  required: readonly string[]
  optional: readonly string[]
}

/** Returns the path of a cell for a problem of a list. */
export const pathOfCell = (line: number, column: string): string => `line ${line}, ${column}`

/**
 * Reads a list whose first line names the columns, in any order and case. Lines may be shorter than
 * the header, as spreadsheets write them.
 * @returns no lines when the text or its columns have a problem, which is added to `problems`
 */
export function readCsvLines(
  csv: string,
  { required, optional }: CsvColumns,
  problems: CatalogProblems,
): CsvLine[] {
  let header: string[] = []
  const columns = (names: string[]): string[] => {
    header = names.map((name) => name.trim().toLowerCase())
    return header
  }
  const options = { columns, bom: true, info: true, trim: true, skip_empty_lines: true } as const
  try {
    const lines = parse(csv, { ...options, relax_column_count_less: true }) as unknown as {
      record: Record<string, string>
      info: { lines: number }
    }[]
    for (const name of required) {
      if (!header.includes(name)) problems.add('line 1', `The column ${name} is missing.`)
    }
    for (const [index, name] of header.entries()) {
      if (![...required, ...optional].includes(name)) {
        problems.add('line 1', `The column ${name} is unknown.`)
      } else if (header.indexOf(name) < index) {
        problems.add('line 1', `Two columns are named ${name}.`)
      }
    }
    if (problems.count > 0) return []
    if (lines.length === 0) problems.add('line 2', 'The list is empty.')
    return lines.map(({ record, info }) => ({ record, line: info.lines }))
  } catch (error) {
    if (!(error instanceof CsvError)) throw error
    problems.add(`line ${error.lines}`, `The line is not valid CSV (${error.code}).`)
    return []
  }
}
